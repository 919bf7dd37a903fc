# SPDX-License-Identifier: MIT
"""Counting with a ledger: the output of the count, and of `ledger show` after it."""
import json
import os
import re
import time

from ledgers import LedgerTest, digest, falsify_unit, rewrite, rows
from program import DONE, TOTALS, document, run, write


class Counting(LedgerTest):
    def test_all_small_boards(self):
        for options in ((), ("--method", "search")):
            for n in (*range(6), 12):
                ledger = self.path(f"{n}{''.join(options)}")
                self.assert_right(n, ledger, *options)
                self.assert_right(n, ledger)

    def test_nothing_is_counted_twice(self):
        ledger, whole = self.make_part(14, self.path(), "1/2"), document("14")
        before = rows(ledger, "unit")
        for _ in range(2):
            code, stdout, stderr = run("14", "--ledger", ledger, "--json")
            self.assertEqual((code, stderr), (DONE, ""))
            self.assert_has(json.loads(stdout), solutions=str(TOTALS[14]), verdict="verified", complete=True,
                            units_recorded=str(len(before)), units=whole["units"], units_done=whole["units"])
            after = rows(ledger, "unit")
            self.assertLessEqual(set(before), set(after))
            before = after
        self.assertGreater(json.loads(stdout)["seconds_recorded"], 0)
        self.assertNotIn("units_recorded", whole)


class Refused(LedgerTest):
    def test_an_empty_file_stays(self):
        """Such as mktemp makes."""
        write(self.path(), b"")
        self.assert_refused(["8", "--method", "none", "--ledger", self.path()])
        self.assertEqual(os.listdir(self.folder), ["ledger"])


class Show(LedgerTest):
    def test_half_done_and_complete(self):
        ledger = self.make_part(14, self.path(), "1/2")
        for share in (0.5, 1):
            result, shown = run("ledger", "show", ledger), self.shown(ledger)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            text = dict(re.findall(r"(?m)^(\w+): +(.*)$", result.stdout))
            self.assertEqual({*text, "missing_left_out"}, {*shown})
            for key in ("n", "method", "units", "units_done", "solutions", "verdict", "completions", "digest"):
                self.assertEqual(text[key], str(shown[key]))
            self.assertEqual(shown["verdict"], "verified" if share == 1 else "unverified")
            self.assertEqual((text["share"], text["hosts"].split(",")[0]),
                             (f"{100 * shown['share']:.1f} %", f"name {shown['hosts'][0]['name']}"))
            self.assertAlmostEqual(shown["share"], share, delta=0.1)
            self.assertEqual(shown["remaining"] > 0, share < 1)
            self.assert_numbers_of_rows(shown, ledger)
            self.assert_right(14, ledger)

    def assert_numbers_of_rows(self, shown, ledger):
        units, runs = rows(ledger, "unit"), rows(ledger, "run")
        self.assert_has(shown, completions=str(sum(row[2] for row in units)), units_done=str(len(units)),
                        runs=len(runs))
        self.assertAlmostEqual(shown["thread_seconds"], sum(row[4] for row in units) * 1e-9, 6)
        self.assertAlmostEqual(shown["seconds"], sum(row[4] for row in runs) * 1e-9, 6)
        host, = shown["hosts"]
        self.assert_has(host, name=os.uname().nodename[:64], units=str(len(units)))

    def test_the_digest_is_of_results_alone(self):
        """Kernels, threads, runs and the order of units do not change it; a wrong unit does."""
        for n in (13, 15):
            ledger = self.make(n, self.path(f"a{n}"), "--kernel", "scalar64", "-t1")
            other = self.make(n, self.make_part(n, self.path(f"b{n}"), "2/2"), "-t3")
            self.assertEqual([self.shown(file)["digest"] for file in (ledger, other)], [digest(ledger)] * 2)
            self.assertIn(f"\ndigest:               {digest(ledger)}\n", run("ledger", "show", ledger).stdout)
            falsify_unit(other, solutions=0, work=1)
            self.assertEqual(self.shown(other)["digest"], digest(other))
            self.assertNotEqual(digest(other), digest(ledger))

    def test_hosts(self):
        """By units, then by name, as many as there is room for."""
        ledger = self.make_part(10, self.path(), "1/20", "--method", "search")
        names = iter(enumerate("bcacdcaab", 1000))

        def change(*unit):
            when, name = next(names)
            return (*unit[:4], 500_000_000, name, when)

        rewrite(ledger, "unit", change)
        self.assertEqual(self.shown(ledger)["hosts"], [
            {"name": name, "units": str(units), "thread_seconds": units / 2,
             "last": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(last))}
            for name, units, last in (("a", 3, 1007), ("c", 3, 1005), ("b", 2, 1008), ("d", 1, 1004))])
        rewrite(self.make(13, self.path("many")), "unit",
                lambda unit, *rest: (unit, *rest[:4], f"host{unit}", rest[5]))
        shown = self.shown(self.path("many"))
        self.assertGreater(len(shown["hosts"]), 10)
        self.assertEqual(len(shown["hosts"]) + shown["hosts_left_out"], int(shown["units"]))
