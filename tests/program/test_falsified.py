"""Ledgers whose files are intact, but whose content is partly false."""
import json
import shutil

from ledger_rows import (TABLES, change_job, checksum, falsify_unit, job_of, opened, rows, xxh64)
from ledgers import MANY_UNITS, LedgerTest
from program import DONE, SYSTEM, TOTALS, WRONG, run


class Checksums(LedgerTest):
    def test_xxh64(self):
        """Values of the reference implementation (xxhsum -H1) and of the XXH64 specification."""
        for data, expected in ((b"", 0xEF46DB3751D8E999), (b"a", 0xD24EC4F1A98C6E5B),
                               (b"abc", 0x44BC2CF5AD770999),
                               (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1)):
            self.assertEqual(xxh64(data), expected)

    def test_of_every_row(self):
        """The checksums follow docs/ledger.md."""
        ledger = self.make(14, self.path(), *MANY_UNITS)
        job = job_of(ledger)
        self.assertGreater(len(rows(ledger, "unit")), 500)
        for table in TABLES:
            for row in rows(ledger, table):
                self.assertEqual(checksum(table, job, row[:-1]), row[-1], row)


class Falsified(LedgerTest):
    """Wrong numbers with right checksums."""

    def test_a_wrong_number_in_a_complete_ledger(self):
        for more in (1, -1, 1 << 40):
            with self.subTest(more=more):
                ledger = self.make(12, self.path(str(more)))
                falsify_unit(ledger, place=-1, solutions=more)
                for arguments in (["12", "--ledger", ledger], ["12", "--json", "--ledger", ledger]):
                    self.assert_fails(WRONG, run(*arguments), "n = 12", str(TOTALS[12]))
                self.assertEqual(run("ledger", "show", ledger).returncode, WRONG)

    def test_work_beyond_64_bits(self):
        """No failure: the sum says that it may be more, and no rate is made of it."""
        ledger = self.make(12, self.path())
        self.assertIn("rate:", run("ledger", "show", ledger).stdout)
        for place in (0, 1, 2):
            falsify_unit(ledger, place, solutions=0, work=(1 << 63) - 10 ** 6)
        self.assertEqual(self.shown(ledger)["nodes"], str((1 << 64) - 1))
        result = run("ledger", "show", ledger)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertNotIn("rate:", result.stdout)
        result = run("12", "--ledger", ledger, "--time")
        self.assertEqual((result.returncode, result.stdout), (DONE, f"{TOTALS[12]}\n"))
        self.assertIn("2^64 - 1 or more nodes", result.stderr)
        self.assertNotIn("/s", result.stderr)
        document = json.loads(run("12", "--ledger", ledger, "--json").stdout)
        self.assertEqual(document["nodes"], str((1 << 64) - 1))

    def test_numbers_out_of_range(self):
        whole, ledger = self.make_part(12, self.path("whole"), "1/2"), self.path()
        for changes in ({"new_id": 10 ** 6}, {"new_id": -1}, {"solutions": -10 ** 6},
                        {"work": -10 ** 12}):
            for command in (["12", "--ledger"], ["ledger", "show"], ["ledger", "audit"]):
                with self.subTest(changes=changes, command=command):
                    shutil.copy(whole, ledger)
                    falsify_unit(ledger, **changes)
                    self.assert_fails(SYSTEM, run(*command, ledger), ledger)

    def test_jobs_out_of_range(self):
        whole, ledger = self.make_part(12, self.path("whole"), "1/2"), self.path()
        for place, value in ((1, 29), (1, -1), (6, -1), (6, 1 << 31), (6, (1 << 63) - 1), (4, 1 << 40), (5, -5), (2, "x" * 65)):
            with self.subTest(place=place, value=value):
                shutil.copy(whole, ledger)
                change_job(ledger, place, value)
                for command in (["12", "--ledger"], ["ledger", "show"]):
                    self.assert_fails(SYSTEM, run(*command, ledger), ledger)

    def test_another_versions_plan(self):
        """Such a ledger can be shown, but neither resumed nor audited."""
        ledger = self.make_part(12, self.path(), "1/2")
        change_job(ledger, 4, 99)
        for command in (["12", "--ledger", ledger], ["ledger", "audit", ledger]):
            self.assert_refused(command, ledger, "version 99",
                                "with the version of nqueens that began it")
        document = self.shown(ledger)
        self.assertEqual((document["current"], document["solutions"]), (False, None))
        self.assertIn("not known", run("ledger", "show", ledger).stdout)


class Edited(LedgerTest):
    """Rows with wrong checksums."""

    def test_a_row_of_another_ledger(self):
        ledger, other = self.make_part(12, self.path(), "1/2"), self.make(11, self.path("other"))
        row = rows(other, "unit")[0]
        with opened(ledger) as database:
            database.execute(f"REPLACE INTO unit VALUES ({', '.join('?' * len(row))})", row)
        for command in (["12", "--ledger"], ["ledger", "show"]):
            self.assert_fails(SYSTEM, run(*command, ledger), ledger, f"unit {row[0]} ")

    def test_a_changed_column(self):
        whole, ledger = self.make_part(12, self.path(), "1/2"), self.path("changed")
        for table, change in (("unit", "solutions = solutions + 1"), ("unit", "work = 0"),
                              ("unit", "kernel = 'other'"), ("unit", "checksum = checksum + 1"),
                              ("unit", "id = id + 100000"), ("unit", "host = x'00'"),
                              ("unit", "solutions = 'many'"), ("run", "threads = 7"),
                              ("run", "nanoseconds = 0"), ("job", "n = 13"), ("job", "units = 5"),
                              ("job", "id = 2")):
            with self.subTest(change=change):
                shutil.copy(whole, ledger)
                with opened(ledger) as database:
                    database.execute(f"UPDATE {table} SET {change}")
                for command in (["12", "--ledger"], ["ledger", "show"]):
                    self.assert_fails(SYSTEM, run(*command, ledger), ledger, "damaged", table)

    def test_rows_that_are_gone_are_counted_again(self):
        for table in ("unit", "run"):
            with self.subTest(table=table):
                ledger = self.make(12, self.path(table))
                with opened(ledger) as database:
                    database.execute(f"DELETE FROM {table} WHERE id >= 0")
                self.assert_right(12, ledger)
