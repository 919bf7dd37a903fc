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
        return self.make_part(13, self.path(shard.replace("/", "of")), shard, *options)

    def merge(self, *files, code=DONE):
        """The document of the merge, which is that of `ledger show`, too."""
        write(self.output, b"")  # what a killed merge leaves is no output yet
        result = run("ledger", "merge", *files, "--output", self.output, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        document = json.loads(result.stdout)
        if code == DONE:
            self.assertEqual((result.stderr, document), ("", self.shown(self.output)))
        return document

    def test_parts(self):
        """All or some; they may overlap if they agree, and be of other kernels."""
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
        """They are named, as --shard takes them, and complete the ledger."""
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
        """Those of which units are missing; of several numbers of parts the greatest is taken."""
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
        document = self.merge(self.part("1/1000000"))
        left = [f"{shard}/1000000" for shard in range(2, int(document["units"]) + 1)]
        self.assertEqual(document["missing"], left)
        self.assertIn(
            f"\nmissing:              {','.join(left[:20])} and {len(left) - 20} more\n",
            run("ledger", "show", self.output).stdout,
        )

    def test_a_ledger_that_was_never_a_part_names_none(self):
        ledger = self.make(13, self.path())
        rewrite(ledger, lambda unit: unit if unit.id != 0 else None)
        self.assertIsNone(self.shown(ledger)["missing"])
        self.assertIn("\nmissing:              1 unit\n", run("ledger", "show", ledger).stdout)

    def test_runs(self):
        """Of a run in two ledgers the later state is taken. One whose end no ledger has was killed."""
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
        """The merge fails and leaves no file."""
        before = sorted(os.listdir(self.folder))
        self.assert_fails(code, run("ledger", "merge", *files, "-o", self.output), *named)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_disagreement(self):
        """On solutions or nodes: the message names the unit, both lines, and what they say."""
        whole, other = self.make(13, self.path()), self.path("other")
        for changes in ({"solutions": -1}, {"solutions": 0, "work": 1}):
            write(other, content(whole))
            unit = falsify_unit(other, place=77, **changes)
            for files in ([whole, other], [other, whole]):
                said = [
                    f"'{file}', line {place}, has {entry.solutions} solutions, "
                    f"work {entry.work}"
                    for file in files
                    for place, entry in enumerate(entries(file), 1)
                    if isinstance(entry, Unit) and entry.id == unit
                ]
                self.assert_not_merged(WRONG, files, f"unit {unit}: {said[0]}; {said[1]}")

    def test_a_wrong_number_that_nobody_contradicts(self):
        """The merge is written, and its total is wrong."""
        falsify_unit(self.part("1/2"))
        self.assert_has(
            self.merge(self.path("1of2"), self.part("2/2"), code=WRONG), verdict="wrong"
        )

    def test_not_merged(self):
        """Other jobs, files that are no ledgers, and an output that is there."""
        one, two = self.part("1/2"), self.part("2/2")
        for n, options in ((12, ()), (13, ("--method", "search"))):
            other = self.make_part(n, self.path(str(n)), "1/2", *options)
            self.assert_not_merged(USAGE, [one, other], one, other)
        self.assert_not_merged(SYSTEM, [one, self.path("none")], self.path("none"), "No such file")
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
