# SPDX-License-Identifier: MIT
"""The programs of examples/ in the build folder."""
import os
import re
import signal

from ledgers import SAVED, LedgerTest
from program import DONE, FUNDAMENTAL, SOURCE, TOTALS, WRONG, call, printed

NAMES = sorted(name[:-2] for name in os.listdir(os.path.join(SOURCE, "examples")) if name.endswith(".c"))


def program(name):
    return os.path.join(os.environ["NQUEENS_BUILD"], "examples", name)


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
        self.assertEqual((len(lines), lines[0]), (FUNDAMENTAL[8 - 1], "1 5 8 6 3 7 2 4 (8 alike)"))
        self.assertEqual(sum(int(re.search(r"\((\d) alike\)", line)[1]) for line in lines), TOTALS[8])

    def test_count_that_is_resumed(self):
        """The first runs have less time than one thread needs."""
        done = []
        for attempt in range(12):
            result = call([program("resume"), "18", self.path(), str(0.05 * 2 ** attempt)],
                          env={"OMP_NUM_THREADS": "1"})
            if result.returncode != SAVED:
                break
            self.assertEqual(result.stdout, "")
            done.append(int(re.match(r"(\d+) of \d+ units are done\n", result.stderr)[1]))
        self.assertEqual(result[:2], (DONE, printed(18)), result.stderr)
        self.assertEqual(done, sorted(done))
        self.assertGreater(len(done), 0)

    def test_wrong_usage(self):
        for name in NAMES:
            usage = call([program(name)])
            self.assertEqual(usage[:2], (2, ""))
            self.assertTrue(usage.stderr.startswith(f"usage: {name} "), usage.stderr)
            rest = ["1"] * (usage.stderr.count(" ") - 2)
            for number in ("abc", "", "8x", "99999999999"):
                self.assertEqual(call([program(name), number, *rest]), usage)
            result = call([program(name), "99", *rest])
            self.assertEqual(result[:2], (WRONG, ""))
            self.assertRegex(result.stderr, r"99|n is out of range")
