"""Counting with a ledger: the output of the count, and of `ledger show` after it."""
import json
import os
import re

from ledger_rows import job_of, opened, put, rows
from ledgers import MANY_UNITS, LedgerTest, kernels
from program import DONE, TOTALS, WRONG, WRONG_PROGRAM, printed, run


class Counting(LedgerTest):
    def test_all_small_boards(self):
        for options in ((), ("--plan", "rows"), MANY_UNITS):
            for n in range(14):
                with self.subTest(n=n, options=options):
                    ledger = self.path(f"{n}{''.join(options)}")
                    self.assert_right(n, ledger, *options)
                    self.assert_right(n, ledger)

    def test_every_kernel(self):
        for kernel in kernels():
            with self.subTest(kernel=kernel):
                ledger = self.make(13, self.path(kernel), "--kernel", kernel, "-t", "2")
                self.assertEqual({row[3] for row in rows(ledger, "unit")}, {kernel})

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

    def test_json(self):
        ledger = self.make_part(12, self.path(), "1/2")
        done = self.shown(ledger)["units_done"]
        document = self.count_document(12, ledger)
        self.assertEqual((document["solutions"], document["complete"], document["verdict"]),
                         (str(TOTALS[12]), True, "verified"))
        self.assertEqual(document["units_recorded"], done)
        self.assertEqual(document["units_done"], document["units"])
        self.assertNotIn("shard", document)
        without = json.loads(run("12", "--json").stdout)
        self.assertNotIn("units_recorded", without)
        self.assertEqual([document[key] for key in ("nodes", "units")],
                         [without[key] for key in ("nodes", "units")])

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

    def test_an_unknown_total(self):
        result = run("12", "--ledger", self.path(), program=WRONG_PROGRAM)
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(12)))
        self.assert_one_message(result.stderr, "unverified")


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

    def test_options_not_accepted(self):
        for arguments in (["verify", "--ledger", "x"], ["table", "--ledger", "x"],
                          ["info", "--shard", "1/2"], ["verify", "--shard", "1/2"],
                          ["bench", "plans", "8", "--ledger", "x"], ["8", "--sample", "3"],
                          ["8", "--output", "x"], ["ledger", "show", "x", "--ledger", "x"],
                          ["ledger", "show", "x", "--threads", "2"],
                          ["ledger", "show", "x", "--sample", "3"],
                          ["ledger", "show", "x", "--output", "y"],
                          ["ledger", "show", "x", "--progress", "never"],
                          ["ledger", "merge", "x", "-o", "y", "--sample", "3"],
                          ["ledger", "merge", "x", "-o", "y", "--kernel", "auto"],
                          ["ledger", "audit", "x", "--output", "y"],
                          ["ledger", "audit", "x", "--plan", "rows"],
                          ["ledger", "audit", "x", "--time"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(arguments, "does not accept")

    def test_no_such_action(self):
        for arguments in (["none"], ["Show", "x"], ["8"], [""]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["ledger", *arguments], f"ledger: '{arguments[0]}': expected "
                                    "show, audit or merge")

    def test_no_action(self):
        for options in ([], ["--json"]):
            self.assert_refused(["ledger", *options], "ledger: expected show, audit or merge")

    def test_wrong_number_of_files(self):
        for arguments in (["show"], ["show", "x", "y"], ["audit"], ["audit", "x", "y"], ["merge"],
                          ["merge", "-o", "x"], ["merge", "x"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["ledger", *arguments], f"ledger {arguments[0]}", "expected")

    def test_missing_values(self):
        for option in ("--ledger", "--shard"):
            self.assert_refused(["8", option], option, "needs a value")

    def test_given_twice(self):
        self.assert_refused(["8", "--ledger", "x", "--ledger", "y"], "--ledger", "twice")


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

    def test_more_hosts_than_are_shown(self):
        """Those with the most units are; of the others the number is told."""
        ledger, most, more = self.make(8, self.path()), 4096, 3
        job, row = list(job_of(ledger)), rows(ledger, "unit")[0][:-1]
        job[4], job[6] = 99, most + more + 1  # another version of the plan, which has so many units
        self.assertEqual((self.shown(ledger)["hosts_left_out"], len(self.shown(ledger)["hosts"])),
                         (0, 1))
        with opened(ledger) as database:
            database.execute("BEGIN")
            database.execute("DELETE FROM unit")
            database.execute("DELETE FROM run")
            put(database, "job", job, job)
            for unit in range(most + more + 1):
                host = f"host {max(unit, 1)}"  # the first one has two units
                put(database, "unit", job, (unit, *row[1:5], host, *row[6:]))
            database.execute("COMMIT")
        document = self.shown(ledger)
        self.assertEqual((len(document["hosts"]), document["hosts_left_out"]), (most, more))
        self.assertEqual((document["hosts"][0]["name"], document["hosts"][0]["units"]), ("host 1", "2"))
        lines = run("ledger", "show", ledger).stdout.splitlines()
        self.assertEqual(lines[-1], f"... and {more} more hosts")
        self.assertEqual(sum(line.startswith("host ") for line in lines), 1 + most)

    def test_a_wrong_total(self):
        ledger = self.make(8, self.path())
        result = run("ledger", "show", ledger, program=WRONG_PROGRAM)
        self.assertEqual(result.returncode, WRONG)
        self.assertIn("92 (WRONG)", result.stdout)
        self.assert_one_message(result.stderr, "92", "93")
