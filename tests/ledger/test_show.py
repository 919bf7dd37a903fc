# SPDX-License-Identifier: MIT
"""Counting with a ledger: what the count records and prints, and `ledger show` after it."""
import json
import os
import re
import time

from ledgers import LedgerTest, digest, falsify_unit, runs, units
from program import DONE, SYSTEM, TOTALS, documents, run, write


class Show(LedgerTest):
    def test_half_done_and_complete(self):
        ledger = self.make_part(14, self.path(), "1/2")
        for share in (0.5, 1):
            result, shown = run("ledger", "show", ledger), self.shown(ledger)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            text = dict(re.findall(r"(?m)^(\w+): +(.*)$", result.stdout))
            self.assertEqual({*text, "missing_left_out"}, {*shown})
            for key in (
                "n",
                "method",
                "units",
                "units_done",
                "solutions",
                "verdict",
                "completions",
                "digest",
            ):
                self.assertEqual(text[key], str(shown[key]))
            self.assertEqual(shown["verdict"], "verified" if share == 1 else "unverified")
            self.assertEqual(text["share"], f"{100 * shown['share']:.1f} %")
            self.assertAlmostEqual(shown["share"], share, delta=0.1)
            self.assertEqual(shown["remaining"] > 0, share < 1)
            self.assert_numbers_of_lines(shown, ledger)
            if share < 1:
                self.assert_carries_on(ledger)

    def assert_carries_on(self, ledger):
        """Nothing is counted twice, and each line tells of its run."""
        before, begun = units(ledger), int(time.time())
        process = self.launch("14", "--ledger", ledger, "--kernel", "scalar64", "-t", "2", "--json")
        counted = json.loads(self.end(process).stdout)
        self.assert_has(
            counted,
            solutions=str(TOTALS[14]),
            verdict="verified",
            complete=True,
            units_recorded=str(len(before)),
            units_done=counted["units"],
        )
        self.assertGreater(counted["seconds_recorded"], 0)
        after, ended, host = units(ledger), time.time(), os.uname().nodename[:64]
        self.assertLessEqual(set(before), set(after))
        for unit in set(after) - set(before):
            self.assertEqual((unit.kernel, unit.host), ("scalar64", host))
            self.assertTrue(0 < unit.nanoseconds * 1e-9 <= ended - begun)
            self.assertTrue(begun <= unit.time <= ended)
        (one,) = (one for one in runs(ledger) if one.process == process.pid)
        self.assertEqual(
            (one.host, one.threads, one.kernel, one.state, one.shard, one.shards),
            (host, 2, "scalar64", "ended", 0, 0),
        )
        self.assertEqual(one.program, run("--version").stdout.split()[1])
        self.assertTrue(0 < one.nanoseconds * 1e-9 <= ended - begun)
        self.assertTrue(begun <= one.started <= ended)
        self.assertIn((1, 2), [(other.shard, other.shards) for other in runs(ledger)])

    def assert_numbers_of_lines(self, shown, ledger):
        found = units(ledger)
        self.assert_has(
            shown,
            completions=str(sum(unit.work for unit in found)),
            units_done=str(len(found)),
            runs=len(runs(ledger)),
            lines_damaged="0",
            first_damaged=None,
        )
        for key, timed in (("thread_seconds", found), ("seconds", runs(ledger))):
            self.assertAlmostEqual(shown[key], sum(entry.nanoseconds for entry in timed) * 1e-9, 6)

    def test_several_have_a_line_each(self):
        """One that cannot be read does not hide the others."""
        names = [self.path(name) for name in ("a" * 100, "b", "c")]
        shards = [self.make_part(12, names[0], "1/3"), self.make_part(12, names[1], "2/3,3/3")]
        self.make(10, names[2])
        write(self.path("bad"), "no ledger")
        alone = [self.shown(ledger) for ledger in names]
        self.assertEqual(
            [(one["shards"], one["shards_done"]) for one in alone], [(3, 1), (3, 2), (None, None)]
        )
        result = run("ledger", "show", shards[0], self.path("bad"), *names[1:])
        self.assertEqual(result.returncode, SYSTEM)
        self.assert_one_message(result.stderr, self.path("bad"), "not a ledger")
        titles, *rows_shown = (line.split() for line in result.stdout.splitlines())
        self.assertEqual(
            titles,
            ["n", "units", "done", "share", "%", "shards", "whole", "damaged", "verdict", "ledger"],
        )
        self.assertEqual(
            rows_shown,
            [
                [
                    str(one["n"]),
                    one["units"],
                    one["units_done"],
                    f"{100 * one['share']:.1f}",
                    *[str(one[key] or "-") for key in ("shards", "shards_done")],
                    "0",
                    one["verdict"],
                    one["ledger"],
                ]
                for one in alone
            ],
        )
        self.assertEqual(documents(run("ledger", "show", *names, "--json").stdout), alone)

    def test_the_digest_is_of_results_alone(self):
        """Kernels, threads, runs and the order of units do not change it; a wrong unit does."""
        for n in (13, 15):
            ledger = self.make(n, self.path(f"a{n}"), "--kernel", "scalar64", "-t1")
            other = self.make(n, self.make_part(n, self.path(f"b{n}"), "2/2"), "-t3")
            self.assertEqual(
                [self.shown(file)["digest"] for file in (ledger, other)], [digest(ledger)] * 2
            )
            self.assertIn(
                f"\ndigest:               {digest(ledger)}\n", run("ledger", "show", ledger).stdout
            )
            falsify_unit(other, solutions=0, work=1)
            self.assertEqual(self.shown(other)["digest"], digest(other))
            self.assertNotEqual(digest(other), digest(ledger))
