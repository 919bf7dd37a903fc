# SPDX-License-Identifier: MIT
"""`verify --minutes` counts boards again and again, and finds a machine that counts wrong."""
import os
import re
import select
import signal

from program import (
    DONE,
    PATIENCE,
    USAGE,
    WRONG,
    WRONG_PROGRAM,
    ProcessTest,
    without_threads_note,
    document,
    documents,
    methods,
    run,
)
from terminals import bars, run_on_terminal, shown

FAULTY_PROGRAM = os.environ["NQUEENS_FAULTY"]  # see tests/helpers/faulty_machine.c


class BurnIn(ProcessTest):
    def test_a_right_machine_passes(self):
        """A burn-in without faults prints what it has counted, and exits with 0."""
        result = run("verify", "6..9", "--minutes", "0.03", "-t", "2")
        self.assertEqual((result.returncode, without_threads_note(result.stderr)), (DONE, ""))
        titles, numbers = [line.split() for line in result.stdout.splitlines()]
        minutes, counts, wrong, units, suspects = numbers
        self.assertEqual(
            titles, ["minutes", "counts", "wrong", "units", "compared", "suspect", "PUs"]
        )
        self.assertEqual((minutes, wrong, suspects), ("0.0", "0", "-"))
        self.assertGreater(int(units), int(counts))
        found = document("verify", "8", "--minutes", "0.03")
        self.assertGreaterEqual(found["minutes"], 0.03)
        self.assert_has(found, wrong="0")

    def test_a_unit_whose_results_differ_is_told(self):
        """A unit is counted wrong in the first count of the board, with which later ones are
        compared, or in a later count. Its solutions are wrong, or only its work."""
        pu = max(os.sched_getaffinity(0))
        arguments = f"verify 8..9 --minutes 0.03 --json -t 2 --bind {pu}".split()
        for method in methods():
            for what, time in (("solutions", 1), ("solutions", 3), ("work", 3)):
                env = {"FAULT": f"{what} 9 {method} 1 {time}"}
                result = run(*arguments, program=FAULTY_PROGRAM, env=env)
                self.assertEqual(result.returncode, WRONG, result.stderr)
                first, last = without_threads_note(result.stderr).splitlines(keepends=True)
                self.assert_one_message(
                    first, "n = 9", f"method {method}", "unit 1: kernel", f"on PU {pu} counts"
                )
                self.assert_one_message(last, f"PU {pu} counted units wrong", f"--bind {pu}'")
                lines = documents(result.stdout)
                self.assertEqual(len(lines), 2)
                for line in lines:
                    self.assert_has(line, wrong="1", suspect_pus=[pu])

    def test_the_pu_that_counted_wrong_is_the_suspect(self):
        """Two PUs differ in a unit. The suspect is the PU whose count has a wrong total. If only
        the work differs, both are suspects."""
        for what, time, suspects in (
            ("solutions", 1, [2]),
            ("solutions", 3, [1]),
            ("work", 1, [1, 2]),
            ("work", 3, [1, 2]),
        ):
            result = run(
                *"verify 9 --minutes 0.05 --method colours -t 2".split(),
                program=FAULTY_PROGRAM,
                env={"FAULT": f"{what} 9 colours 1 {time}"},
            )
            pus = re.search(r"on PU (\d+) counts .* on PU (\d+) counted", result.stderr)
            expected = sorted({pus[place] for place in suspects})
            for line in result.stdout.splitlines()[1:]:
                self.assertEqual(sorted(line.split()[4:]), expected, (what, time, result.stderr))
            self.assertEqual(
                f"PU {expected[0]} counted units wrong" in result.stderr, len(expected) == 1
            )

    def test_a_wrong_total_is_told_at_once(self):
        """A wrong total is told after the first count. No unit is said to be wrong."""
        result = run("verify", "8", "--minutes", "0.03", "--json", program=WRONG_PROGRAM)
        self.assertEqual(result.returncode, WRONG)
        self.assert_one_message(result.stderr, "n = 8", "kernel", "92", "93")
        first, last = documents(result.stdout)
        self.assert_has(first, counts="1", wrong="1")
        self.assert_has(last, counts=last["wrong"])

    def test_a_line_is_seen_when_it_is_written(self):
        """Another program reads the line before the burn-in ends."""
        process = self.start("verify", "8", "--minutes", "100", "--json", program=(WRONG_PROGRAM,))
        self.assertTrue(select.select([process.stdout], [], [], PATIENCE)[0], "nothing comes")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.end(process).returncode, WRONG)

    def test_a_signal_ends_it(self):
        code, stdout, stderr = self.stopped(
            signal.SIGINT, "verify", "12..14", "--minutes", "100", "--json", work=0.3
        )
        self.assertEqual(code, 128 + signal.SIGINT, stderr)
        self.assert_one_message(stderr, "interrupted")
        self.assertEqual([found["wrong"] for found in documents(stdout)], ["0"])

    def test_what_is_counted_is_seen_at_once(self):
        """The titles are printed before the first line, which is due after a minute. On a terminal
        a bar says what is counted."""
        process = self.start("verify", "12", "--minutes", "100")
        self.assertIn(b"suspect PUs", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(len(self.end(process).stdout.splitlines()), 1)
        session = run_on_terminal(
            "verify", "12", "--minutes", "100", columns=120, signals=[("colours by", signal.SIGINT)]
        )
        self.assertEqual(session.code, 130)
        burn_in_bars = [bar for bar in bars(session) if bar.startswith("burn-in")]
        self.assertRegex(
            burn_in_bars[-1],
            r"\Aburn-in, n = 12: \d\.\d %, 1 h \d\d min to go, colours by \w+ \[ *\]\Z",
        )
        titles, line, said = without_threads_note(shown(session)).splitlines()
        self.assertEqual(
            (titles.split()[0], line.split()[2], said), ("minutes", "0", "nqueens: interrupted")
        )

    def test_progress_for_programs(self):
        result = run("verify", "8..9", "--minutes", "0.03", "--progress", "json")
        *before, last = documents("\n".join(re.findall("^{.*", result.stderr, re.M)))
        self.assertEqual((result.returncode, last["done"], last["share"]), (DONE, True, 1))
        self.assertLessEqual({one["n"] for one in before}, {8, 9})
        for report in before:
            self.assertRegex(report["phase"], rf"\A({'|'.join(methods())}) by \w+\Z")

    def test_refused(self):
        self.assert_fails(USAGE, run("verify", "8", "--minutes", "1", "--kernel", "nope"), "'nope'")

    def test_a_burn_in_without_a_complete_count_verifies_nothing(self):
        result = run("verify", "24", "--minutes", "0.005", "--method", "search", "-t", "1")
        self.assertEqual(result.returncode, USAGE)
        self.assert_one_message(result.stderr, "--minutes", "'0.005'", "nothing was verified")
