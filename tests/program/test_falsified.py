# SPDX-License-Identifier: MIT
"""Ledgers whose files are intact, but whose content is partly false."""
import shutil

from ledgers import MANY_UNITS, TABLES, LedgerTest, change_job, checksum, falsify_unit, job_of, opened, rows
from program import SYSTEM, WRONG, run


class Checksums(LedgerTest):
    def test_of_every_row_follow_the_documentation(self):
        ledger = self.make(14, self.path(), *MANY_UNITS)
        self.assertGreater(len(rows(ledger, "unit")), 300)
        for table in TABLES:
            for row in rows(ledger, table):
                self.assertEqual(checksum(table, job_of(ledger), row[:-1]), row[-1], row)


class Falsified(LedgerTest):
    def setUp(self):
        super().setUp()
        self.half = self.make_part(12, self.path("half"), "1/2")

    def fresh(self):
        return shutil.copy(self.half, self.path())

    def assert_refused_everywhere(self, *named):
        for command in (["12", "--ledger"], ["ledger", "show"], ["ledger", "audit"]):
            self.assert_fails(SYSTEM, run(*command, self.path()), self.path(), *named)

    def test_wrong_numbers_with_right_checksums(self):
        for more in (1, -1, 1 << 40):
            ledger = self.fresh()
            falsify_unit(ledger, place=-1, solutions=more)
            for options in ([], ["--json"]):  # the first completes the ledger
                self.assert_fails(WRONG, run("12", "--ledger", ledger, *options), "n = 12", "14200")
            self.assertEqual(run("ledger", "show", ledger).returncode, WRONG)

    def test_units_that_this_version_does_not_know(self):
        """Such a ledger can be shown, but neither resumed nor audited."""
        for place, value, named in ((4, 99, "version 99"), (6, 1, "is for"), (3, "spiral", "spiral"),
                                    (2, "join", "method join, last in commit")):
            ledger = self.fresh()
            change_job(ledger, place, value)
            for command in (["12", "--ledger", ledger], ["ledger", "audit", ledger]):
                self.assert_refused(command, ledger, named)
            if place != 6:
                self.assert_has(self.shown(ledger), current=False, solutions=None)
                self.assertIn("not known", run("ledger", "show", ledger).stdout)

    def test_wrong_checksums(self):
        row = rows(self.make(11, self.path("other")), "unit")[0]
        with opened(self.fresh()) as database:
            database.execute(f"REPLACE INTO unit VALUES ({', '.join('?' * len(row))})", row)
        self.assert_refused_everywhere(f"unit {row[0]} ")
        for table, change in (("unit", "solutions = solutions + 1"), ("unit", "checksum = checksum + 1"),
                              ("unit", "id = id + 100000"), ("unit", "host = x'00'"),
                              ("unit", "solutions = 'many'"),
                              ("run", "threads = 7"), ("job", "n = 13"), ("job", "id = 2")):
            with opened(self.fresh()) as database:
                database.execute(f"UPDATE {table} SET {change}")
            self.assert_refused_everywhere("damaged", table)

    def test_rows_that_are_gone_are_counted_again(self):
        for table in ("unit", "run"):
            ledger = self.make(12, self.path(table))
            with opened(ledger) as database:
                database.execute(f"DELETE FROM {table} WHERE id >= 0")
            self.assert_right(12, ledger)
