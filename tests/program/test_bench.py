"""`bench plans`: every plan and depth, the same count by each."""
import json

from program import ProgramTest, run

PLANS = [("cross", 0), ("rows", 2), ("rows", 3)]


class Plans(ProgramTest):
    def test_table(self):
        result = run("bench", "plans", "10")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        head, *rows = [line.split() for line in result.stdout.splitlines()]
        self.assertEqual(head, ["plan", "depth", "units", "nodes", "seconds"])
        self.assertEqual([(row[0], int(row[1])) for row in rows], PLANS)

    def test_json(self):
        document = json.loads(run("bench", "plans", "10", "--json").stdout)
        self.assertEqual(set(document), {"context", "benchmarks"})
        found = [(row["plan"], row["depth"]) for row in document["benchmarks"]]
        self.assertEqual(found, PLANS)
        for row in document["benchmarks"]:
            with self.subTest(plan=row["plan"]):
                self.assertEqual((row["solutions"], row["verdict"]), ("724", "verified"))

    def test_wrong_use(self):
        for arguments in ([], ["plans"], ["nope", "8"], ["plans", "8", "9"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["bench", *arguments], "bench plans N")
        self.assert_refused(["bench", "plans", "29"], "'29'", "0", "28")

    def test_options_are_checked_before_anything_is_printed(self):
        self.assert_refused(["bench", "plans", "8", "--kernel", "nope"], "'nope'")
        self.assert_refused(["verify", "--json", "--kernel", "nope"], "'nope'")

    def test_options_that_it_chooses_itself(self):
        self.assert_refused(["bench", "plans", "8", "--plan", "rows"], "--plan", "bench")
