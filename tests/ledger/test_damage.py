# SPDX-License-Identifier: MIT
"""Damage to a ledger's file ends in the right total or a refusal that names the file, never in a
wrong number. Random calls damage small ledgers, too: tests/fuzz"""
import json
import os

from ledgers import UNSEEN, LedgerTest, opened
from program import DONE, TOTALS, content, run, write

N, PAGE = 15, 4096


class Damage(LedgerTest):
    def check(self, ledger, journal=None):
        """`ledger show` refuses the file or shows what can be; a count resumes it to the right total, or
        refuses it. Returns whether neither did."""
        damaged, right = self.path("damaged"), True
        for command in ("ledger", "show", damaged, "--json"), (str(N), "--ledger", damaged, *UNSEEN):
            write(damaged, ledger)
            if journal is not None:
                write(damaged + "-journal", journal)
            result = run(*command)
            if "show" not in command or result.returncode != DONE:
                right &= self.assert_right_or_refused(N, result, damaged)
            else:
                shown = json.loads(result.stdout)
                complete = shown["units_done"] == shown["units"]
                self.assertEqual(result.stderr, "")
                self.assert_has(shown, n=N, verdict="verified" if complete else "unverified")
                self.assertLessEqual(int(shown["solutions"]), TOTALS[N])
            if os.path.exists(damaged + "-journal"):
                os.unlink(damaged + "-journal")
        return right

    def test_of_each_page(self):
        """It is zeroed, or as it was before a commit whose journal is lost."""
        ledger = self.make_part(N, self.path(), "1/2")
        before = content(ledger)
        after = content(self.make(N, ledger))
        pages = range(0, len(after), PAGE)
        self.assertGreater(len(pages), 10)
        right = [self.check(after[:at] + (page or bytes(PAGE)) + after[at + PAGE:])
                 for at in pages for page in (bytes(PAGE), before[at:at + PAGE])]
        self.assertGreater(right.count(False), len(pages) / 2)

    def amid_a_commit(self, name):
        """A ledger of which a half is counted, and its journal, half way through a commit: SQLite writes pages
        for which its cache has no room."""
        ledger = self.make_part(N, self.path(name), "1/2")
        with opened(ledger) as database:
            # The journal of a commit has the first page, too.
            database.executescript("PRAGMA cache_size = 1; BEGIN; PRAGMA user_version = 1; UPDATE unit SET time = 1")
            return content(ledger), content(ledger + "-journal")

    def test_of_a_hot_journal(self):
        """It would undo half a commit. It is whole, lost, cut off, damaged, or of another ledger."""
        (ledger, journal), (other, others_journal) = map(self.amid_a_commit, ("one", "other"))
        self.assertTrue(self.check(ledger, journal))
        self.assertFalse(self.check(ledger))
        for damaged in (journal[:len(journal) // 2], journal[:PAGE] + bytes(PAGE) + journal[2 * PAGE:], others_journal):
            self.check(ledger, damaged)
        self.check(other, journal)

    def test_of_another_states_journal(self):
        """It would mix an earlier or a later copy, or cut it off: neither file changes."""
        begun = content(self.make_part(N, self.path("one"), "1/4"))
        journal = self.amid_a_commit("one")[1]
        complete, beside = content(self.make(N, self.path("one"))), self.path("one-journal")
        first = journal[:8] + bytes(12) + journal[20:512]  # of a transaction that made the file
        for ledger, left in ((begun, journal), (complete, journal), (complete, first)):
            write(self.path("one"), ledger)
            write(beside, left)
            self.assert_refused_by_all(N, self.path("one"), f"'{beside}' was left by another state")
            self.assertEqual(content(beside), left)
