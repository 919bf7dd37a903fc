# SPDX-License-Identifier: MIT
"""`list` prints all solutions in order, in three formats. `construct` prints one solution for
every board that has any."""
import os
import unittest

from program import DONE, SYSTEM, ProgramTest, document, through_shell
from solutions import board, constructed, line, solutions


class Small(ProgramTest):
    """Lists are compared with brute force. For n = 2 and 3 they are empty. For n = 0 there is one
    placement, which is an empty line."""

    def test_all_solutions_are_listed_in_order(self):
        self.assert_answers(line(solutions(7)[0]) + "\n", "list", "7", "--limit", "1")
        for n in range(9):
            expected = solutions(n)
            text = "".join(line(columns) + "\n" for columns in expected)
            for options in ([], ["--format", "columns"], ["--limit", str(2**64 - 1)]):
                self.assert_answers(text, "list", str(n), *options)
            listed = [{"columns": list(columns)} for columns in expected]
            self.assertEqual(document("list", str(n)), {"n": n, "solutions": listed})
            if 0 < n < 8:
                self.assert_answers(
                    "\n".join(map(board, expected)), "list", str(n), "--format", "board"
                )

    def test_fundamental_solutions_have_the_size_of_their_class(self):
        self.assert_answers(
            "1 5 8 6 3 7 2 4 # class of 8\n1 6 8 3 7 4 2 5 # class of 8\n",
            *"list 8 --fundamental --limit 2".split(),
        )
        self.assert_answers(
            f"# class of 4\n{board((2, 4, 6, 1, 3, 5))}",
            *"list 6 --fundamental --format=board".split(),
        )
        self.assertEqual(
            document("list", "5", "--fundamental"),
            {
                "n": 5,
                "solutions": [
                    {"columns": [1, 3, 5, 2, 4], "class_size": 8},
                    {"columns": [2, 5, 3, 1, 4], "class_size": 2},
                ],
            },
        )


LARGEST = "1000000000"  # the largest n of `construct`


class Construct(ProgramTest):
    def test_constructed_solutions_are_valid(self):
        self.assertEqual(document("construct", "8"), {"n": 8, "columns": list(constructed(8))})
        result = through_shell('"$@" construct 1000000 | "$@" check')
        self.assertEqual(result, (DONE, "valid\n", ""))

    @unittest.skipIf(
        os.environ.get("NQUEENS_SANITIZED"), "sanitizers need more memory than the limit"
    )
    def test_a_board_beyond_the_memory_is_an_error(self):
        """The board needs 4 GB, and the limit is 2 GB."""
        result = through_shell('ulimit -v 2000000 && exec "$@"', "construct", LARGEST)
        self.assert_fails(SYSTEM, result, "memory")


class Refused(ProgramTest):
    """solutions/refused.txt has command lines of `check` and `draw`, too. Most texts that these
    commands refuse are in tests/boards/refused.txt."""

    def test_with_these_messages(self):
        self.assert_refusals("solutions/refused.txt")
