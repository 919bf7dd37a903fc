"""Damage to a ledger's file ends in the right total or a refusal that names the file, never in a
wrong number."""
import collections
import json
import os
import random

from ledgers import MANY_UNITS, SLOW, LedgerTest, content, note, write
from program import DONE, SYSTEM, TOTALS, run

PAGE = 4096


def flip_bit(random, data):
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def overwrite(random, data):
    at = random.randrange(len(data))
    length = min(random.randint(1, 100), len(data) - at)
    data[at:at + length] = random.randbytes(length)


def zero_block(random, data, size):
    at = random.randrange(-(-len(data) // size)) * size
    data[at:at + size] = bytes(len(data[at:at + size]))


def zero_sector(random, data):
    zero_block(random, data, 512)


def zero_page(random, data):
    zero_block(random, data, PAGE)


def truncate(random, data):
    del data[random.randrange(len(data)):]


def append(random, data):
    data += random.randbytes(random.choice((1, 100, PAGE, 3 * PAGE)))


def swap_pages(random, data):
    one, other = (PAGE * i for i in random.sample(range(max(2, len(data) // PAGE)), 2))
    data[one:one + PAGE], data[other:other + PAGE] = data[other:other + PAGE], data[one:one + PAGE]


KINDS = (flip_bit, overwrite, zero_sector, zero_page, truncate, append, swap_pages)


class DamageTest(LedgerTest):
    def setUp(self):
        super().setUp()
        self.outcomes = collections.Counter()

    def remember(self, kind, outcome):
        self.outcomes[kind] += 1
        self.outcomes[kind, outcome] += 1

    def summarize(self, what):
        for kind in [kind for kind in self.outcomes if isinstance(kind, str)]:
            ends = ", ".join(f"{number} {end[1]}" for end, number in self.outcomes.items()
                             if isinstance(end, tuple) and end[0] == kind)
            note(f"{what}: {kind}: {self.outcomes[kind]} tries: {ends}")

    def check_show(self, n, ledger):
        """`ledger show` refuses the file, or its figures are plausible."""
        result = run("ledger", "show", ledger, "--json")
        if result.returncode != DONE:
            self.assert_fails(SYSTEM, result, ledger)
            return
        self.assertEqual(result.stderr, "")
        document = json.loads(result.stdout)
        self.assertEqual(document["n"], n)
        self.assertLessEqual(int(document["solutions"]), TOTALS[n])
        complete = document["units_done"] == document["units"]
        self.assertEqual(document["verdict"], "verified" if complete else "unverified")

    def check_resume(self, n, ledger):
        """Resumes the count. Returns "right" or "refused"."""
        result = run(str(n), "--ledger", ledger)
        if not self.assert_right_or_refused(n, result, ledger):
            return "refused"
        self.assert_complete(n, ledger)
        return "right"

    def try_each(self, n, whole, tries, seed, kinds=KINDS):
        ledger, chosen = self.path("damaged"), random.Random(seed)
        for number in range(tries):
            kind = kinds[number % len(kinds)]
            data = bytearray(content(whole))
            kind(chosen, data)
            write(ledger, data)
            with self.subTest(kind=kind.__name__, seed=seed, number=number):
                self.check_show(n, ledger)
                self.remember(kind.__name__, self.check_resume(n, ledger))
            for name in (ledger, ledger + "-journal"):
                if os.path.exists(name):
                    os.unlink(name)


class Damage(DamageTest):
    def test_of_a_complete_ledger(self):
        whole = self.make(16, self.path(), *MANY_UNITS)
        self.assertGreater(os.path.getsize(whole), 15 * PAGE)
        self.try_each(16, whole, 56, seed=1)
        self.summarize("complete ledger")
        self.assertGreater(self.outcomes["flip_bit", "refused"], 2)

    def test_of_a_ledger_half_done(self):
        half = self.make_part(16, self.path(), "1/2", *MANY_UNITS)
        self.try_each(16, half, 28, seed=2)
        self.summarize("half-done ledger")

    def test_of_a_ledger_whose_writer_was_killed(self):
        ledger = self.path()
        process = self.launch("16", "--ledger", ledger, *MANY_UNITS, *SLOW)
        self.wait_for_units(ledger, process, 400)
        process.kill()
        self.end(process)
        self.check_show(16, ledger)  # it rolls back a hot journal
        self.try_each(16, ledger, 14, seed=3)
        self.summarize("killed writer's ledger")

    def test_half_written(self):
        """Some pages of a commit were written, and the journal that would undo it is lost."""
        ledger = self.make_part(14, self.path(), "1/2", *MANY_UNITS)
        before = content(ledger)
        after = content(self.make(14, ledger))
        chosen = random.Random(6)
        for number in range(20):
            pages = (chosen.choice((before, after))[at:at + PAGE] or bytes(PAGE)
                     for at in range(0, len(after), PAGE))
            write(ledger, b"".join(pages))
            with self.subTest(seed=6, number=number):
                self.check_show(14, ledger)
                self.remember("pages", self.check_resume(14, ledger))
        self.summarize("half-written commit")

    def test_of_the_header(self):
        """One bit in every third byte of the header is flipped."""
        whole, ledger = self.make_part(12, self.path(), "1/2"), self.path("damaged")
        for at in range(0, 100, 3):
            data = bytearray(content(whole))
            data[at] ^= 1 << at % 8
            write(ledger, data)
            with self.subTest(byte=at):
                self.check_show(12, ledger)
                self.remember("one bit", self.check_resume(12, ledger))
        self.summarize("header")


class Journal(DamageTest):
    """A killed run left a journal, which undoes half a commit and may be damaged itself."""

    N = 16

    def setUp(self):
        super().setUp()
        self.ledger, self.journal = self.path("damaged"), self.path("damaged-journal")

    def kill(self, chosen):
        """Returns the ledger and the hot journal that a killed run left."""
        for number in range(12):
            ledger = self.path(f"killed{number}")
            if self.kill_in_commit(ledger, chosen, str(self.N), *MANY_UNITS, *SLOW):
                return content(ledger), content(ledger + "-journal")
        self.skipTest("no kill hit a commit")

    def check(self, kind, ledger, journal):
        write(self.ledger, ledger)
        if journal is None:
            os.unlink(self.journal) if os.path.exists(self.journal) else None
        else:
            write(self.journal, journal)
        self.check_show(self.N, self.ledger)
        write(self.ledger, ledger)
        if journal is not None:
            write(self.journal, journal)
        self.remember(kind, self.check_resume(self.N, self.ledger))

    def test_damaged(self):
        """The journal is damaged, alone or with the ledger; lost; or that of another ledger."""
        chosen, before = random.Random(4), (b"", b"")
        for killed in range(2):
            ledger, journal = self.kill(chosen)
            with self.subTest(killed=killed):
                self.check("whole journal", ledger, journal)
                self.assertEqual(self.outcomes["whole journal", "right"], killed + 1)
                self.check("lost journal", ledger, None)
                self.check("another ledger's journal", before[0], journal)
                self.check("another ledger's journal", ledger, before[1])
            before = (ledger, journal)
            for number, kind in enumerate(KINDS):
                damaged = [bytearray(ledger), bytearray(journal)]
                kind(chosen, damaged[1])
                if number % 2 == 0:
                    kind(chosen, damaged[0])
                with self.subTest(killed=killed, kind=kind.__name__, number=number, seed=4):
                    self.check(kind.__name__, *damaged)
        self.summarize("hot journal")
