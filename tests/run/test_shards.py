# SPDX-License-Identifier: MIT
"""Shards: parts of a count, which add up to the whole."""
import json

from ledgers import LedgerTest
from program import DONE, TOTALS, beside_turns, printed, run


class Shards(LedgerTest):
    def share(self, n, shard):
        """Counts a shard, checks the note that it is one, and returns its part of the total."""
        result = run(str(n), "--shard", shard)
        self.assertEqual(result.returncode, DONE)
        part, parts = shard.split("/")
        if n > 3:  # else one part may have all units
            self.assert_one_message(beside_turns(result.stderr), f"n = {n}", f"shard {part} of {parts}")
        return int(result.stdout)

    def test_add_up(self):
        for n, parts in ((14, 3), (12, 7), (1, 2), (0, 2), (5, 12)):
            shares = [self.share(n, f"{i}/{parts}") for i in range(1, parts + 1)]
            self.assertEqual(sum(shares), TOTALS[n], shares)
            if n > 5:
                self.assertLess(max(shares), TOTALS[n])
        self.assert_answers("724\n", "10", "--shard", "1/1")

    def test_quiet(self):
        """Without its note a part would look like a count: JSON tells, a ledger keeps it off stdout."""
        self.assert_has(json.loads(run("8", "--shard", "1/2", "-q", "--json").stdout), complete=False)

    def test_refused(self):
        self.assert_refusals("run/refused.txt")


class WithLedgers(LedgerTest):
    def test_in_one_ledger_one_after_the_other(self):
        """Only the last shard prints something on stdout: the total."""
        done = 0
        for shard in ("2/3", "3/3"):
            result = run("13", "--shard", shard, "--ledger", self.path())
            self.assertEqual(result[:2], (DONE, ""))
            before, done = done, self.units_done(self.path())
            self.assertGreater(done, before)
            self.assert_one_message(result.stderr, f"shard {shard[0]} of 3", f"{done} of ", self.path())
        self.assert_right(13, self.path(), "--shard", "1/3")

    def test_a_list_of_those_that_are_missing(self):
        """Of any numbers of parts, as a ledger names them; the last one completes it."""
        ledger = self.make_part(13, self.path(), "2/3")
        missing = ", ".join(self.shown(ledger)["missing"])
        self.assertEqual(missing, "1/3, 3/3")
        result = run("13", "--ledger", ledger, "--shard", missing)
        self.assertEqual(result[:2], (DONE, printed(13)))
        self.assert_one_message(result.stderr, "shard 1 of 3")
        self.assertEqual(run("13", "--ledger", ledger, "--shard", missing)[:2], (DONE, printed(13)))  # once

    def test_more_parts_than_units(self):
        """Some parts are empty. These have ledgers, too, so that all parts can be merged."""
        files = [self.path(str(i)) for i in range(1, 13)]
        for i, file in enumerate(files, 1):
            code, stdout, stderr = run("6", "--shard", f"{i}/12", "--ledger", file)
            self.assertEqual((code, stdout, "empty" in stderr), (DONE, "", self.units_done(file) == 0))
            self.assert_one_message(stderr, f"shard {i} of 12", file)
        self.assertIn("empty", stderr)
        self.assertEqual(run("ledger", "merge", *files, "--output", self.path()).returncode, DONE)
        self.assert_right(6, self.path())
