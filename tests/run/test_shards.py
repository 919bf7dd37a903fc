# SPDX-License-Identifier: MIT
"""Shards are parts of a count, which add up to the whole."""
import json

from ledgers import LedgerTest
from program import DONE, TOTALS, without_threads_note, printed, run


class Shards(LedgerTest):
    def test_notes_say_that_they_are_shards(self):
        shares = [run("12", "--shard", f"{part}/7") for part in range(1, 8)]
        for part, share in enumerate(shares, 1):
            self.assert_one_message(
                without_threads_note(share.stderr), "n = 12", f"shard {part} of 7"
            )
        self.assertEqual(sum(int(share.stdout) for share in shares), TOTALS[12])
        self.assert_answers("724\n", "10", "--shard", "1/1")

    def test_quiet(self):
        """With -q there is no note that the count is only of a shard, but JSON says so."""
        self.assert_has(
            json.loads(run("8", "--shard", "1/2", "-q", "--json").stdout), complete=False
        )

    def test_refused(self):
        self.assert_refusals("run/refused.txt")


class WithLedgers(LedgerTest):
    def test_a_list_of_those_that_are_missing(self):
        """--shard takes the list of missing shards that a ledger names. Their count completes the
        ledger, and prints the total."""
        ledger = self.path()
        result = run("13", "--shard", "2/3", "--ledger", ledger)
        self.assertEqual(result[:2], (DONE, ""))
        self.assert_one_message(
            result.stderr, "shard 2 of 3", f"{self.units_done(ledger)} of ", ledger
        )
        missing = ", ".join(self.shown(ledger)["missing"])
        self.assertEqual(missing, "1/3, 3/3")
        result = run("13", "--ledger", ledger, "--shard", missing)
        self.assertEqual(result[:2], (DONE, printed(13)))
        self.assert_one_message(result.stderr, "shard 1 of 3")
        # The ledger has all units now. The total is printed once, though the list names two shards.
        self.assertEqual(run("13", "--ledger", ledger, "--shard", missing)[:2], (DONE, printed(13)))

    def test_parts_without_units_have_ledgers_too(self):
        """Some shards are empty. They have ledgers, too, so that those of all shards can be
        merged."""
        files = [self.path(str(i)) for i in range(1, 13)]
        for i, file in enumerate(files, 1):
            code, stdout, stderr = run("6", "--shard", f"{i}/12", "--ledger", file)
            self.assertEqual(
                (code, stdout, "empty" in stderr), (DONE, "", self.units_done(file) == 0)
            )
            self.assert_one_message(stderr, f"shard {i} of 12", file)
        self.assertIn("empty", stderr)
        self.assertEqual(run("ledger", "merge", *files, "--output", self.path()).returncode, DONE)
        self.assert_right(6, self.path())
