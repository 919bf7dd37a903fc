"""Counting with a ledger: the output of the count, and of `ledger show` after it."""
import json
import os
import re

from ledger_rows import rows
from ledgers import MANY_UNITS, LedgerTest
from program import DONE, TOTALS, WRONG, WRONG_PROGRAM, printed, run


class Counting(LedgerTest):
    def test_all_small_boards(self):
        for options in ((), ("--plan", "rows"), MANY_UNITS):
            for n in range(14):
                with self.subTest(n=n, options=options):
                    ledger = self.path(f"{n}{''.join(options)}")
                    self.assert_right(n, ledger, *options)
                    self.assert_right(n, ledger)

    def test_nothing_is_counted_twice(self):
        ledger = self.make(14, self.path())
        before = rows(ledger, "unit")
        document = self.count_document(14, ledger)
        self.assertEqual(document["units_recorded"], document["units"])
        self.assertGreater(document["seconds_recorded"], 0)
        self.assertEqual(rows(ledger, "unit"), before)

    def count_document(self, n, ledger, *options):
        result = run(str(n), "--ledger", ledger, "--json", *options)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return json.loads(result.stdout)

    def test_time(self):
        ledger = self.path()
        self.assertNotIn("recorded", run("14", "--ledger", ledger, "--time").stderr)
        result = run("14", "--ledger", ledger, "--time")
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(14)))
        units = self.shown(ledger)["units"]
        for words in (f"{units} of the units were recorded before, in", "verified"):
            self.assertIn(words, result.stderr)
        self.assertNotIn("thread", result.stderr)

    def test_a_wrong_total(self):
        """The program whose known totals are wrong reports one: see wrong_known.c."""
        for _ in range(2):
            result = run("8", "--ledger", self.path(), program=WRONG_PROGRAM)
            self.assert_fails(WRONG, result, "92", "93")
        self.assert_right(8, self.path())


class Refused(LedgerTest):
    def test_several_boards(self):
        for arguments in (["8", "10"], ["-"], ["8", "8"]):
            with self.subTest(arguments=arguments):
                self.assert_refused([*arguments, "--ledger", self.path()], self.path(), "one N",
                                    stdin="8")
        self.assertEqual(os.listdir(self.folder), [])

    def test_wrong_usage_leaves_no_ledger(self):
        for arguments in (["29"], ["8", "--kernel", "none"], ["8", "--plan", "none"], ["8", "-t0"],
                          ["8", "--plan", "cross", "--depth", "2"], ["8", "--bind", "99999"]):
            with self.subTest(arguments=arguments):
                self.assert_refused([*arguments, "--ledger", self.path()])
                self.assertEqual(os.listdir(self.folder), [])

    def test_no_such_action(self):
        for arguments in (["none"], ["Show", "x"], ["8"], [""]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["ledger", *arguments], f"ledger: '{arguments[0]}': expected "
                                    "show, audit or merge")

    def test_wrong_number_of_files(self):
        for arguments in (["show"], ["show", "x", "y"], ["audit"], ["audit", "x", "y"], ["merge"],
                          ["merge", "-o", "x"], ["merge", "x"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["ledger", *arguments], f"ledger {arguments[0]}", "expected")


class Show(LedgerTest):
    def text(self, ledger):
        result = run("ledger", "show", ledger)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return result.stdout

    def test_complete(self):
        ledger = self.make(12, self.path(), *MANY_UNITS)
        text, document = self.text(ledger), self.shown(ledger)
        self.assertRegex(text, r"n = 12, method search, plan rows \(version \d+\), depth 3")
        self.assertIn(f"{document['units']} of {document['units']} units, 100.0 %", text)
        self.assertIn(f"{TOTALS[12]} (verified)", text)
        self.assertIn("1 run;", text)
        self.assertNotIn("remaining", text)
        self.assertEqual((document["share"], document["remaining"], document["current"]),
                         (1, 0, True))

    def test_half_done(self):
        ledger = self.make_part(14, self.path(), "1/2", *MANY_UNITS)
        text, document = self.text(ledger), self.shown(ledger)
        share = re.search(r"(\d+) of (\d+) units, (\d+\.\d) % of the work", text)
        self.assertEqual(share.groups()[:2], (document["units_done"], document["units"]))
        self.assertAlmostEqual(float(share[3]), 100 * document["share"], delta=0.06)
        self.assertAlmostEqual(document["share"], 0.5, delta=0.1)
        self.assertIn("so far", text)
        self.assertIn("remaining:", text)
        self.assertEqual(document["verdict"], "unverified")
        self.assertLess(int(document["solutions"]), TOTALS[14])
        self.assertGreater(document["remaining"], 0)

    def test_numbers_are_those_of_the_rows(self):
        ledger = self.make(14, self.path(), *MANY_UNITS)
        self.assert_right(14, ledger)  # a run that has nothing to do leaves no trace
        units, document = rows(ledger, "unit"), self.shown(ledger)
        self.assertEqual(document["nodes"], str(sum(row[2] for row in units)))
        self.assertEqual(document["units_done"], str(len(units)))
        self.assertAlmostEqual(document["thread_seconds"], sum(row[4] for row in units) * 1e-9, 6)
        self.assertAlmostEqual(document["seconds"],
                               sum(row[4] for row in rows(ledger, "run")) * 1e-9, 6)
        self.assertEqual(document["runs"], len(rows(ledger, "run")))
        self.assertEqual([(host["name"], host["units"]) for host in document["hosts"]],
                         [(os.uname().nodename[:64], str(len(units)))])

    def test_a_wrong_total(self):
        ledger = self.make(8, self.path())
        result = run("ledger", "show", ledger, program=WRONG_PROGRAM)
        self.assertEqual(result.returncode, WRONG)
        self.assertIn("92 (WRONG)", result.stdout)
        self.assert_one_message(result.stderr, "92", "93")
