# SPDX-License-Identifier: MIT
"""Runs with a ledger are killed, and the next ones end with the right total.
tests/fuzz/test_calls.py kills random calls at any write."""
import os
import time

from ledgers import SLOW, LedgerTest, lines
from program import DONE, run


class Kills(LedgerTest):
    def test_killed_counts_lose_no_recorded_unit(self):
        """What a killed run has recorded stays. The second run may be killed while it reads the
        ledger."""
        ledger, done = self.path(), 0
        for seconds in (0, 0.1, 0.3):
            process = self.launch("18", "--ledger", ledger, *SLOW)
            if done == 0:
                done = self.wait_for_units(ledger, process)
            time.sleep(seconds)
            process.kill()
            self.end(process)
            before, done = done, self.units_done(ledger)
            self.assertGreaterEqual(done, before, "units got lost")
        self.assert_right(18, ledger)
        self.assertGreaterEqual(self.shown(ledger)["runs_killed"], 1)

    def test_a_killed_merge_leaves_its_inputs_whole(self):
        """The output of a killed merge has some lines of its inputs. Only its last line may be
        cut."""
        parts = [self.make_part(15, self.path(f"part{i}"), f"{i}/2") for i in (1, 2)]
        inputs = {line for part in parts for line in lines(part)}
        begun = time.monotonic()
        self.assertEqual(run("ledger", "merge", *parts, "-o", self.path("whole")).returncode, DONE)
        seconds = time.monotonic() - begun
        for number in range(4):
            output = self.path(str(number))
            merge = ("ledger", "merge", *parts, "--output", output)
            process = self.launch(*merge)
            time.sleep(seconds * number / 4)
            process.kill()
            self.end(process)
            if os.path.exists(output):
                whole = {line for line in lines(output) if line.endswith("\n")}
                self.assertLessEqual(whole, inputs)
                os.unlink(output)
            self.assertEqual(run(*merge).returncode, DONE)
            self.assert_complete(15, output)
