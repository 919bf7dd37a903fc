# SPDX-License-Identifier: MIT
"""Damage to a ledger's file ends in the right total or a refusal that names the file, never in a
wrong number."""
import json
import os
import random

from ledgers import UNSEEN, LedgerTest, opened
from program import DONE, TOTALS, content, run, write

N, PAGE = 15, 4096


def flip_bit(random, data):
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def overwrite(random, data):
    at = random.randrange(len(data))
    length = min(random.randint(1, 100), len(data) - at)
    data[at:at + length] = random.randbytes(length)


def zero(random, data):
    """A sector or a page."""
    size = random.choice((512, PAGE))
    at = random.randrange(-(-len(data) // size)) * size
    data[at:at + size] = bytes(len(data[at:at + size]))


def truncate(random, data):
    del data[random.randrange(len(data)):]


def append(random, data):
    data += random.randbytes(random.choice((1, PAGE)))


def swap_pages(random, data):
    one, other = (PAGE * i for i in random.sample(range(max(2, len(data) // PAGE)), 2))
    data[one:one + PAGE], data[other:other + PAGE] = data[other:other + PAGE], data[one:one + PAGE]


KINDS = (flip_bit, overwrite, zero, truncate, append, swap_pages)


class Damage(LedgerTest):
    def check(self, ledger, journal=None):
        """`ledger show` refuses the file or shows what can be; a count resumes it to the right total, or
        refuses it. Returns whether it was resumed."""
        damaged = self.path("damaged")
        for command in ("ledger", "show", damaged, "--json"), (str(N), "--ledger", damaged, *UNSEEN):
            write(damaged, ledger)
            if journal is not None:
                write(damaged + "-journal", journal)
            result = run(*command)
            if result.returncode == DONE and "show" in command:
                shown = json.loads(result.stdout)
                complete = shown["units_done"] == shown["units"]
                self.assertEqual(result.stderr, "")
                self.assert_has(shown, n=N, verdict="verified" if complete else "unverified")
                self.assertLessEqual(int(shown["solutions"]), TOTALS[N])
            else:
                right = self.assert_right_or_refused(N, result, damaged)
            if os.path.exists(damaged + "-journal"):
                os.unlink(damaged + "-journal")
        return right

    def test_of_a_complete_ledger(self):
        whole = content(self.make(N, self.path()))
        self.assertGreater(len(whole), 10 * PAGE)
        right = []
        for seed in range(3):
            for kind in KINDS:
                data = bytearray(whole)
                kind(random.Random(seed), data)
                right.append(self.check(data))
        self.assertGreater(right.count(False), 7)

    def test_half_written(self):
        """Some pages of a commit were written, and the journal that would undo it is lost."""
        ledger, chosen = self.make_part(N, self.path(), "1/2"), random.Random(6)
        before = content(ledger)
        after = content(self.make(N, ledger))
        for _ in range(8):
            self.check(b"".join(chosen.choice((before, after))[at:at + PAGE] or bytes(PAGE)
                                for at in range(0, len(after), PAGE)))

    def amid_a_commit(self, name):
        """A ledger of which a half is counted, and its journal, half way through a commit: SQLite writes pages
        for which its cache has no room."""
        ledger = self.make_part(N, self.path(name), "1/2")
        with opened(ledger) as database:
            # The journal of a commit has the first page, too.
            database.executescript("PRAGMA cache_size = 1; BEGIN; PRAGMA user_version = 1; UPDATE unit SET time = 1")
            return content(ledger), content(ledger + "-journal")

    def test_of_a_hot_journal(self):
        """It would undo half a commit. It is whole, lost, of another ledger, or damaged."""
        chosen = random.Random(4)
        (ledger, journal), (other, others_journal) = map(self.amid_a_commit, ("one", "other"))
        self.assertTrue(self.check(ledger, journal))
        self.assertFalse(self.check(ledger))
        for damaged in ((ledger, others_journal), (other, journal)):
            self.check(*damaged)
        for number, kind in enumerate(KINDS):
            damaged = [bytearray(ledger), bytearray(journal)]
            kind(chosen, damaged[1])
            if number % 2 == 0:
                kind(chosen, damaged[0])
            self.check(*damaged)

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
