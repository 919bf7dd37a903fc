"""`construct` prints a solution for every board that has one."""
import json
import os
import unittest

from program import DONE, SYSTEM, ProgramTest, run, through_shell
from solutions import is_solution

LARGEST = "1000000000"


class Solutions(ProgramTest):
    def constructed(self, n):
        result = run("construct", str(n))
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertRegex(result.stdout, r"\A\d+( \d+)*\n\Z")
        return result.stdout

    def test_small_boards(self):
        """Constructions depend on n modulo 6 or 12: each remainder occurs many times."""
        for n in (1, *range(4, 301)):
            with self.subTest(n=n):
                text = self.constructed(n)
                columns = list(map(int, text.split()))
                self.assertEqual(len(columns), n)
                self.assertTrue(is_solution(columns), text)

    def test_check_agrees(self):
        for n in (1, *range(4, 60), 1000, 1001, 10007):
            with self.subTest(n=n):
                self.assert_answers("valid\n", "check", stdin=self.constructed(n))


class Json(ProgramTest):
    def test_document(self):
        for n in (1, 4, 9, 1000):
            with self.subTest(n=n):
                result = run("construct", str(n), "--json")
                self.assertEqual((result.returncode, result.stderr), (DONE, ""))
                self.assertTrue(result.stdout.endswith("}\n"))
                document = json.loads(result.stdout)
                self.assertEqual(sorted(document), ["columns", "n"])
                self.assertEqual((document["n"], len(document["columns"])), (n, n))
                self.assertEqual(document["columns"],
                                 list(map(int, run("construct", str(n)).stdout.split())))


class BadInput(ProgramTest):
    def test_no_solution(self):
        for n in ("2", "3"):
            for options in ([], ["--json"]):
                with self.subTest(n=n, options=options):
                    self.assert_refused(["construct", n, *options], f"n = {n}", "no solution",
                                        "1, or 4 to", LARGEST)

    def test_no_size(self):
        for n in ("0", "1000000001", "1e3", "8x", "", " 8", "+8", "8.0", "-", "x",
                  "4294967304", str(2**64 + 8), "9" * 40):
            with self.subTest(n=n):
                self.assert_refused(["construct", n], f"'{n}'", "1 to", LARGEST)

    def test_how_many(self):
        self.assert_refused(["construct"], "construct", LARGEST)
        self.assert_refused(["construct", "--json"], "construct", LARGEST)
        self.assert_refused(["construct", "4", "5"], "construct", "'5'", "one N")

    @unittest.skipIf(os.environ.get("NQUEENS_SANITIZED"), "sanitizers need more memory than the limit")
    def test_out_of_memory(self):
        """A board of 4 GB with a limit of 2 GB."""
        result = through_shell('ulimit -v 2000000 && exec "$@"', "construct", LARGEST)
        self.assert_fails(SYSTEM, result, "memory")
