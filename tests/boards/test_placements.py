# SPDX-License-Identifier: MIT
"""`check` reads placements that are solutions, placements that are not, and input that is no
placement. Tests of the library check which pairs of queens attack each other."""

from program import (
    DONE,
    USAGE,
    WRONG,
    FolderTest,
    ProgramTest,
    document,
    documents,
    run,
    through_shell,
    write,
)
from solutions import board, constructed, line

VALID = "2 4 1 3"


class Verdicts(ProgramTest):
    def test_solutions_are_valid_in_any_notation(self):
        for text in (
            VALID,
            f"{VALID}\r\n",
            " 2, 4 ,1 ,3 # a comment\n",
            "\t2\t4 \t1\t\t3\t\n",
            f"\n \t\n{VALID}\r\n\r\n",
            f"# 9 9 9\n\n# more\n{VALID}#no blank\n# 1\n#",
            "002 04 1 3\n",
            f"#\0 é \033\n{VALID}\n",
            VALID + " # " + "long " * 10000,
            f"\ufeff{VALID}\n",
            "\ufeff# 1\n2413\n",
            "\ufeff[2 4 1 3]",
            "2,4,1,3, # 5\n",
            "[2, 4, 1, 3]\n",
            " (2,4,1,3) # tuple",
            "(2413)",
            "53172864",
            "136824975",
            "1",
            "[1]",
        ):
            self.assert_answers("valid\n", "check", stdin=text)

    def test_the_first_attack_is_named(self):
        for columns, said in (
            ("1 1", "row 1, column 1 and row 2, column 1 share a column"),
            ("2 1", "row 1, column 2 and row 2, column 1 share a diagonal"),
            ("1 3 5 2 4 6", "row 1, column 1 and row 6, column 6 share a diagonal"),
            (
                "2 4 1 2",
                "row 1, column 2 and row 4, column 2 share a column "
                "(3 pairs attack each other in all)",
            ),
        ):
            self.assertEqual(run("check", stdin=columns), (WRONG, f"queens at {said}\n", ""))
        columns = constructed(100000)
        result = run("check", stdin=line([*columns[:-1], columns[0]]))
        for named in ("row 1, column 2", "row 100000, column 2", "share a column", "2 pairs"):
            self.assertIn(named, result.stdout)

    def test_two_queens_in_a_row(self):
        """Two queens in a row attack each other, wherever the row without a queen is. Only a board
        can show two queens in a row."""
        text = "....\nQQQ.\n..Q.\n..QQ\n"
        shared = "queens at row 2, column 1 and row 2, column 2 share a row"
        self.assertEqual(run("check", stdin=text + "\n" + VALID), (WRONG, f"{shared}\nvalid\n", ""))
        self.assertEqual(
            documents(run("check", "--json", stdin=text).stdout),
            [{"n": 4, "valid": False, "rows": [2, 2], "columns": [1, 2]}],
        )

    def test_json_has_the_class_or_the_first_attack(self):
        for text, size, half, quarter in (
            ("1", 1, True, True),
            (VALID, 2, True, True),
            ("2 4 6 1 3 5", 4, True, False),
            ("1 3 5 2 4", 8, False, False),
        ):
            self.assertEqual(
                document("check", stdin=text),
                {
                    "n": len(text.split()),
                    "valid": True,
                    "class_size": size,
                    "half_turn": half,
                    "quarter_turn": quarter,
                },
            )
        # Each placement has a document on a line of its own.
        result = run("check", "--json", stdin=f"{VALID}\n2 4 3 1\n1\n")
        first, second, third = documents(result.stdout)
        self.assertEqual((result.returncode, first["valid"], third["valid"]), (WRONG, True, True))
        self.assertEqual(
            second,
            {"n": 4, "valid": False, "rows": [2, 3], "columns": [4, 3], "attacking_pairs": "1"},
        )


class Refused(ProgramTest):
    def test_with_these_messages(self):
        self.assert_refusals("boards/refused.txt")


class Many(ProgramTest):
    """Each placement has a verdict, on a line of its own."""

    def test_ends_at_a_line_that_is_no_placement(self):
        """The verdicts before it are printed, and the message names the line."""
        for text, named in (
            (f"{VALID}\n1 1\n\n1 x\n1\n", ("line 4", "row 2", "'x'")),
            (f"{VALID}\n1 1\n2\n1\n", ("line 3", "row 1", "column 2")),
        ):
            result = run("check", stdin=text)
            self.assertEqual(
                result[:2],
                (USAGE, "valid\nqueens at row 1, column 1 and row 2, column 1 share a column\n"),
            )
            self.assert_one_message(result.stderr, "stdin", *named)

    def test_boards_that_other_commands_wrote(self):
        """An empty line ends a board. Queens that attack another queen may be marked."""
        for written, boards in (
            ("list 6 --format board", 4),
            ("list 8 --fundamental --format board", 12),
            ('list 6 | "$@" draw', 4),
            ("draw 6", 1),
        ):
            result = through_shell(f'"$@" {written} | "$@" check')
            self.assertEqual(result, (DONE, "valid\n" * boards, ""), written)
        marked = board((1, 3, 2, 4), attack=(1, 2, 3, 4))
        commented = ".Q..\n...Q # row 2\n# row 3\n\t# too\nQ . . .\n  ..♛.\n"
        result = run("check", stdin=f"\ufeff{marked}\r\n{commented}\n{VALID}\n{marked}")
        attack = (
            "queens at row 1, column 1 and row 4, column 4 share a diagonal "
            "(2 pairs attack each other in all)"
        )
        self.assertEqual(result, (WRONG, f"{attack}\nvalid\nvalid\n{attack}\n", ""))

    def test_quiet(self):
        """With -q the exit code is the only answer."""
        for text, code in ((VALID, DONE), (f"1 1\n{VALID}\n", WRONG)):
            self.assertEqual(run("check", "-q", stdin=text), (code, "", ""))


class Files(FolderTest):
    def test_files_are_read_by_name(self):
        file = self.path("with blank é")
        write(file, VALID + "\r\n")
        # If there is a file, stdin is not read.
        self.assert_answers("valid\n", "check", file, stdin="x")
        for arguments in (["-"], ["--", "-"], ["/dev/stdin"]):
            self.assert_answers("valid\n", "check", *arguments, stdin=VALID)
        write(file, b"Q\x80\n")
        self.assert_refused(["check", file], f"'{file}', line 1, row 1, column 1: 'Q\\x80'")
