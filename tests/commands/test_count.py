# SPDX-License-Identifier: MIT
"""Counts of solutions and of classes equal the published numbers, with any options, and for sizes
as arguments, as ranges and on stdin.
"""
import os
import re

from ledgers import SAVED, LedgerTest, Unit, entries, write_entries
from program import (
    DONE,
    SOURCE,
    TOTALS,
    USAGE,
    ProgramTest,
    document,
    documents,
    printed,
    read,
    run,
    works,
)


class Arguments(ProgramTest):
    def test_sizes_with_options_anywhere(self):
        self.assert_answers(printed(8, 0, 10, 8, 5), "count", "8", "0", "10", "008", "5")
        self.assert_answers(printed(8), *"8 -q -q -t 2 --threads 2".split())
        for arguments in (
            "count -t 2 8 -q 9",
            "8 9 -qt2",
            "-q --threads=016 -- 8 9",
            "--thr=2 8 9",
            "8 -thr=2 9",
        ):
            self.assert_answers(printed(8, 9), *arguments.split(), env={"POSIXLY_CORRECT": "1"})

    def test_progress_for_programs(self):
        """With --progress json the lines on stderr that begin with a brace are documents, all with
        the same keys. The last one says that the work is done."""
        for arguments in ("16", "estimate 12 --seconds 1", "bench 10 --repeat 1"):
            result = run(*arguments.split(), "--progress", "json", "-t", "1")
            self.assertEqual(result.returncode, DONE, arguments)
            reports = documents("\n".join(re.findall(r"^{.*", result.stderr, re.M)))
            self.assertFalse(reports[0]["done"], arguments)
            self.assertTrue(reports[-1]["done"], arguments)
            self.assertEqual(reports[0].keys(), reports[-1].keys())
            for report in reports:
                if report["done"]:
                    self.assertEqual(report["share"], 1)
                if report["seconds_left"] is not None:
                    self.assertGreaterEqual(report["seconds_left"], 0)

    def test_ranges_are_counted_in_order(self):
        self.assert_answers(printed(4, 5, 6, 7, 8, 10, 6), "0" * 99 + "4..8", "10", "6..6")

    def test_refused(self):
        self.assert_refusals("commands/refused.txt")

    def test_completions_are_as_many_as_recorded(self):
        """The default kernel makes as many completions as results/README.md records. Suite
        `methods-units` compares each unit of each kernel."""
        page = read(os.path.join(SOURCE, "results", "README.md"))
        recorded = re.findall(r"^\| (\d+) \| (\d+) \|$", page, re.M)
        self.assertGreater(len(recorded), 8)
        for n, completions in recorded[:4]:
            self.assert_has(document(n), completions=completions)


class Stdin(ProgramTest):
    def test_words_are_sizes_or_ranges(self):
        """Words are sizes or ranges, with white space between them. A hash sign begins a comment,
        and 0 ends the input."""
        many = [n % 7 + 1 for n in range(50)]
        for text, sizes in (
            ("8\n5\n10\n", (8, 5, 10)),
            ("8\n5", (8, 5)),
            ("8\n5\n0\n6\n", (8, 5)),
            ("8 000 what follows is not read", (8,)),
            ("  8 5\t6\r\n\n \v\f7 \n", (8, 5, 6, 7)),
            (" ".join(map(str, many)), many),
            ("", ()),
            ("0" * 100 + "8\n", (8,)),
            ("\ufeff# boards\n4..6 8#last\n#0", (4, 5, 6, 8)),
            ("\ufeff8 0..0 9", (8,)),
            ("0..4 8\n", (0, 1, 2, 3, 4, 8)),
        ):
            self.assert_answers(printed(*sizes), "-", stdin=text)

    def test_nothing_but_a_zero(self):
        """The titles of CSV are printed, and a message says that the 0 ended the input."""
        code, stdout, stderr = run("-", "--format", "csv", stdin="# sizes\n0\n8\n")
        titles = ["n", "solutions", "seconds", *reversed(works().values()), "verdict"]
        self.assertEqual((code, stdout), (DONE, ",".join(titles) + "\n"))
        self.assert_one_message(stderr, "line 2", "nothing was counted")

    def test_answers_before_a_bad_word_stand(self):
        result = run("-", stdin="4 5\nx 6\n")
        self.assertEqual(result[:2], (USAGE, printed(4, 5)))
        self.assert_one_message(result.stderr, "'x'", "28")


class Fundamental(LedgerTest):
    def test_classes_are_counted(self):
        self.assert_answers("1\n12\n1787\n", "-", "--fundamental", stdin="4 8\n12\n0 9")
        self.assert_answers("1787\n", "12", "--fundamental", "--method", "search", "-q")

    def test_numbers_in_json(self):
        """A count with --fundamental has the numbers of A002562, A032522 and A033148. `verify` has
        them without the option."""
        numbers = {"fundamental": "1787", "half_turn": "80", "quarter_turn": "8"}
        for arguments in (["12", "--fundamental"], ["verify", "12"]):
            self.assert_has(
                document(*arguments), n=12, solutions=str(TOTALS[12]), verdict="verified", **numbers
            )
        self.assertNotIn("fundamental", document("12"))

    def test_the_rate_of_a_finished_ledger_is_that_of_its_runs(self):
        """A call that only reads the ledger counts nothing, so its own time does not give
        the rate."""
        shown = self.shown(self.make(14, self.path()))
        code, _, stderr = run("14", "--ledger", self.path(), "--time")
        self.assertEqual(code, DONE)
        self.assertRegex(
            stderr, r"\Anqueens: n = 14: \d\S* s \(no unit was left to count\), verified\n"
        )
        rate = float(re.search(r"completions, (\S+) completions/s\n", stderr)[1])
        expected = int(shown["completions"]) / shown["seconds"]
        self.assertAlmostEqual(rate, expected, delta=1e-3 * expected)

    def test_classes_are_counted_with_a_ledger(self):
        self.make_part(12, self.path(), "1/3")
        for _ in range(2):
            self.assert_answers("1787\n", "12", "--fundamental", "--ledger", self.path())
        self.assert_complete(12, self.path())

    def test_classes_of_the_largest_board_are_searched_for_until_time_is_up(self):
        """The search for symmetric solutions takes a minute for n = 28. To begin it at once, the
        test makes a ledger that has a result of 0 solutions for each unit."""
        ledger = self.path()
        command = ["28", "--method", "search", "--ledger", ledger]
        run(*command, "--shard", "1000000/1000000")
        run_entry = entries(ledger)[0]
        counted = Unit(
            n=28,
            method="search",
            version=run_entry.version,
            units=run_entry.units,
            id=0,
            solutions=0,
            work=1,
            nanoseconds=1,
            time=0,
            kernel="scalar64",
            host="host",
        )
        write_entries(ledger, [counted._replace(id=unit) for unit in range(run_entry.units)])
        result = run(*command, "--fundamental", "--for", "1s", "--quiet")
        self.assertEqual(result[:2], (SAVED, ""))
        self.assert_one_message(
            result.stderr, "n = 28: time is up", "classes of 0 solutions", "all units are saved"
        )
