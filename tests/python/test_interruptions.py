# SPDX-License-Identifier: MIT
"""Ctrl-C at any moment of a count, in processes of their own."""
import os
import subprocess
import sys
import unittest

MORE = 5 if os.environ.get("NQUEENS_MANY") else 1


class Interruptions(unittest.TestCase):
    def assert_ends(self, how, n, runs):
        script = os.path.join(os.path.dirname(__file__), "interrupted.py")
        result = subprocess.run([sys.executable, script, how, str(n), str(runs * MORE)], stderr=subprocess.PIPE,
                                text=True, check=False, timeout=1200)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_at_random_lines(self):
        self.assert_ends("lines", 8, 100)

    def test_of_short_counts(self):
        self.assert_ends("alarms", 8, 60)

    def test_of_a_long_count(self):
        self.assert_ends("alarms", 19, 20)


if __name__ == "__main__":
    unittest.main()
