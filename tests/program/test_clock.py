"""The machine's clock is set back during a run."""
import os
import shutil
import unittest

from ledgers import MANY_UNITS, SLOW, LedgerTest
from program import DONE, PATIENCE, call, printed, read, write

# Clocks that cannot be set stay right.
STEADY = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}


@unittest.skipUnless(shutil.which("faketime"), "no faketime")
class Clock(LedgerTest):
    def test_set_back_under_a_run(self):
        """The run goes on, commits as often as before, and reports its true duration."""
        ledger, clock = self.path(), self.path("clock")
        write(clock, "+0\n")
        library = call(["faketime", "-f", "+0", "printenv", "LD_PRELOAD"]).stdout.strip()
        process = self.launch("16", "--ledger", ledger, *MANY_UNITS, *SLOW, env={
            **STEADY, "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock,
            "FAKETIME_NO_CACHE": "1"})
        done = self.wait_for_units(ledger, process)
        write(clock + ".new", "-3y\n")
        os.replace(clock + ".new", clock)
        self.wait_for_units(ledger, process, done + 1)
        self.assertEqual(self.end(process), (DONE, printed(16), ""))
        self.assert_complete(16, ledger)
        self.assertTrue(0 < self.shown(ledger)["seconds"] < PATIENCE)
        self.assertEqual(read(clock), "-3y\n")
