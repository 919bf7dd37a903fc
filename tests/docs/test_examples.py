# SPDX-License-Identifier: MIT
"""Runs the programs of examples/, which are in the build folder."""
import os
import re
import signal

from ledgers import SAVED, LedgerTest
from program import BUILD, DONE, TOTALS, WRONG, call, printed


def program(name):
    """Returns the path of an example."""
    return os.path.join(BUILD, "examples", name)


class Examples(LedgerTest):
    def test_count_with_progress(self):
        """A count that would take hours ends soon after a signal."""
        result = call([program("progress"), "12"])
        self.assertEqual(result[:2], (DONE, printed(12)), result.stderr)
        self.assertIn("verified", result.stderr)
        child = self.launch("25", program=[program("progress")], bufsize=0)
        # The first bytes of progress show that the count has begun.
        shown = child.stderr.read(8).decode()
        child.send_signal(signal.SIGINT)
        code, stdout, stderr = self.end(child)
        self.assertEqual((code, stdout), (WRONG, ""), shown + stderr)
        self.assertRegex(shown + stderr, r"n = 25: +[\d.]+ %.*\nn = 25: cancelled\n\Z")

    def test_list(self):
        """The first solution of each class is printed, with the size of the class."""
        lines = call([program("solutions"), "8"]).stdout.splitlines()
        self.assertEqual((len(lines), lines[0]), (12, "1 5 8 6 3 7 2 4 (8 alike)"))
        sizes = [int(re.search(r"\((\d) alike\)", line)[1]) for line in lines]
        self.assertEqual(sum(sizes), TOTALS[8])

    def test_count_that_is_resumed(self):
        """The first run has less time than one thread needs. The second run completes the count."""
        for seconds, code, stdout in (("0.05", SAVED, ""), ("10000", DONE, printed(18))):
            result = call(
                [program("resume"), "18", self.path(), seconds], env={"OMP_NUM_THREADS": "1"}
            )
            self.assertEqual(result[:2], (code, stdout), result.stderr)
            told = re.match(r"\d+ of \d+ units are done\n", result.stderr)
            self.assertEqual(told is not None, code == SAVED)

    def test_wrong_usage(self):
        for name in ("progress", "resume", "solutions"):
            code, stdout, stderr = call([program(name), "8x"])
            self.assertEqual((code, stdout), (2, ""))
            self.assertTrue(stderr.startswith(f"usage: {name} "), stderr)
