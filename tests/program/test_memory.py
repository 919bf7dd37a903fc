# SPDX-License-Identifier: MIT
"""Memory runs out, or the file system has no locks, with a program that lets them: see faulty_memory.c.

Of a count, a resumed ledger and an estimate the k-th allocation fails.
The answer is right, or one sentence refuses it; a ledger still leads to the right total."""
import os
import shutil

from ledgers import LedgerTest
from program import DONE, SYSTEM, TOTALS, beside_turns, printed, run

FAULTY = os.environ["NQUEENS_FAULTY"]
TRIED = sorted({int(1.3**i) for i in range(31)})  # the allocations that fail


class Memory(LedgerTest):
    def assert_survives(self, *arguments, answer, prepare=lambda: None, after=lambda: None):
        """answer: what the output must hold."""
        prepare()
        right = run(*arguments)
        self.assertIn(answer, right.stdout)
        codes = []
        for k in TRIED:
            prepare()
            result = run(*arguments, program=FAULTY, env={"NO_MEMORY_AT": str(k)})
            if result.returncode == DONE:
                self.assertIn(answer, result.stdout)
            else:
                self.assertEqual(result.returncode, SYSTEM, k)
                self.assert_one_message(beside_turns(result.stderr))
                self.assertTrue(right.stdout.startswith(result.stdout), result.stdout)
            after()
            codes.append(result.returncode)
            if codes[-4:] == [DONE] * 4:
                break  # there are no more
        self.assertIn(SYSTEM, codes)

    def test_count(self):
        self.assert_survives("9", "-t", "2", answer=printed(9))
        self.assert_survives("9", "--json", answer=f'"solutions": "{TOTALS[9]}"')
        self.assert_survives("8", "--fundamental", answer="12\n")

    def test_resumed_ledger(self):
        half, ledger = self.make_part(10, self.path("half"), "1/2"), self.path()

        def resume():
            self.assertEqual(run("10", "--ledger", ledger).stdout, printed(10))

        self.assert_survives(
            "10",
            "-t",
            "2",
            "--ledger",
            ledger,
            answer=printed(10),
            prepare=lambda: shutil.copy(half, ledger),
            after=resume,
        )

    def test_estimate(self):
        self.assert_survives(
            "estimate", "9", "--seconds", "1", "-t", "2", answer="\nunits:                66\n"
        )


class NoLocks(LedgerTest):
    def test_a_count_warns_and_goes_on(self):
        """As on some network file systems."""
        result = run("10", "--ledger", self.path(), program=FAULTY, env={"NO_LOCK_FROM": "1"})
        self.assertEqual(result[:2], (DONE, printed(10)))
        self.assert_one_message(
            beside_turns(result.stderr),
            f"warning: ledger '{self.path()}': this file system "
            "has no locks, so make sure that no other process writes to it",
        )
        self.assert_complete(10, self.path())
