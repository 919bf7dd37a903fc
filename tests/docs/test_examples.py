# SPDX-License-Identifier: MIT
"""The programs of examples/ in the build folder."""
import os
import re
import signal

from ledgers import SAVED, LedgerTest
from program import BUILD, DONE, TOTALS, WRONG, call, printed


def program(name):
    return os.path.join(BUILD, "examples", name)


class Examples(LedgerTest):
    def test_count_with_progress(self):
        """A count that would take hours ends soon after a signal."""
        result = call([program("progress"), "12"])
        self.assertEqual(result[:2], (DONE, printed(12)), result.stderr)
        self.assertIn("verified", result.stderr)
        child = self.launch("25", program=[program("progress")], bufsize=0)
        shown = child.stderr.read(8).decode()  # the count has begun
        child.send_signal(signal.SIGINT)
        code, stdout, stderr = self.end(child)
        self.assertEqual((code, stdout), (WRONG, ""), shown + stderr)
        self.assertRegex(shown + stderr, r"n = 25: +[\d.]+ %.*\nn = 25: cancelled\n\Z")

    def test_list(self):
        lines = call([program("solutions"), "8"]).stdout.splitlines()
        self.assertEqual((len(lines), lines[0]), (12, "1 5 8 6 3 7 2 4 (8 alike)"))
        self.assertEqual(
            sum(int(re.search(r"\((\d) alike\)", line)[1]) for line in lines), TOTALS[8]
        )

    def test_count_that_is_resumed(self):
        """The first run has less time than one thread needs."""
        for seconds, code, stdout in (("0.05", SAVED, ""), ("10000", DONE, printed(18))):
            result = call(
                [program("resume"), "18", self.path(), seconds], env={"OMP_NUM_THREADS": "1"}
            )
            self.assertEqual(result[:2], (code, stdout), result.stderr)
            self.assertEqual(
                re.match(r"\d+ of \d+ units are done\n", result.stderr) is not None, code == SAVED
            )

    def test_wrong_usage(self):
        for name in ("progress", "resume", "solutions"):
            code, stdout, stderr = call([program(name), "8x"])
            self.assertEqual((code, stdout), (2, ""))
            self.assertTrue(stderr.startswith(f"usage: {name} "), stderr)
