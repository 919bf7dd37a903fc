# SPDX-License-Identifier: MIT
"""How a process ends that has counted with the Python package. Each case runs a program of
tests/python/ends three times, because the outcome may depend on the moment."""
import os
import subprocess
import sys
import unittest

PROGRAMS = os.path.join(os.path.dirname(__file__), "ends")


class Ends(unittest.TestCase):
    def assert_ends(self, program, *arguments):
        """The program exits with 0 and writes nothing to stderr, three times."""
        # Python 3.12 warns of a fork while other threads run.
        command = [sys.executable, "-W", "ignore::DeprecationWarning"]
        command += [os.path.join(PROGRAMS, program), *arguments]
        for _ in range(3):
            result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    @unittest.skipIf(
        "asan" in os.environ.get("LD_PRELOAD", ""), "sanitizers need more memory than the limit"
    )
    def test_a_refused_thread_is_an_exception(self):
        self.assert_ends("refused_thread.py", "1", "2000")
        self.assert_ends("refused_thread.py", "2000")

    def test_a_process_ends_while_a_daemon_counts(self):
        self.assert_ends("daemon_counts.py")

    def test_a_process_ends_while_daemons_search(self):
        self.assert_ends("daemons_search.py")

    def test_a_count_at_the_end_of_the_interpreter_is_an_exception(self):
        self.assert_ends("count_at_the_end.py")

    def test_children_that_are_forked_while_a_thread_counts_can_count(self):
        self.assert_ends("forked_by_caller.py")
