# SPDX-License-Identifier: MIT
"""The program for this machine and the one that was built for another machine print the same,
divide a count into the same units, and resume each other's ledgers."""
import json
import os

from ledgers import LedgerTest, units
from program import DONE, PROGRAM, ProgramTest, content, printed, run

NATIVE = os.environ["NQUEENS_NATIVE"]
BOTH_WAYS = (("from here", NATIVE, PROGRAM), ("to here", PROGRAM, NATIVE))


class Printed(ProgramTest):
    def assert_same(self, *arguments, stdin=""):
        """Asserts that both programs print the same, and exit with the same code."""
        here, there = (
            run(*arguments, program=program, stdin=stdin) for program in (NATIVE, PROGRAM)
        )
        self.assertEqual(here, there, arguments)

    def test_answers(self):
        for arguments in (
            "list 9 --fundamental",
            "list 8 --json --fundamental",
            "list 7 --format board",
            "list 28 --limit 50",
            *(f"construct {n}" for n in (1, 2, 4, 8, 9, 14, 15, 4999)),
            "construct 12 --json",
            "draw 11",
            "table",
            "table --json",
            "--help",
            "29",
            "8 --method nope",
            "10 --fundamental",
            "13 --shard 2/3",
        ):
            self.assert_same(*arguments.split())
        for placement in ("2 4 1 3", "1 2 3", "2 4 1", "x", ""):
            self.assert_same("check", stdin=placement + "\n")
            self.assert_same("check", "--json", stdin=placement + "\n")


class Ledgers(LedgerTest):
    def shown(self, ledger):
        """Returns the document of `ledger show`. Asserts that both programs print the same, as JSON
        and as text."""
        for options in ([], ["--json"]):
            here, there = (
                run("ledger", "show", ledger, *options, program=program)
                for program in (NATIVE, PROGRAM)
            )
            self.assertEqual(here, there)
        self.assertEqual(here.returncode, DONE)
        return json.loads(here.stdout)

    def part(self, program, n, shard, *options):
        """Makes a ledger of a shard with this program."""
        ledger = self.path(f"part{len(os.listdir(self.folder))}")
        result = run(
            str(n), "--ledger", ledger, "--shard", shard, "--quiet", *options, program=program
        )
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return ledger

    def assert_complete_for_both(self, n, ledger):
        self.assert_complete(n, ledger)
        before = content(ledger)
        for program in (NATIVE, PROGRAM):
            self.assert_answers(printed(n), str(n), "--ledger", ledger, program=program)
            self.assertEqual(content(ledger), before)

    def test_carry_on(self):
        """Each program audits all units of a ledger that the other one has begun, and completes
        the ledger."""
        for _, first, second in BOTH_WAYS:
            for n, options in ((13, ()), (14, ()), (11, ("--method", "search"))):
                ledger = self.part(first, n, "1/2", *options)
                half = units(ledger)
                self.assertLess(len(half), int(self.shown(ledger)["units"]))
                audit = run("ledger", "audit", ledger, "--sample", "100%", program=second)
                self.assertEqual(audit.returncode, DONE, audit.stderr)
                self.assert_answers(printed(n), str(n), "--ledger", ledger, program=second)
                self.assertLess(set(half), set(units(ledger)))
                self.assert_complete_for_both(n, ledger)

    def test_merge(self):
        """Both programs merge the two halves. The two new ledgers have the same bytes."""
        parts = [self.part(NATIVE, 14, "1/2"), self.part(PROGRAM, 14, "2/2")]
        merged = []
        for way, program, _ in BOTH_WAYS:
            merged.append(self.path(way))
            result = run("ledger", "merge", *parts, "--output", merged[-1], program=program)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertEqual(content(merged[0]), content(merged[1]))
        self.assert_complete_for_both(14, merged[0])
