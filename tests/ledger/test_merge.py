# SPDX-License-Identifier: MIT
"""`ledger merge` makes one ledger of several, or writes nothing."""
import json
import os

from ledgers import LedgerTest, Run, Unit, entries, falsify_unit, rewrite, units
from program import DONE, SYSTEM, TOTALS, USAGE, WRONG, content, run, write


class Merge(LedgerTest):
    def setUp(self):
        super().setUp()
        self.output = self.path("merged")

    def part(self, shard, *options):
        """Makes a ledger of a shard. Returns its path."""
        return self.make_part(13, self.path(shard.replace("/", "of")), shard, *options)

    def merge(self, *files, code=DONE):
        """Merges ledgers into self.output. Returns the document that the merge prints, which
        `ledger show` prints as well."""
        # A merge may overwrite an empty file, which a killed merge can leave.
        write(self.output, b"")
        result = run("ledger", "merge", *files, "--output", self.output, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        document = json.loads(result.stdout)
        if code == DONE:
            self.assertEqual((result.stderr, document), ("", self.shown(self.output)))
        return document

    def test_all_or_some_parts_are_merged(self):
        """The ledgers of all shards or of some can be merged. They may have units in common, if
        the results are the same, and their kernels may differ."""
        parts = [self.part(f"{i}/3") for i in (1, 2, 3)]
        before = [content(part) for part in parts]
        self.assert_has(self.merge(*parts), solutions=str(TOTALS[13]), verdict="verified", runs=3)
        self.assert_right(13, self.output)
        self.assertEqual([content(part) for part in parts], before)
        done = sum(self.units_done(part) for part in parts[:2])
        self.assert_has(self.merge(*parts[:2]), units_done=str(done))
        self.assert_right(13, self.output)
        self.merge(self.part("1/2", "--kernel", "scalar64"), parts[1], self.part("2/2"))
        self.assert_complete(13, self.output)

    def assert_missing(self, *shards):
        """Asserts that `ledger show` names these shards as missing, in the form that --shard takes.
        Then counts them, and asserts that the merged ledger is complete."""
        self.assertEqual(self.shown(self.output)["missing"], list(shards))
        self.assertIn(
            f"\nmissing:              {','.join(shards)}\n",
            run("ledger", "show", self.output).stdout,
        )
        for shard in shards:
            run("13", "--ledger", self.output, "--shard", shard)
        self.assert_complete(13, self.output)
        self.assertEqual(self.shown(self.output)["missing"], [])

    def test_missing_parts_are_named(self):
        """`ledger show` names the shards that lack units. If runs were made for shards of different
        numbers K, it names shards of the largest K."""
        parts = [self.part(f"{i}/7") for i in (1, 2, 4, 7)]
        self.merge(*parts)
        self.assert_missing("3/7", "5/7", "6/7")
        last = units(parts[2])[-1].id
        rewrite(parts[2], lambda unit: unit if unit.id != last else None)
        self.merge(*parts, self.part("3/7"), self.part("6/7"))
        self.assert_missing("4/7", "5/7")
        self.merge(self.part("1/3"), self.part("1/2"), self.part("1/4"))
        self.assert_missing("2/4", "3/4")

    def test_the_first_missing_parts_are_named(self):
        """Text names 20 shards, and JSON names more."""
        document = self.merge(self.part("1/1000000"))
        left = [f"{shard}/1000000" for shard in range(2, int(document["units"]) + 1)]
        self.assertEqual(document["missing"], left)
        self.assertIn(
            f"\nmissing:              {','.join(left[:20])} and {len(left) - 20} more\n",
            run("ledger", "show", self.output).stdout,
        )

    def test_a_ledger_that_was_never_a_part_names_none(self):
        """If no run was of a shard, `ledger show` can only say how many units are missing."""
        ledger = self.make(13, self.path())
        rewrite(ledger, lambda unit: unit if unit.id != 0 else None)
        self.assertIsNone(self.shown(ledger)["missing"])
        self.assertIn("\nmissing:              1 unit\n", run("ledger", "show", ledger).stdout)

    def test_the_later_state_of_a_run_is_taken(self):
        """If two ledgers have the same run, its later state is taken. If no ledger has the end of a
        run, the run was killed."""
        early, late = self.part("1/2"), self.path("late")
        write(late, content(early))
        rewrite(early, lambda entry: entry._replace(nanoseconds=10**9, state="open"), Run)
        rewrite(late, lambda entry: entry._replace(nanoseconds=3 * 10**9), Run)
        for files, killed, seconds in (
            ([early, late], 0, 3),
            ([late, early], 0, 3),
            ([early], 1, 1),
        ):
            self.assert_has(
                self.merge(*files), runs=1, runs_open=0, runs_killed=killed, seconds=seconds
            )

    def assert_not_merged(self, code, files, *named):
        """Asserts that the merge fails with this exit code and a message that contains these texts,
        and leaves no file."""
        before = sorted(os.listdir(self.folder))
        self.assert_fails(code, run("ledger", "merge", *files, "-o", self.output), *named)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_ledgers_that_disagree_are_not_merged(self):
        """If two ledgers have different solutions or work for a unit, the message names the unit
        and both lines, and says what they have."""
        whole, other = self.make(13, self.path()), self.path("other")
        for changes in ({"solutions": -1}, {"solutions": 0, "work": 1}):
            write(other, content(whole))
            unit = falsify_unit(other, place=77, **changes)
            told = {file: self.told_of(file, unit) for file in (whole, other)}
            for first, second in ((whole, other), (other, whole)):
                message = f"unit {unit}: {told[first]}; {told[second]}"
                self.assert_not_merged(WRONG, [first, second], message)

    def told_of(self, file, unit):
        """Returns what a message says of the line with this unit."""
        for number, entry in enumerate(entries(file), 1):
            if isinstance(entry, Unit) and entry.id == unit:
                result = f"{entry.solutions} solutions, work {entry.work}"
                return f"'{file}', line {number}, has {result}"
        raise AssertionError(f"{file} lacks unit {unit}")

    def test_a_wrong_number_that_nobody_contradicts_makes_the_total_wrong(self):
        """The ledgers are merged, and the total of the new ledger is wrong."""
        falsify_unit(self.part("1/2"))
        self.assert_has(
            self.merge(self.path("1of2"), self.part("2/2"), code=WRONG), verdict="wrong"
        )

    def test_what_cannot_be_merged_is_refused(self):
        """Ledgers of other counts and files that are no ledgers are refused, and so is an output
        that exists."""
        one, two = self.part("1/2"), self.part("2/2")
        for n, options in ((12, ()), (13, ("--method", "search"))):
            other = self.make_part(n, self.path(str(n)), "1/2", *options)
            self.assert_not_merged(USAGE, [one, other], one, other)
        self.assert_not_merged(SYSTEM, [one, self.path("none")], self.path("none"), "No such file")
        self.assert_not_merged(SYSTEM, [one, self.output], self.output, "No such file")
        write(self.path("notes"), "notes\n")
        self.assert_not_merged(
            SYSTEM, [one, self.path("notes")], self.path("notes"), "not a ledger"
        )
        before = content(two)
        self.output = two
        for files in ([one], [one, two]):
            self.assert_not_merged(SYSTEM, files, two, "already")
        self.assertEqual(content(two), before)
        self.output = self.path("new/")
        self.assert_not_merged(SYSTEM, [one], "new/", "Is a directory")
