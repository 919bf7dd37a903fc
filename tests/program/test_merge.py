"""`ledger merge` makes one ledger of several, or writes nothing."""
import os

from ledger_rows import falsify_unit
from ledgers import MANY_UNITS, LedgerTest, content
from program import DONE, SYSTEM, TOTALS, USAGE, WRONG, run


class Merge(LedgerTest):
    def setUp(self):
        super().setUp()
        self.output = self.path("merged")

    def part(self, shard, *options, n=13):
        return self.make_part(n, self.path(shard.replace("/", "of")), shard, *options)

    def merge(self, *files, options=()):
        result = run("ledger", "merge", *files, "--output", self.output, *options)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return result.stdout

    def assert_not_merged(self, code, files, *named):
        """The merge fails and leaves no file."""
        before = sorted(os.listdir(self.folder))
        self.assert_fails(code, run("ledger", "merge", *files, "-o", self.output), *named)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_all_parts(self):
        parts = [self.part(f"{i}/3") for i in (1, 2, 3)]
        before = [content(part) for part in parts]
        text = self.merge(*parts)
        self.assertIn(f"{TOTALS[13]} (verified)", text)
        self.assertIn("3 runs", text)
        self.assert_complete(13, self.output)
        self.assert_right(13, self.output)
        self.assertEqual([content(part) for part in parts], before)

    def test_some_parts(self):
        done = [int(self.shown(self.part(f"{i}/3"))["units_done"]) for i in (1, 3)]
        self.assertIn("so far", self.merge(self.path("1of3"), self.path("3of3")))
        self.assertEqual(int(self.shown(self.output)["units_done"]), sum(done))
        self.assert_right(13, self.output)

    def test_overlapping(self):
        """Ledgers of other kernels and shards may overlap if they agree."""
        self.merge(self.part("1/2", "--kernel", "scalar64"), self.part("2/3"), self.part("2/2"))
        self.assert_complete(13, self.output)

    def test_an_earlier_copy(self):
        """The time of a unit is not added twice."""
        ledger = self.part("1/2")
        copy = self.path("copy")
        with open(copy, "wb") as file:
            file.write(content(ledger))
        self.make(13, ledger)
        self.merge(copy, ledger)
        self.assertEqual(self.shown(self.output)["seconds"], self.shown(ledger)["seconds"])
        self.assertEqual(self.shown(self.output)["runs"], 2)

    def test_output_is_there(self):
        part, other = self.part("1/2"), self.part("2/2")
        self.output = other
        before = content(other)
        self.assert_not_merged(SYSTEM, [part], other, "already")
        self.assert_not_merged(SYSTEM, [part, other], other, "already")
        self.assertEqual(content(other), before)

    def test_disagreement(self):
        """Ledgers disagree on solutions or nodes: the message names the unit and both files."""
        whole = self.make(13, self.path(), *MANY_UNITS)
        for number, changes in enumerate(({"solutions": 1}, {"solutions": -1}, {"work": 1})):
            with self.subTest(changes=changes):
                other = self.make(13, self.path(str(number)), *MANY_UNITS)
                unit = falsify_unit(other, place=77, **changes)
                for files in ([whole, other], [other, whole]):
                    self.assert_not_merged(WRONG, files, f"unit {unit}:", whole, other)

    def test_a_wrong_number_that_nobody_contradicts(self):
        """The merge is written, and its total is wrong."""
        part = self.part("1/2")
        falsify_unit(part)
        result = run("ledger", "merge", part, self.part("2/2"), "--output", self.output)
        self.assertEqual(result.returncode, WRONG)
        self.assertIn("WRONG", result.stdout)
        self.assert_one_message(result.stderr, str(TOTALS[13]))

    def test_other_jobs(self):
        one = self.part("1/2", *MANY_UNITS)
        for name, n, options in (("n", 12, MANY_UNITS), ("plan", 13, ("--plan", "cross")),
                                 ("depth", 13, ("--plan", "rows", "--depth", "2"))):
            with self.subTest(other=name):
                other = self.make_part(n, self.path(name), "1/2", *options)
                self.assert_not_merged(USAGE, [one, other], one, other)

    def test_damaged_input(self):
        parts = [self.part("1/2"), self.part("2/2")]
        damaged = bytearray(content(parts[1]))
        damaged[len(damaged) - 200] ^= 1
        with open(parts[1], "wb") as file:
            file.write(damaged)
        self.assert_not_merged(SYSTEM, parts, parts[1], "damaged")
