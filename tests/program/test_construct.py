"""`construct` prints a solution for every board that has one."""
import os
import unittest

from program import DONE, SYSTEM, ProgramTest, document, through_shell
from solutions import constructed, is_solution

LARGEST = "1000000000"


class Construct(ProgramTest):
    def test_boards(self):
        """Constructions depend on n modulo 6 or 12: each remainder occurs several times."""
        for n in (1, *range(4, 40), 1000, 99998, 100001):
            columns = constructed(n)
            self.assertEqual((len(columns), is_solution(columns)), (n, True))
        self.assertEqual(document("construct", "8"), {"n": 8, "columns": list(constructed(8))})

    def test_a_million(self):
        result = through_shell('"$@" construct 1000000 | "$@" check')
        self.assertEqual(result, (DONE, "valid\n", ""))

    def test_refused(self):
        self.assert_each_refused(
            *((f"construct {n}{more}", f"n = {n}", "no solution", LARGEST)
              for n in (2, 3) for more in ("", " --json")),
            *((["construct", n], f"'{n}'", "1 to", LARGEST)
              for n in ("0", "-1", "1000000001", "8x", "", " 8", "-", "4294967304", str(2**64 + 8))),
            ("construct", "construct", LARGEST), ("construct 4 5", "construct", "'5'", "one N"))

    @unittest.skipIf(os.environ.get("NQUEENS_SANITIZED"), "sanitizers need more memory than the limit")
    def test_out_of_memory(self):
        """A board of 4 GB with a limit of 2 GB."""
        result = through_shell('ulimit -v 2000000 && exec "$@"', "construct", LARGEST)
        self.assert_fails(SYSTEM, result, "memory")
