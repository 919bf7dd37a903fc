# SPDX-License-Identifier: MIT
"""Several processes use one ledger. One of them writes to it, others read it, and nobody waits."""
import fcntl
import signal

from ledgers import SAVED, SLOW, LedgerTest
from program import DONE, SYSTEM, printed, run

BUSY = "another process writes to it"
LONG = ("19", *SLOW, "--ledger")  # takes half a minute


class TwoRuns(LedgerTest):
    def test_readers_do_not_disturb_and_another_run_is_refused(self):
        ledger, done = self.path(), 0
        first = self.launch(*LONG, ledger)
        self.wait_for_units(ledger, first)
        others = [self.launch("19", "--ledger", ledger, "-t", "1") for _ in range(3)]
        for _ in range(5):
            before, done = done, int(self.shown(ledger)["units_done"])
            self.assertGreaterEqual(done, before)
            audit = run("ledger", "audit", ledger, "--sample", "0.1%", "-t", "1", "--quiet")
            self.assertEqual(audit.returncode, DONE, audit.stderr)
        merged = self.path("merged")
        self.assertEqual(run("ledger", "merge", ledger, "--output", merged).returncode, DONE)
        self.assertGreaterEqual(int(self.shown(merged)["units_done"]), done)
        self.assert_has(self.shown(merged), runs_open=0)
        for other in others:
            self.assert_fails(SYSTEM, self.end(other), ledger, BUSY)
        first.send_signal(signal.SIGSTOP)  # a stopped process keeps its lock
        self.assert_fails(SYSTEM, run("19", "--ledger", ledger), ledger, BUSY)
        first.send_signal(signal.SIGCONT)
        self.assertIsNone(first.poll(), "the first run should still be at work")
        self.assert_has(self.shown(ledger), runs=1)
        first.terminate()
        self.assertEqual(self.end(first)[:2], (SAVED, ""))
        # The rest is counted with the default kernel, which is faster than that of LONG.
        self.assert_right(19, ledger)

    def test_a_reader_that_stays_makes_nobody_wait(self):
        """The reader keeps the file open after it has read a part of it, and even locks it, as some
        backups do."""
        ledger = self.path()
        process = self.launch("18", "--ledger", ledger, *SLOW)
        self.wait_for_units(ledger, process)
        with open(ledger, "rb") as reader:
            reader.read(100)
            fcntl.flock(reader, fcntl.LOCK_EX)
            self.assertEqual(self.end(process), (DONE, printed(18), ""))
        self.assert_complete(18, ledger)

    def test_many_at_once_on_a_new_ledger(self):
        """Each run prints the right total, or finds that the ledger is in use."""
        started = [self.launch("12", "--ledger", self.path()) for _ in range(8)]
        right = [
            self.assert_right_or_refused(12, self.end(process), self.path(), BUSY)
            for process in started
        ]
        self.assertIn(True, right)
        self.assert_complete(12, self.path())
