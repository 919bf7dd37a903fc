# SPDX-License-Identifier: MIT
"""Lines with right hashes and false content. That they are believed shows that hashes follow the
documentation."""
import os
import shutil

from ledgers import LedgerTest, Run, Unit, entries, falsify_unit, line_of, rewrite
from program import DONE, SYSTEM, WRONG, run


class Falsified(LedgerTest):
    def setUp(self):
        super().setUp()
        self.half = self.make_part(12, self.path("half"), "1/2", "--method", "search")

    def fresh(self, change=None, kinds=Unit):
        """A copy of the half ledger, whose entries of these kinds are changed."""
        ledger = shutil.copy(self.half, self.path())
        if change is not None:
            rewrite(ledger, change, kinds)
        return ledger

    def test_wrong_numbers(self):
        for more in (1, -1, 1 << 40):
            ledger = self.fresh()
            falsify_unit(ledger, place=-1, solutions=more)
            for options in ([], ["--json"]):  # the first completes the ledger
                self.assert_fails(WRONG, run("12", "--ledger", ledger, *options), "n = 12", "14200")
            result = run("ledger", "show", ledger)
            self.assertEqual(result.returncode, WRONG)
            self.assertRegex(result.stdout, r"\nverdict: +wrong\n")
            self.assert_one_message(result.stderr, "n = 12", "14200")

    def test_units_of_another_version(self):
        """Of another number or method; and of this version's number, but not as many."""
        for changes in ({"version": 1 << 20}, {"method": "join"}):
            self.fresh(lambda entry: entry._replace(**changes), kinds=(Unit, Run))
            self.assert_refused_by_all(12, self.path(), "made by another version of nqueens")
        ledger = self.fresh(lambda entry: entry._replace(units=entry.units + 1), kinds=(Unit, Run))
        for command in (["12", "--ledger"], ["ledger", "show"], ["ledger", "audit"]):
            self.assert_fails(SYSTEM, run(*command, ledger), ledger, "another version")

    def test_units_and_jobs_that_make_no_sense_are_left_out(self):
        """The lines of all others remain."""
        first = next(entry for entry in entries(self.half) if isinstance(entry, Unit))
        wrong = (
            {"id": first.units},
            {"id": -1},
            {"id": 1 << 64},
            {"n": 29},
            {"solutions": -1},
            {"units": 1 << 40},
            {"kernel": ""},
        )
        for number, changes in enumerate(wrong):
            ledger = shutil.copy(self.half, self.path(str(number)))
            rewrite(ledger, lambda entry: entry._replace(**changes) if entry == first else entry)
        shown = self.all_shown(self.half, *map(self.path, map(str, range(len(wrong)))))
        self.assertEqual(
            {(int(one["lines_damaged"]), int(one["units_done"])) for one in shown[1:]},
            {(1, int(shown[0]["units_done"]) - 1)},
        )

    def test_a_clock_that_goes_back(self):
        """No time that is written is below zero, wherever the clock does it."""
        for looks in range(1, 40, 6):
            ledger = self.path(str(looks))
            result = run(
                "10",
                "--ledger",
                ledger,
                program=os.environ["NQUEENS_FAULTY"],
                env={"CLOCK_FAULT": str(looks)},
            )
            self.assertEqual((result.returncode, result.stdout), (DONE, "724\n"), result.stderr)
            longest = max(entry.nanoseconds for entry in entries(ledger))
            self.assertLess(longest, 3600 * 10**9, looks)

    def test_sums_beyond_64_bits(self):
        """There is no such number of solutions."""
        ledger = self.fresh(lambda unit: unit._replace(solutions=(1 << 63) - 1))
        self.assert_fails(WRONG, run("ledger", "show", ledger), ledger, "too large")
        self.fresh(lambda unit: unit._replace(solutions=0))
        falsify_unit(ledger, solutions=(1 << 63) - 1)  # each counts twice
        self.assert_has(self.shown(ledger), solutions=str((1 << 64) - 2))
        self.assert_fails(WRONG, run("12", "--ledger", ledger), "n = 12", "too large")

    def test_a_unit_twice(self):
        """With the same result it counts once; with another one both lines are named."""
        ledger = self.fresh()
        before = self.shown(ledger)
        first, last = entries(ledger)[1], len(entries(ledger)) + 1
        with open(ledger, "a") as file:
            file.write(line_of(first._replace(kernel="other", host="elsewhere")))
        same = {key: before[key] for key in ("units_done", "solutions", "digest")}
        self.assert_has(self.shown(ledger), **same)
        for changes in ({"solutions": first.solutions + 1}, {"work": first.work + 1}):
            ledger = self.fresh()
            with open(ledger, "a") as file:
                file.write(line_of(first._replace(**changes)))
            for command in (
                ["12", "--ledger"],
                ["ledger", "audit"],
                ["ledger", "merge", "-o", self.path("merged")],
            ):
                self.assert_fails(
                    WRONG,
                    run(*command, ledger),
                    f"unit {first.id}: '{ledger}', line 2, has ",
                    f"; '{ledger}', line {last}, has ",
                )
            self.assertFalse(os.path.exists(self.path("merged")))

    def test_lines_that_are_gone_are_counted_again(self):
        for kind in (Unit, Run):
            ledger = self.make(12, self.path(kind.__name__))
            rewrite(ledger, lambda entry: None, kind)
            self.assert_right(12, ledger)
