"""Tests of the programs of examples/, in any build."""
import os
import re
import signal
import subprocess

from program import DONE, FUNDAMENTAL, PATIENCE, SOURCE, TOTALS, WRONG, ProgramTest, call, environment, printed

FOLDER = os.path.join(SOURCE, "examples")
NAMES = sorted(name[:-2] for name in os.listdir(FOLDER) if name.endswith(".c"))
SAVED = 75


class ExampleTest(ProgramTest):
    """Subclasses name the folder of the programs."""

    settings = None  # of the environment

    def program(self, name):
        raise NotImplementedError

    def run_example(self, name, *arguments, **more):
        return call([self.program(name), *arguments], env={**(self.settings or {}), **more})

    def assert_counts(self):
        result = self.run_example("progress", "12")
        self.assertEqual(result[:2], (DONE, printed(12)), result.stderr)
        self.assertIn("verified", result.stderr)

    def assert_stops(self):
        """A count that would take hours ends soon after a signal."""
        child = subprocess.Popen([self.program("progress"), "25"], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, env=environment(self.settings), bufsize=0)
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        shown = child.stderr.read(8)  # the count has begun
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=PATIENCE)
        self.assertEqual((child.returncode, stdout), (WRONG, b""), shown + stderr)
        self.assertRegex(shown + stderr, rb"n = 25: +[\d.]+ %.*\nn = 25: cancelled\n\Z")

    def assert_lists(self):
        lines = self.run_example("solutions", "8").stdout.splitlines()
        self.assertEqual((len(lines), lines[0]), (FUNDAMENTAL[8 - 1], "1 5 8 6 3 7 2 4 (8 alike)"))
        self.assertEqual(sum(int(re.search(r"\((\d) alike\)", line)[1]) for line in lines), TOTALS[8])

    def assert_resumes(self, ledger):
        """The first runs have less time than one thread needs."""
        done = []
        for run in range(12):
            result = self.run_example("resume", "18", ledger, str(0.05 * 2 ** run), OMP_NUM_THREADS="1")
            if result.returncode != SAVED:
                break
            self.assertEqual(result.stdout, "")
            done.append(int(re.match(r"(\d+) of \d+ units are done\n", result.stderr)[1]))
        self.assertEqual(result[:2], (DONE, printed(18)), result.stderr)
        self.assertEqual(done, sorted(done))
        self.assertGreater(len(done), 0)

    def assert_refuses(self):
        for name in NAMES:
            usage = self.run_example(name)
            self.assertEqual(usage[:2], (2, ""))
            self.assertTrue(usage.stderr.startswith(f"usage: {name} "), usage.stderr)
            rest = ["1"] * (usage.stderr.count(" ") - 2)
            for number in ("abc", "", "8x", "99999999999"):
                self.assertEqual(self.run_example(name, number, *rest), usage)
            result = self.run_example(name, "99", *rest)
            self.assertEqual(result[:2], (WRONG, ""))
            self.assertRegex(result.stderr, r"99|n is out of range")
