# SPDX-License-Identifier: MIT
"""`estimate`: small boards are measured whole, large ones by samples."""
import json
import math
import os
import signal
import subprocess

from program import DONE, ProcessTest, beside_turns, document, run

BUSY = r"the threads had \d+ % of the CPU time .*: other programs are running.*"


class Estimate(ProcessTest):
    def answer(self, *arguments):
        """The output of an estimate, which says nothing on stderr."""
        result = run("estimate", *arguments)
        self.assertEqual((result.returncode, beside_turns(result.stderr)), (DONE, ""), arguments)
        return result.stdout

    def estimate(self, n, *arguments):
        """Runs an estimate, checks that its numbers are consistent, and returns the document."""
        d = json.loads(self.answer(str(n), "--json", *arguments))
        for key in ("units", "units_measured", "shards"):
            d[key] = int(d[key])
        self.assert_has(
            d, n=n, shards=max(1, min(1000000, d["units"], math.ceil(d["seconds"] / 3600)))
        )
        for found, expected in (
            (d["seconds"], d["plan_seconds"] + d["thread_seconds"] / d["cores"]),
            (d["unit_seconds"], d["thread_seconds"] / d["units"]),
        ):
            self.assertAlmostEqual(found, expected, delta=1e-6 * expected + 1e-12)
        self.assertGreater(
            min(d[key] for key in ("seconds", "unit_seconds", "calibration_seconds")), 0
        )
        self.assertGreaterEqual(d["longest_unit_seconds"], d["unit_seconds"])
        return d

    def test_all_units_of_small_boards_are_measured(self):
        """A count has the same units."""
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

    def test_samples_of_large_boards(self):
        for n, method in ((18, "search"), (22, "colours")):
            d = self.estimate(n, "--seconds", "1", "-t", "1", "--method", method)
            self.assertTrue(0 < d["units_measured"] < d["units"] and d["error"] > 0.05)
        text = run("estimate", "18", "--seconds", "1", "-t", "1", "-q", "--method", "search").stdout
        self.assertRegex(
            text,
            r"\An: +18\n(?s:.*)\ntime: +\d[^(]*\(\d[^(]* to \d[^(]*, 95 %\)\n(?s:.*)\nversion: .*\n\Z",
        )

    def test_of_a_busy_machine(self):
        """A warning says so, or with --json the answer."""
        pu = {min(os.sched_getaffinity(0))}
        others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(3)]
        try:
            for other in others:
                os.sched_setaffinity(other.pid, pu)
            found = [
                run(
                    "estimate",
                    "18",
                    "-t",
                    "1",
                    "--seconds",
                    "1",
                    "--method",
                    "search",
                    *more,
                    preexec_fn=lambda: os.sched_setaffinity(0, pu),
                )
                for more in ([], ["--json"], ["-q"])
            ]
        finally:
            for other in others:
                other.kill()
                other.wait()
        self.assertRegex(found[0].stderr, f"nqueens: warning: {BUSY}\n\\Z")
        [warning] = json.loads(found[1].stdout)["warnings"]
        self.assertRegex(warning, BUSY)
        self.assertEqual(found[2].stderr, "")

    def test_interrupted(self):
        for more in ([], ["--json"], ["--quiet"]):
            result = self.stopped(
                signal.SIGTERM,
                "estimate",
                "20",
                "-t",
                "1",
                "--method",
                "search",
                "--seconds",
                "100",
                *more,
            )
            self.assert_fails(128 + signal.SIGTERM, result, "interrupted")
