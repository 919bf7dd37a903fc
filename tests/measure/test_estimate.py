# SPDX-License-Identifier: MIT
"""`estimate` measures small boards whole, and large ones by samples."""
import json
import math
import os
import signal
import subprocess

from program import DONE, ProcessTest, without_threads_note, document, run

BUSY = r"the threads had \d+ % of the CPU time .*: other programs are running.*"


class Estimate(ProcessTest):
    def answer(self, *arguments):
        """Returns the output of an estimate, which must succeed without a message."""
        result = run("estimate", *arguments)
        self.assertEqual(
            (result.returncode, without_threads_note(result.stderr)), (DONE, ""), arguments
        )
        return result.stdout

    def estimate(self, n, *arguments):
        """Returns the document of an estimate, and asserts that its numbers agree with each
        other."""
        found = json.loads(self.answer(str(n), "--json", *arguments))
        for key in ("units", "units_measured", "shards"):
            found[key] = int(found[key])
        hours = math.ceil(found["seconds"] / 3600)
        shards = max(1, min(1000000, found["units"], hours))
        self.assert_has(found, n=n, shards=shards)
        seconds = found["plan_seconds"] + found["thread_seconds"] / found["cores"]
        self.assertAlmostEqual(found["seconds"], seconds, delta=1e-6 * seconds + 1e-12)
        unit_seconds = found["thread_seconds"] / found["units"]
        self.assertAlmostEqual(
            found["unit_seconds"], unit_seconds, delta=1e-6 * unit_seconds + 1e-12
        )
        for key in ("seconds", "unit_seconds", "calibration_seconds"):
            self.assertGreater(found[key], 0, key)
        self.assertGreaterEqual(found["longest_unit_seconds"], found["unit_seconds"])
        return found

    def test_all_units_of_small_boards_are_measured(self):
        """An estimate has the method, kernel, threads and units of a count with equal options."""
        for n, options in (
            (8, []),
            (0, []),
            (4, ["--method", "colours"]),
            (12, ["--method", "colours", "-t", "3"]),
            (12, ["--method", "search"]),
            (14, ["--kernel", "scalar64", "--method", "search"]),
        ):
            estimate, counted = self.estimate(n, *options), document(str(n), *options)
            self.assert_has(
                estimate, units_measured=estimate["units"], error=0.05, units=int(counted["units"])
            )
            for key in ("method", "kernel", "threads", "version"):
                self.assertEqual(estimate[key], counted[key], key)
        self.assertRegex(
            run("estimate", "8", "--progress", "json").stderr,
            rf'"completions": "{document("8")["completions"]}", .*"done": true',
        )

    def test_some_units_of_large_boards_are_measured(self):
        """Some of the units are measured, and the error is larger than that of a whole board."""
        for n, method in ((18, "search"), (24, "colours")):
            found = self.estimate(n, "--seconds", "1", "-t", "1", "--method", method)
            self.assertTrue(0 < found["units_measured"] < found["units"])
            self.assertGreater(found["error"], 0.05)
        text = run("estimate", "18", "--seconds", "1", "-t", "1", "-q", "--method", "search").stdout
        self.assertRegex(
            text,
            r"\An: +18\n(?s:.*)\ntime: +\d[^(]*\(\d[^(]* to \d[^(]*, 95 %\)\n(?s:.*)\nversion: .*\n\Z",
        )

    def test_a_busy_machine_is_warned_of(self):
        """An estimate warns if other programs take CPU time. With --json the warning is in the
        document, and with -q there is none."""
        pu = {min(os.sched_getaffinity(0))}
        others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(3)]
        try:
            for other in others:
                os.sched_setaffinity(other.pid, pu)
            text, json_text, quiet = [
                run(
                    *f"estimate 18 -t 1 --seconds 1 --method search {option}".split(),
                    preexec_fn=lambda: os.sched_setaffinity(0, pu),
                )
                for option in ("", "--json", "-q")
            ]
        finally:
            for other in others:
                other.kill()
                other.wait()
        self.assertRegex(text.stderr, f"nqueens: warning: {BUSY}\n\\Z")
        [warning] = json.loads(json_text.stdout)["warnings"]
        self.assertRegex(warning, BUSY)
        self.assertEqual(quiet.stderr, "")

    def test_an_interrupted_estimate_has_no_answer(self):
        for option in ("", "--json", "--quiet"):
            arguments = f"estimate 20 -t 1 --method search --seconds 100 {option}".split()
            result = self.stopped(signal.SIGTERM, *arguments)
            self.assert_fails(128 + signal.SIGTERM, result, "interrupted")
