"""`check`: placements that are solutions, that are not, and input that is no placement."""
import json
import os
import tempfile
import unittest

from program import DONE, SYSTEM, USAGE, WRONG, ProgramTest, run, through_shell
from solutions import attack_text, attacks, line

VALID = "2 4 1 3"


class CheckTest(ProgramTest):
    def assert_valid(self, text):
        self.assert_answers("valid\n", "check", stdin=text)

    def assert_attack(self, columns):
        """Exit code 1; the answer is the first pair and its common column or diagonal, and the
        number of pairs if there are more."""
        result = run("check", stdin=line(columns))
        self.assertEqual((result.returncode, result.stderr), (WRONG, ""))
        self.assertEqual(result.stdout, attack_text(columns) + "\n")


class FileTest(CheckTest):
    def path(self, name="placement"):
        return os.path.join(self.folder, name)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nq-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, content, name="placement"):
        with open(self.path(name), "wb") as file:
            file.write(content.encode())
        return self.path(name)


class Valid(CheckTest):

    def test_how_lines_may_look(self):
        for text in ("2,4,1,3", " 2, 4 , 1 ,3 # a comment\n", "2,4 1\t,3\n",
                     VALID, VALID + "\n", f"{VALID}\r\n", f"  {VALID}  \n", "\t2\t4 \t1\t\t3\t\n",
                     f"\n\n{VALID}\n\n", f"\r\n \t\n{VALID}\r\n\r\n", f"{VALID} # a comment\n",
                     f"{VALID}#no blank before it\n", f"# 9 9 9\n\n# more\n{VALID}\n# 1\n#",
                     f"{VALID}\n   # after it", "2 4 1 3 # 9 9\r\n", "002 04 1 3\n",
                     "\v2\f4 1 3\n", f"#\0 é \033\n{VALID}\n", VALID + " # " + "long " * 10000):
            with self.subTest(text=text[:40]):
                self.assert_valid(text)

    def test_what_list_prints(self):
        """Each line of `list --fundamental` has the size of the class as a comment."""
        lines = run("list", "8", "--fundamental").stdout.splitlines(keepends=True)
        self.assertEqual(len(lines), 12)
        for one in lines:
            with self.subTest(line=one):
                self.assertIn("#", one)
                self.assert_valid(one)


class Attack(CheckTest):
    def test_column_and_diagonals(self):
        for columns in ((1, 1), (1, 2), (2, 1), (3, 1, 4, 3), (2, 4, 1, 2), (4, 1, 2, 3),
                        (1, 4, 2, 1), (1, 3, 5, 2, 4, 6), (5, 3, 1, 4, 2, 6)):
            with self.subTest(columns=columns):
                self.assert_attack(columns)

    def test_number_of_pairs(self):
        for columns, pairs in ((range(1, 9), 28), ([1] * 100, 4950), ((1, 1, 1), 3)):
            result = run("check", stdin=line(columns))
            self.assertRegex(result.stdout, rf" \({pairs} pairs attack each other in all\)\n\Z")
        self.assertNotIn("(", run("check", stdin="1 3 4 2").stdout)

    def test_last_row_of_a_large_board(self):
        columns = run("construct", "100000").stdout.split()
        columns[-1] = columns[0]
        result = run("check", stdin=" ".join(columns))
        self.assertEqual((result.returncode, result.stderr), (WRONG, ""))
        self.assertRegex(result.stdout,
                         r"\Aqueens at row 1, column 2 and row 100000, column 2 share a column "
                         r"\(2 pairs attack each other in all\)\n\Z")


class Json(CheckTest):
    def document(self, text, code):
        result = run("check", "--json", stdin=text)
        self.assertEqual((result.returncode, result.stderr), (code, ""))
        self.assertRegex(result.stdout, r"\A\{[^\n]*\}\n\Z")
        return json.loads(result.stdout)

    def test_symmetric(self):
        """A solution of each kind of symmetry."""
        for text, size, half, quarter in (("1", 1, True, True), ("2 4 1 3", 2, True, True),
                                          ("2 4 6 1 3 5", 4, True, False),
                                          ("1 3 5 2 4", 8, False, False),
                                          (run("construct", "1000").stdout, 4, True, False)):
            with self.subTest(text=text[:20]):
                document = self.document(text, DONE)
                self.assertEqual([document[name] for name in ("class_size", "half_turn",
                                                              "quarter_turn")],
                                 [size, half, quarter])

    def test_attack(self):
        self.assertEqual(self.document("3 1 4 3", WRONG),
                         {"n": 4, "valid": False, "rows": [1, 4], "columns": [3, 3],
                          "attacking_pairs": "3"})
        self.assertEqual(self.document("2 4 3 1", WRONG),
                         {"n": 4, "valid": False, "rows": [2, 3], "columns": [4, 3],
                          "attacking_pairs": str(len(attacks((2, 4, 3, 1))))})


class Many(CheckTest):
    """A placement a line, a verdict a line."""

    def check(self, text, *options):
        result = run("check", *options, stdin=text)
        return result.returncode, result.stdout

    def test_one_is_wrong(self):
        for wrong in ((1, 1), (4, 1, 2, 3), (1, 2, 3, 4)):
            for before, after in ((0, 3), (2, 1), (3, 0)):
                with self.subTest(wrong=wrong, before=before):
                    lines = [VALID] * before + [line(wrong)] + ["1"] * after
                    verdicts = (["valid"] * before + [attack_text(wrong)] + ["valid"] * after)
                    self.assertEqual(self.check("\n".join(lines)),
                                     (WRONG, "".join(f"{one}\n" for one in verdicts)))

    def test_blank_lines_and_comments_between(self):
        self.assertEqual(self.check(f"# two\n\n{VALID} # 2\n\r\n \n# 1 1\n1\n\n#"),
                         (DONE, "valid\nvalid\n"))

    def test_as_json(self):
        """A document a line."""
        code, stdout = self.check(f"{VALID}\n1 1\n1\n", "--json")
        self.assertEqual((code, [json.loads(one)["valid"] for one in stdout.splitlines()]),
                         (WRONG, [True, False, True]))

    def test_ends_at_a_line_that_is_no_placement(self):
        """Verdicts before it are printed; the message names the line."""
        for text, named in ((f"{VALID}\n1 1\n\n1 x\n1\n", ("line 4", "row 2", "'x'")),
                            (f"{VALID}\n1 1\n2\n1\n", ("line 3", "row 1", "column 2"))):
            result = run("check", stdin=text)
            self.assertEqual((result.returncode, result.stdout),
                             (USAGE, f"valid\n{attack_text((1, 1))}\n"))
            self.assert_one_message(result.stderr, "stdin", *named)

    def test_quiet(self):
        """The exit code is the answer."""
        for text, code in ((VALID, DONE), (f"{VALID}\n1\n", DONE), ("1 1", WRONG),
                           (f"1 1\n{VALID}\n", WRONG)):
            for option in ("-q", "--quiet"):
                result = run("check", option, stdin=text)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (code, "", ""))
        self.assert_refused(["check", "-q"], "no placement")
        self.assert_refused(["check", "-q", "--json"], "'--json' does not go with '--quiet'",
                            stdin=VALID)


class NoPlacement(CheckTest):
    def assert_no_placement(self, text, *named):
        for command in ("check", "draw"):
            with self.subTest(text=text[:40], command=command):
                self.assert_refused([command], "stdin", *named, stdin=text)

    def test_nothing(self):
        for text in ("", "\n", " \t\r\n\n", "# 2 4 1 3\n", "#", "\n#\n"):
            self.assert_no_placement(text, "no placement")

    def test_wrong_number_of_columns(self):
        """The message names a column that such a board does not have."""
        self.assert_no_placement("2 4 1", "row 2", "column 4", "1 to 3")
        self.assert_no_placement("2", "row 1", "column 2")
        # One column too many makes the board larger, and queens attack each other on it.
        self.assertEqual(run("check", stdin="2 4 1 3 1").returncode, WRONG)

    def test_commas_without_a_column(self):
        """A missing column must not make the board smaller."""
        for text, row in (("2,4,,1,3", 3), (",2,4,1,3", 1), ("2,4,1,3,", 5), ("2 4 1 3 , # 5\n", 5), (",", 1)):
            self.assert_no_placement(text, f"row {row}: ''")

    def test_out_of_range(self):
        self.assert_no_placement("2 4 1 5", "row 4", "column 5", "1 to 4")
        self.assert_no_placement("1000000000", "row 1", "1000000000")
        self.assert_no_placement("2 0 1 3", "row 2", "'0'")

    def test_no_number(self):
        for word in ("x", "-1", "+2", "1.5", "1e0", "0x2", "½", "２", "-", "2-", "\033[2J"):
            seen = word if word.isprintable() else "[2J"
            self.assert_no_placement(f"2 4 {word} 3", "row 3", f"{seen}'", "column")

    def test_huge_numbers(self):
        """No number wraps around to a valid column."""
        for number in (2**32 + 1, 2**64 + 1, 10 * 2**63 + 1, 10**100):
            self.assert_no_placement(f"2 4 {number} 3", "row 3", str(number)[:20])
        self.assert_no_placement("2 4 " + "1" * 100000 + " 3", "row 3", "1" * 60)
        self.assert_no_placement("2 4 1 " + "0" * 200 + "3", "row 4")

    def test_nul_byte(self):
        for text in ("2 4 1\0 3", "2 4 \0 1 3", "2 4 1\0 3 1", "\0", "2 4 1 3\0"):
            self.assert_no_placement(text)


class Files(FileTest):
    def test_by_name(self):
        self.assert_answers("valid\n", "check", self.write(VALID + "\r\n"))
        self.assert_answers("valid\n", "check", self.write(VALID, "with blank é"))
        self.assertEqual(run("check", self.write("1 1")).returncode, WRONG)

    def test_stdin(self):
        for arguments in ([], ["-"], ["--"], ["--", "-"]):
            with self.subTest(arguments=arguments):
                self.assert_answers("valid\n", "check", *arguments, stdin=VALID)
        self.assert_answers("valid\n", "check", "/dev/stdin", stdin=VALID)

    def test_name_and_stdin(self):
        """The named file is read, stdin is not."""
        self.assert_answers("valid\n", "check", self.write(VALID), stdin="x")

    def test_unreadable(self):
        self.write(VALID)
        for name, why in (("missing", "No such file"), ("no/file", "No such file"),
                          (".", "Is a directory"), ("placement/x", "Not a directory")):
            with self.subTest(name=name):
                path = self.path(name)
                self.assert_fails(SYSTEM, run("check", path), f"'{path}'", why)
        self.assert_fails(SYSTEM, run("check", ""), "''", "No such file")

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_forbidden(self):
        path = self.write(VALID)
        os.chmod(path, 0)
        self.assert_fails(SYSTEM, run("check", path), f"'{path}'", "Permission denied")

    def test_error_while_reading(self):
        """/proc/self/mem can be opened, but reading its start fails."""
        self.assert_fails(SYSTEM, run("check", "/proc/self/mem"), "'/proc/self/mem'",
                          "cannot be read")

    def test_stdin_that_cannot_be_read(self):
        for script in ('exec "$@" <&-', 'exec "$@" </'):
            for command in ("check", "draw"):
                with self.subTest(script=script, command=command):
                    self.assert_fails(SYSTEM, through_shell(script, command), "stdin")

    def test_several(self):
        path = self.write(VALID)
        self.assert_refused(["check", path, "b"], "check", "'b'", "one file")
        self.assert_refused(["check", "-", "-"], "check", "'-'", stdin=VALID)
