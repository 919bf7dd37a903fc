# SPDX-License-Identifier: MIT
"""Ledgers whose files are intact, but whose content is partly false. That the right checksums of false rows are
believed shows that they follow the documentation."""
import os
import shutil

from ledgers import TABLES, LedgerTest, change_job, falsify_unit, opened, rewrite, rows
from program import DONE, SYSTEM, WRONG, run


class Falsified(LedgerTest):
    def setUp(self):
        super().setUp()
        self.half = self.make_part(12, self.path("half"), "1/2", "--method", "search")

    def fresh(self):
        return shutil.copy(self.half, self.path())

    def test_wrong_numbers_with_right_checksums(self):
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
        for place, value in ((3, 1), (3, 99), (2, "join")):
            change_job(self.fresh(), place, value)
            self.assert_refused_by_all(12, self.path(), "made by another version of nqueens")
        change_job(self.fresh(), 4, 1)
        for command in (["12", "--ledger"], ["ledger", "show"], ["ledger", "audit"]):
            self.assert_fails(SYSTEM, run(*command, self.path()), self.path(), "another version")

    def test_jobs_and_units_that_make_no_sense(self):
        for place, value in ((1, 29), (1, 1 << 32), (3, 1 << 32), (4, -1)):
            change_job(self.fresh(), place, value)
            self.assert_refused_by_all(12, self.path(), "job")
        units, = (row[4] for row in rows(self.half, "job"))
        for unit in (units, units | 63, 1 << 20, -1, -(1 << 63), (1 << 63) - 1):
            rewrite(self.fresh(), "unit", lambda _, *rest, unit=unit: (unit, *rest), slice(1))
            self.assert_refused_by_all(12, self.path(), "damaged")
        for solutions in (-1, -(1 << 63)):
            rewrite(self.fresh(), "unit", lambda unit, _, *rest: (unit, solutions, *rest), slice(1))
            self.assert_refused_by_all(12, self.path(), "damaged")

    def test_times_below_zero(self):
        """A clock that had gone back may have written them. They make no result wrong, and count as 0."""
        rewrite(self.fresh(), "unit", lambda *unit: (*unit[:4], -2968032086, *unit[5:]))
        self.assertEqual(self.shown(self.path())["thread_seconds"], 0)
        self.assert_right(12, self.path())

    def test_a_clock_that_goes_back(self):
        """No time that is written is below zero, wherever the clock does it."""
        for looks in range(1, 40, 3):
            ledger = self.path(str(looks))
            result = run("10", "--ledger", ledger, program=os.environ["NQUEENS_FAULTY"],
                         env={"CLOCK_FAULT": str(looks)})
            self.assertEqual((result.returncode, result.stdout), (DONE, "724\n"), result.stderr)
            times = [row[4] for table in ("unit", "run") for row in rows(ledger, table)]
            self.assertGreaterEqual(min(times), 0, looks)

    def test_sums_beyond_64_bits(self):
        """There is no such number of solutions."""
        rewrite(self.fresh(), "unit", lambda unit, _, *rest: (unit, (1 << 63) - 1, *rest), slice(3))
        self.assert_fails(WRONG, run("ledger", "show", self.path()), self.path(), "too large")
        rewrite(self.fresh(), "unit", lambda unit, _, *rest: (unit, 0, *rest))
        falsify_unit(self.path(), solutions=(1 << 63) - 1)  # each counts twice
        self.assert_has(self.shown(self.path()), solutions=str((1 << 64) - 2))
        self.assert_fails(WRONG, run("12", "--ledger", self.path()), "n = 12", "too large")

    def test_any_column_changed(self):
        changes = {int: ("{0} + (1 << 40)", "-1 - {0}"), str: ("{0} || ' '", "''", "substr({0}, 2)")}
        for table in TABLES:
            with opened(self.half) as database:
                cursor = database.execute(f"SELECT * FROM {table}")
                names, values = [column[0] for column in cursor.description], cursor.fetchone()
            for name, value in zip(names, values):
                for change in changes[type(value)]:
                    with opened(self.fresh()) as database:
                        database.execute(f"UPDATE {table} SET {name} = {change.format(name)} WHERE id = {values[0]}")
                    self.assert_fails(SYSTEM, run("ledger", "show", self.path()), "damaged", table)

    def test_wrong_checksums(self):
        """Of a row of another ledger, and where a column has a value of another type."""
        row = rows(self.make(11, self.path("other")), "unit")[0]
        replace = f"REPLACE INTO unit VALUES ({', '.join('?' * len(row))})"
        for change, values, named in ((replace, row, f"unit {row[0]} "), ("UPDATE unit SET host = x'00'", (), "unit"),
                                      ("UPDATE unit SET solutions = 'many'", (), "unit"),
                                      ("UPDATE unit SET host = printf('%01000d', 1)", (), "unit"),
                                      ("UPDATE run SET threads = 7", (), "run"), ("UPDATE job SET id = 2", (), "job")):
            with opened(self.fresh()) as database:
                database.execute(change, values)
            self.assert_refused_by_all(12, self.path(), "damaged", named)

    def test_rows_that_are_gone_are_counted_again(self):
        for table in ("unit", "run"):
            ledger = self.make(12, self.path(table))
            with opened(ledger) as database:
                database.execute(f"DELETE FROM {table} WHERE id >= 0")
            self.assert_right(12, ledger)
