# SPDX-License-Identifier: MIT
"""Ledgers whose lines have right hashes and false content. The program believes these lines, which
shows that hashes are computed as docs/ledger-format.md says."""
import os
import shutil

from ledgers import LedgerTest, Run, Unit, entries, falsify_unit, line_of, rewrite
from program import DONE, SYSTEM, WRONG, run

FAULTY = os.environ["NQUEENS_FAULTY"]  # its clock goes back: see tests/helpers/faulty_clock.c
HOUR = 3600 * 10**9  # in nanoseconds


def append(ledger, entry):
    """Appends a line with these fields to the ledger."""
    with open(ledger, "a", encoding="ascii") as file:
        file.write(line_of(entry))


class Falsified(LedgerTest):
    def setUp(self):
        super().setUp()
        self.half = self.make_part(12, self.path("half"), "1/2", "--method", "search")

    def fresh(self, change=None, kinds=Unit):
        """Makes a copy of the ledger of half a count. change: a function that `rewrite` calls for
        each of its entries of these kinds."""
        ledger = shutil.copy(self.half, self.path())
        if change is not None:
            rewrite(ledger, change, kinds)
        return ledger

    def test_a_wrong_number_makes_the_total_wrong(self):
        """If a unit has a wrong number of solutions, the total is wrong. The count that completes
        the ledger says so, and so do a later count and `ledger show`."""
        for difference in (1, -1, 1 << 40):
            ledger = self.fresh()
            falsify_unit(ledger, place=-1, solutions=difference)
            for options in ([], ["--json"]):
                self.assert_fails(WRONG, run("12", "--ledger", ledger, *options), "n = 12", "14200")
            result = run("ledger", "show", ledger)
            self.assertEqual(result.returncode, WRONG)
            self.assertRegex(result.stdout, r"\nverdict: +wrong\n")
            self.assert_one_message(result.stderr, "n = 12", "14200")

    def test_units_of_another_version_are_refused(self):
        """A ledger is refused if it has another version of the method's units, a method that this
        program lacks, or another number of units than this version has."""
        for changes in ({"version": 1 << 20}, {"method": "join"}):
            ledger = self.fresh(lambda entry: entry._replace(**changes), kinds=(Unit, Run))
            self.assert_refused_by_all(12, ledger, "made by another version of nqueens")
        ledger = self.fresh(lambda entry: entry._replace(units=entry.units + 1), kinds=(Unit, Run))
        for command in (["12", "--ledger"], ["ledger", "show"], ["ledger", "audit"]):
            self.assert_fails(SYSTEM, run(*command, ledger), ledger, "another version")

    def test_units_and_jobs_that_make_no_sense_are_left_out(self):
        """A line with a field that makes no sense counts as damaged. All other lines are used."""
        first_unit = next(entry for entry in entries(self.half) if isinstance(entry, Unit))
        units_done = int(self.shown(self.half)["units_done"])
        nonsense = (
            {"id": first_unit.units},
            {"id": -1},
            {"id": 1 << 64},
            {"n": 29},
            {"solutions": -1},
            {"units": 1 << 40},
            {"kernel": ""},
        )
        ledgers = []
        for number, changes in enumerate(nonsense):

            def falsify(entry):
                return entry._replace(**changes) if entry == first_unit else entry

            ledgers.append(shutil.copy(self.half, self.path(str(number))))
            rewrite(ledgers[-1], falsify)
        for shown, changes in zip(self.all_shown(*ledgers), nonsense):
            self.assertEqual(int(shown["lines_damaged"]), 1, changes)
            self.assertEqual(int(shown["units_done"]), units_done - 1, changes)

    def test_a_clock_that_goes_back_makes_no_time_negative(self):
        """At whatever moment of a count the clock goes back, the ledger gets no negative time. A
        negative time would be written as a time of centuries."""
        for reading in range(1, 40, 6):
            ledger = self.path(str(reading))
            env = {"CLOCK_FAULT": str(reading)}
            result = run("10", "--ledger", ledger, program=FAULTY, env=env)
            self.assertEqual(result[:2], (DONE, "724\n"), result.stderr)
            for entry in entries(ledger):
                self.assertLess(entry.nanoseconds, HOUR, reading)

    def test_sums_beyond_64_bits_are_wrong(self):
        """A ledger is wrong if its units together have more solutions than 64 bits can hold. No
        board that the program counts has that many."""
        largest = (1 << 63) - 1
        ledger = self.fresh(lambda unit: unit._replace(solutions=largest))
        self.assert_fails(WRONG, run("ledger", "show", ledger), ledger, "too large")
        # Each solution of this unit of `search` counts twice, so the unit alone comes close to the
        # limit. Together with the units of the other half, it exceeds the limit.
        ledger = self.fresh(lambda unit: unit._replace(solutions=0))
        falsify_unit(ledger, solutions=largest)
        self.assert_has(self.shown(ledger), solutions=str((1 << 64) - 2))
        self.assert_fails(WRONG, run("12", "--ledger", ledger), "n = 12", "too large")

    def test_a_unit_that_two_lines_have_counts_once(self):
        """If two lines have a unit with the same result, the unit counts once. If the results
        differ, each command refuses the ledger, and names both lines."""
        ledger = self.fresh()
        before = self.shown(ledger)
        unit = entries(ledger)[1]  # line 2
        last_line = len(entries(ledger)) + 1
        append(ledger, unit._replace(kernel="other", host="elsewhere"))
        self.assert_has(
            self.shown(ledger),
            units_done=before["units_done"],
            solutions=before["solutions"],
            digest=before["digest"],
        )
        for changes in ({"solutions": unit.solutions + 1}, {"work": unit.work + 1}):
            ledger = self.fresh()
            append(ledger, unit._replace(**changes))
            for command in (
                ["12", "--ledger"],
                ["ledger", "audit"],
                ["ledger", "merge", "-o", self.path("merged")],
            ):
                self.assert_fails(
                    WRONG,
                    run(*command, ledger),
                    f"unit {unit.id}: '{ledger}', line 2, has ",
                    f"; '{ledger}', line {last_line}, has ",
                )
            self.assertFalse(os.path.exists(self.path("merged")))

    def test_lines_that_are_gone_are_counted_again(self):
        """A ledger without the lines of its units, or of its runs, leads to the right total."""
        for kind in (Unit, Run):
            ledger = self.make(12, self.path(kind.__name__))
            rewrite(ledger, lambda entry: None, kind)
            self.assert_right(12, ledger)
