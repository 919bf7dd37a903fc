# SPDX-License-Identifier: MIT
"""What the program does when memory runs out, and on a file system without locks.

The faulty program runs, in which one allocation fails (tests/helpers/faulty_memory.c). A count, a
resumed count and an estimate either give the right answer or end with one message. A ledger that
such a run leaves still leads to the right total.
"""
import os
import shutil

from ledgers import LedgerTest
from program import DONE, SYSTEM, TOTALS, without_threads_note, printed, run

FAULTY = os.environ["NQUEENS_FAULTY"]


def failing_allocations():
    """Yields the numbers of the allocations that fail, each in a run of its own. To try all would
    take long, so each number is about a quarter larger than the one before."""
    number = 1
    while number < 3000:
        yield number
        number += 1 + number // 4


class Memory(LedgerTest):
    def assert_survives(self, *arguments, answer, prepare=lambda: None, after=lambda: None):
        """Asserts what the module's docstring says of this call of the program, for one failing
        allocation after another. Ends after four consecutive successes, because such runs make too
        few allocations for one to fail.

        answer: a text that the whole output contains. prepare, after: functions that are called
        before and after each run.
        """
        prepare()
        right = run(*arguments)
        self.assertIn(answer, right.stdout)
        failures = 0
        successes_since_failure = 0
        for number in failing_allocations():
            prepare()
            result = run(*arguments, program=FAULTY, env={"NO_MEMORY_AT": str(number)})
            if result.returncode == DONE:
                self.assertIn(answer, result.stdout)
                successes_since_failure += 1
            else:
                self.assertEqual(result.returncode, SYSTEM, number)
                self.assert_one_message(without_threads_note(result.stderr))
                self.assertTrue(right.stdout.startswith(result.stdout), result.stdout)
                failures += 1
                successes_since_failure = 0
            after()
            if successes_since_failure == 4:
                break
        self.assertGreater(failures, 0)

    def test_count(self):
        self.assert_survives("9", "-t", "2", answer=printed(9))
        self.assert_survives("9", "--json", answer=f'"solutions": "{TOTALS[9]}"')
        self.assert_survives("8", "--fundamental", answer="12\n")

    def test_resumed_ledger(self):
        half = self.make_part(10, self.path("half"), "1/2")
        ledger = self.path()

        def copy_half():
            shutil.copy(half, ledger)

        def resume():
            self.assertEqual(run("10", "--ledger", ledger).stdout, printed(10))

        command = ["10", "-t", "2", "--ledger", ledger]
        self.assert_survives(*command, answer=printed(10), prepare=copy_half, after=resume)

    def test_estimate(self):
        command = ["estimate", "9", "--seconds", "1", "-t", "2"]
        self.assert_survives(*command, answer="\nunits:                66\n")


class NoLocks(LedgerTest):
    def test_a_count_warns_and_goes_on(self):
        """Some network file systems have no locks."""
        result = run("10", "--ledger", self.path(), program=FAULTY, env={"NO_LOCK_FROM": "1"})
        self.assertEqual(result[:2], (DONE, printed(10)))
        self.assert_one_message(
            without_threads_note(result.stderr),
            f"warning: ledger '{self.path()}': this file system "
            "has no locks, so make sure that only one process writes to it",
        )
        self.assert_complete(10, self.path())
