# SPDX-License-Identifier: MIT
"""`check`: placements that are solutions, that are not, and input that is no placement. Which pairs attack
each other is tested with the library."""

from program import (DONE, USAGE, WRONG, FolderTest, ProgramTest, document, documents, run, through_shell,
                     write)
from solutions import board, constructed, line

VALID = "2 4 1 3"


class Verdicts(ProgramTest):
    def test_valid(self):
        for text in (VALID, f"{VALID}\r\n", " 2, 4 ,1 ,3 # a comment\n", "\t2\t4 \t1\t\t3\t\n",
                     f"\n \t\n{VALID}\r\n\r\n", f"# 9 9 9\n\n# more\n{VALID}#no blank\n# 1\n#",
                     "002 04 1 3\n", f"#\0 é \033\n{VALID}\n", VALID + " # " + "long " * 10000,
                     f"\ufeff{VALID}\n", "\ufeff# 1\n2413\n", "\ufeff[2 4 1 3]",
                     "2,4,1,3, # 5\n", "[2, 4, 1, 3]\n", " (2,4,1,3) # tuple", "(2413)",
                     "53172864", "1", "[1]"):
            self.assert_answers("valid\n", "check", stdin=text)

    def test_attacks(self):
        for columns, (row, column), (lower, other), said in (
                ("1 1", (1, 1), (2, 1), "column"), ("1 2", (1, 1), (2, 2), "diagonal"),
                ("2 1", (1, 2), (2, 1), "diagonal"), ("1 3 5 2 4 6", (1, 1), (6, 6), "diagonal"),
                ("2 4 1 2", (1, 2), (4, 2), "column (3 pairs attack each other in all)")):
            self.assertEqual(run("check", stdin=columns), (
                WRONG, f"queens at row {row}, column {column} and row {lower}, column {other} share a {said}\n", ""))
        columns = constructed(100000)
        result = run("check", stdin=line([*columns[:-1], columns[0]]))
        for named in ("row 1, column 2", "row 100000, column 2", "share a column", "2 pairs"):
            self.assertIn(named, result.stdout)

    def test_two_queens_in_a_row(self):
        """They attack each other, wherever the row without a queen is. A picture has room for one."""
        for text, row, columns in ((".QQ.\n...Q\nQ...\n....\n", 1, (2, 3)), ("....\nQQQ.\n..Q.\n..QQ\n\n", 2, (1, 2))):
            self.assertEqual(run("check", stdin=text + "\n" + VALID), (
                WRONG, f"queens at row {row}, column {columns[0]} and row {row}, column {columns[1]} share a row\nvalid\n", ""))
            self.assertEqual(documents(run("check", "--json", stdin=text).stdout), [
                {"n": 4, "valid": False, "rows": [row, row], "columns": list(columns)}])
            self.assert_refused(["draw", "-"], "2 queens", f"row {row}", stdin=text)

    def test_json(self):
        for text, size, half, quarter in (("1", 1, True, True), (VALID, 2, True, True),
                                          ("2 4 6 1 3 5", 4, True, False), ("1 3 5 2 4", 8, False, False)):
            self.assertEqual(document("check", stdin=text), {
                "n": len(text.split()), "valid": True, "class_size": size, "half_turn": half,
                "quarter_turn": quarter})
        result = run("check", "--json", stdin=f"{VALID}\n2 4 3 1\n1\n")  # a document a line
        first, second, third = documents(result.stdout)
        self.assertEqual((result.returncode, first["valid"], third["valid"]), (WRONG, True, True))
        self.assertEqual(second, {"n": 4, "valid": False, "rows": [2, 3], "columns": [4, 3],
                                  "attacking_pairs": "1"})


class Many(ProgramTest):
    """A placement a line, a verdict a line."""

    def test_ends_at_a_line_that_is_no_placement(self):
        """Verdicts before it are printed; the message names the line."""
        for text, named in ((f"{VALID}\n1 1\n\n1 x\n1\n", ("line 4", "row 2", "'x'")),
                            (f"{VALID}\n1 1\n2\n1\n", ("line 3", "row 1", "column 2"))):
            result = run("check", stdin=text)
            self.assertEqual(result[:2], (USAGE, "valid\nqueens at row 1, column 1 and row 2, column 1 share a column\n"))
            self.assert_one_message(result.stderr, "stdin", *named)

    def test_boards_that_other_commands_wrote(self):
        """An empty line ends one; queens that attack another are marked."""
        for written, boards in (("list 6 --format board", 4), ("list 8 --fundamental --format board", 12),
                                ("draw 6 --limit 3", 3), ("draw 6", 1)):
            result = through_shell(f'"$@" {written} | "$@" check')
            self.assertEqual(result, (DONE, "valid\n" * boards, ""), written)
        marked = board((1, 3, 2, 4), attack=(1, 2, 3, 4))
        result = run("check", stdin=f"\ufeff{marked}\r\n.Q..\n...Q # row 2\n# row 3\n\t# too\nQ . . .\n  ..♛.\n\n{VALID}\n{marked}")
        attack = "queens at row 1, column 1 and row 4, column 4 share a diagonal (2 pairs attack each other in all)"
        self.assertEqual(result, (WRONG, f"{attack}\nvalid\nvalid\n{attack}\n", ""))

    def test_quiet(self):
        """The exit code is the answer."""
        for text, code in ((VALID, DONE), (f"1 1\n{VALID}\n", WRONG)):
            self.assertEqual(run("check", "-q", stdin=text), (code, "", ""))
        self.assert_each_refused(("check -q", "no placement"), ("check -q --json", "'--json'", "'--quiet'"))


class NoPlacement(ProgramTest):
    def test_refused(self):
        """No number wraps around to a valid column, no missing column makes the board smaller."""
        for text, *named in (
                *((text, "no placement") for text in ("", " \t\r\n\n", "# 2 4 1 3\n")),
                ("2 4 1", "row 2", "column 4", "1 to 3"), ("2 0 1 3", "row 2", "'0'", "from 1 to"),
                ("1302", "row 3", "'0'"), ("2415", "row 4", "column 5"),
                ("2413579860", "row 1"), ("24 13", "row 1", "24"), ("2,", "row 1"), ("[]", "']'"),
                ("[2, 4, 1, 3", "']'"), ("[2, 4, 1, 3)", "row 4", "'3)'"), ("2, 4, 1, 3]", "row 4", "'3]'"),
                ("(1) (1)", "')'"), ("[2,\n4, 1, 3]", "']'"), ("２ 4", "row 1"),
                *((f"2 4 {word} 3", "row 3", f"'{word}'") for word in ("x", "-1", "+2", "1.5", "0x2", "２")),
                *((f"2 4 {number} 3", "row 3", str(number)[:20]) for number in (2**32 + 1, 2**64 + 1, 10**99)),
                ("0" * 78 + "24 1 3", "row 1", "'000"), ("2 4 1\0 3",), ("2 4 \0 1 3",),
                ("[2,,4,1,3]", "row 2", "''"), (",2,4,1,3", "row 1", "''"), ("2,4,1,3,,", "row 5", "''"),
                (". Q . .\n. . . Q\n", "row 3", "0 squares", "4 x 4"),
                ("Q .\n. .\n", "row 2", "0 queens"),
                ("Q .\n. Q .\n", "row 2", "3 squares"),
                ("Q q\n", "row 1, column 2", "'q'"), ("Q *\n", "column 2", "'*'"), (".Q\n□.\n", "row 2, column 1"),
                ("[[2, 4, 1, 3], [3, 1, 4, 2]]", "line 1", "'[2'", "a list of lists", "jq"), ("[(1,)]", "'(1'", "a list of lists"),
                ('{"n": 4,', "JSON", "jq"), *((f"[{quote}.Q..{quote}]", "list of strings", "jq") for quote in "'\""),
                *((f"[[{quote}.Q..{quote}]]", "lists of strings", "jq") for quote in "'\""), ("\n8\r\n........\n", "line 2", "'8'", "without its size"),
                ("10\nQ.........\n", "'10'", "without its size"), ("□ Q\n", "row 1, column 1: '□'"), ("\u2588", "'\u2588'"), ("2 4\u00a01 3", r"'4\xc2\xa01'")):
            for command in ("check", "draw"):
                self.assert_refused([command], "stdin", *named, stdin=text)


class Files(FolderTest):
    def test_by_name(self):
        file = self.path("with blank é")
        write(file, VALID + "\r\n")
        self.assert_answers("valid\n", "check", file, stdin="x")  # stdin is not read
        for arguments in (["-"], ["--", "-"], ["/dev/stdin"]):
            self.assert_answers("valid\n", "check", *arguments, stdin=VALID)
        self.assert_refused(["check", file, "b"], "check", "'b'", "only [FILE]")
        for numbers in (["2413"], VALID.split()):
            self.assert_refused(["check", *numbers], f"'{numbers[0]}'", "file or stdin", "echo 2 4 1 3 | nqueens check")
        self.assert_refused(["check", __file__], f"'{__file__}'")
        write(file, b"Q\x80\n")
        self.assert_refused(["check", file], "row 1, column 1", r"'Q\x80'")
