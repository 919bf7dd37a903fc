"""Damage to a ledger's file ends in the right total or a refusal that names the file, never in a
wrong number."""
import collections
import json
import os
import random

from ledgers import MANY_UNITS, SLOW, LedgerTest, content, note, write
from program import DONE, TOTALS, run

N, PAGE = 14, 4096


def flip_bit(random, data):
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def overwrite(random, data):
    at = random.randrange(len(data))
    length = min(random.randint(1, 100), len(data) - at)
    data[at:at + length] = random.randbytes(length)


def zero_sector(random, data, size=512):
    at = random.randrange(-(-len(data) // size)) * size
    data[at:at + size] = bytes(len(data[at:at + size]))


def zero_page(random, data):
    zero_sector(random, data, PAGE)


def truncate(random, data):
    del data[random.randrange(len(data)):]


def append(random, data):
    data += random.randbytes(random.choice((1, 100, PAGE, 3 * PAGE)))


def swap_pages(random, data):
    one, other = (PAGE * i for i in random.sample(range(max(2, len(data) // PAGE)), 2))
    data[one:one + PAGE], data[other:other + PAGE] = data[other:other + PAGE], data[one:one + PAGE]


KINDS = (flip_bit, overwrite, zero_sector, zero_page, truncate, append, swap_pages)


class Damage(LedgerTest):
    def setUp(self):
        super().setUp()
        self.damaged, self.outcomes = self.path("damaged"), collections.Counter()
        self.addCleanup(lambda: note(f"{self.id()}: {dict(self.outcomes)}"))

    def check(self, ledger, journal=None, n=N):
        """`ledger show` refuses the file or shows what can be; a count resumes it to the right total, or
        refuses it. Returns whether it was resumed."""
        for command in ("ledger", "show", self.damaged, "--json"), (str(n), "--ledger", self.damaged):
            write(self.damaged, ledger)
            if journal is not None:
                write(self.damaged + "-journal", journal)
            result = run(*command)
            if result.returncode == DONE and "show" in command:
                document = json.loads(result.stdout)
                complete = document["units_done"] == document["units"]
                self.assertEqual((document["n"], result.stderr), (n, ""))
                self.assertLessEqual(int(document["solutions"]), TOTALS[n])
                self.assertEqual(document["verdict"], "verified" if complete else "unverified")
            else:
                right = self.assert_right_or_refused(n, result, self.damaged)
            if os.path.exists(self.damaged + "-journal"):
                os.unlink(self.damaged + "-journal")
        self.outcomes["right" if right else "refused"] += 1
        return right

    def test_of_a_complete_ledger(self):
        whole = content(self.make(N, self.path(), *MANY_UNITS))
        self.assertGreater(len(whole), 10 * PAGE)
        for seed in range(3):
            for kind in KINDS:
                data = bytearray(whole)
                kind(random.Random(seed), data)
                with self.subTest(kind=kind.__name__, seed=seed):
                    self.check(data)
        self.assertGreater(self.outcomes["refused"], 9)

    def test_half_written(self):
        """Some pages of a commit were written, and the journal that would undo it is lost."""
        ledger, chosen = self.make_part(N, self.path(), "1/2", *MANY_UNITS), random.Random(6)
        before = content(ledger)
        after = content(self.make(N, ledger))
        for number in range(8):
            with self.subTest(number=number):
                self.check(b"".join(chosen.choice((before, after))[at:at + PAGE] or bytes(PAGE)
                                    for at in range(0, len(after), PAGE)))

    def test_of_the_header(self):
        whole = content(self.make_part(12, self.path(), "1/2"))
        for at in range(0, 100, 7):
            with self.subTest(byte=at):
                data = bytearray(whole)
                data[at] ^= 1 << at % 8
                self.check(data, n=12)

    def test_of_a_hot_journal(self):
        """It would undo half a commit of a killed run. It is whole, lost, of another ledger, or damaged."""
        chosen, left = random.Random(4), []
        for number in range(12):
            ledger = self.path(f"killed{number}")
            if len(left) < 2 and self.kill_in_commit(ledger, chosen, "16", *MANY_UNITS, *SLOW):
                left.append((content(ledger), content(ledger + "-journal")))
        if len(left) < 2:
            self.skipTest("no two kills hit a commit")
        (ledger, journal), (other, others_journal) = left
        self.assertTrue(self.check(ledger, journal, n=16))
        for damaged in ((ledger, None), (ledger, others_journal), (other, journal)):
            self.check(*damaged, n=16)
        for number, kind in enumerate(KINDS):
            damaged = [bytearray(ledger), bytearray(journal)]
            kind(chosen, damaged[1])
            if number % 2 == 0:
                kind(chosen, damaged[0])
            with self.subTest(kind=kind.__name__):
                self.check(*damaged, n=16)
