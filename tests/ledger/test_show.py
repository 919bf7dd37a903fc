# SPDX-License-Identifier: MIT
"""What a count with a ledger records and prints, and what `ledger show` says afterwards."""
import json
import os
import re
import time

from ledgers import LedgerTest, digest, falsify_unit, runs, units
from program import DONE, SYSTEM, TOTALS, documents, run, write


class Show(LedgerTest):
    def test_text_and_json_say_what_the_lines_say(self):
        ledger = self.make_part(14, self.path(), "1/2")
        for share in (0.5, 1):
            result, shown = run("ledger", "show", ledger), self.shown(ledger)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            text = dict(re.findall(r"(?m)^(\w+): +(.*)$", result.stdout))
            # Text has all keys of JSON but one.
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
        """Completes the ledger. Asserts that no unit is counted twice, and that the new lines tell
        of this run."""
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
        (this_run,) = [one for one in runs(ledger) if one.process == process.pid]
        self.assert_has(
            this_run._asdict(),
            host=host,
            threads=2,
            kernel="scalar64",
            state="ended",
            shard=0,
            shards=0,
            program=run("--version").stdout.split()[1],
        )
        self.assertTrue(0 < this_run.nanoseconds * 1e-9 <= ended - begun)
        self.assertTrue(begun <= this_run.started <= ended)
        self.assertIn((1, 2), [(other.shard, other.shards) for other in runs(ledger)])

    def assert_numbers_of_lines(self, shown, ledger):
        """Asserts that the document has the sums of the ledger's lines."""
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
        """One ledger that cannot be read does not hide the others."""
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
        for row, one in zip(rows_shown, alone, strict=True):
            expected = [
                str(one["n"]),
                one["units"],
                one["units_done"],
                f"{100 * one['share']:.1f}",
                str(one["shards"] or "-"),
                str(one["shards_done"] or "-"),
                "0",
                one["verdict"],
                one["ledger"],
            ]
            self.assertEqual(row, expected)
        self.assertEqual(documents(run("ledger", "show", *names, "--json").stdout), alone)

    def test_the_digest_is_of_results_alone(self):
        """Kernels, threads, runs and the order of the units do not change the digest. A wrong
        unit changes it."""
        for n in (13, 15):
            ledger = self.make(n, self.path(f"a{n}"), "--kernel", "scalar64", "-t1")
            other = self.make(n, self.make_part(n, self.path(f"b{n}"), "2/2"), "-t3")
            for file in (ledger, other):
                self.assertEqual(self.shown(file)["digest"], digest(ledger))
            self.assertIn(
                f"\ndigest:               {digest(ledger)}\n", run("ledger", "show", ledger).stdout
            )
            falsify_unit(other, solutions=0, work=1)
            self.assertEqual(self.shown(other)["digest"], digest(other))
            self.assertNotEqual(digest(other), digest(ledger))
