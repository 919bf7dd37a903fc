"""`check`: placements that are solutions, that are not, and input that is no placement. Which pairs attack
each other is tested with the library."""
import json
import os
import tempfile

from program import DONE, SYSTEM, USAGE, WRONG, ProgramTest, run, through_shell
from solutions import attack_text, attacks, line

VALID = "2 4 1 3"


class Verdicts(ProgramTest):
    def test_valid(self):
        for text in (VALID, f"{VALID}\r\n", "2,4,1,3", " 2, 4 , 1 ,3 # a comment\n", "\t2\t4 \t1\t\t3\t\n",
                     f"\n \t\n{VALID}\r\n\r\n", f"# 9 9 9\n\n# more\n{VALID}#no blank\n# 1\n#",
                     "002 04 1 3\n", f"#\0 é \033\n{VALID}\n", VALID + " # " + "long " * 10000):
            with self.subTest(text=text[:40]):
                self.assert_answers("valid\n", "check", stdin=text)

    def test_attacks(self):
        """The first pair by its upper row and then by its lower one, and the number of pairs."""
        for columns in ((1, 1), (1, 2), (2, 1), (2, 4, 1, 2), (1, 3, 5, 2, 4, 6), (4, 4, 1, 1),
                        tuple(range(1, 9)), (1,) * 100):
            with self.subTest(columns=columns):
                result = run("check", stdin=line(columns))
                self.assertEqual((result.returncode, result.stdout, result.stderr),
                                 (WRONG, attack_text(columns) + "\n", ""))
        columns = run("construct", "100000").stdout.split()
        result = run("check", stdin=" ".join([*columns[:-1], columns[0]]))
        self.assertRegex(result.stdout, r"\Aqueens at row 1, column 2 and row 100000, column 2 share a column "
                                        r"\(2 pairs attack each other in all\)\n\Z")

    def test_json(self):
        for text, size, half, quarter in (("1", 1, True, True), (VALID, 2, True, True),
                                          ("2 4 6 1 3 5", 4, True, False), ("1 3 5 2 4", 8, False, False)):
            result = run("check", "--json", stdin=text)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            self.assertEqual(json.loads(result.stdout), {
                "n": len(text.split()), "valid": True, "class_size": size, "half_turn": half,
                "quarter_turn": quarter})
        result = run("check", "--json", stdin=f"{VALID}\n2 4 3 1\n1\n")  # a document a line
        self.assertEqual(result.returncode, WRONG)
        first, second, third = map(json.loads, result.stdout.splitlines())
        self.assertEqual((first["valid"], third["valid"]), (True, True))
        self.assertEqual(second, {"n": 4, "valid": False, "rows": [2, 3], "columns": [4, 3],
                                  "attacking_pairs": str(len(attacks((2, 4, 3, 1))))})


class Many(ProgramTest):
    """A placement a line, a verdict a line."""

    def test_what_list_prints(self):
        for options in ([], ["--fundamental"]):
            listed = run("list", "6", *options).stdout
            self.assert_answers("valid\n" * listed.count("\n"), "check", stdin=listed)

    def test_some_are_wrong(self):
        for place in (0, 1, 3):
            lines, verdicts = [VALID, "# 1 1", "", "1"], ["valid", "valid"]
            lines.insert(place, "1 2 3 4")
            verdicts.insert(min(place, 1), attack_text((1, 2, 3, 4)))
            result = run("check", stdin="\n".join(lines))
            self.assertEqual((result.returncode, result.stdout.splitlines()), (WRONG, verdicts))

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
        for text, code in ((VALID, DONE), (f"1 1\n{VALID}\n", WRONG)):
            result = run("check", "-q", stdin=text)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (code, "", ""))
        self.assert_refused(["check", "-q"], "no placement")
        self.assert_refused(["check", "-q", "--json"], "'--json' does not go with '--quiet'")


class NoPlacement(ProgramTest):
    def test_refused(self):
        """No number wraps around to a valid column, no missing column makes the board smaller."""
        for text, *named in (
                *((text, "no placement") for text in ("", " \t\r\n\n", "# 2 4 1 3\n", "\n#\n")),
                ("2 4 1", "row 2", "column 4", "1 to 3"), ("2", "row 1", "column 2"),
                ("2 4 1 5", "row 4", "column 5", "1 to 4"), ("2 0 1 3", "row 2", "'0'"),
                ("2,4,,1,3", "row 3: ''"), (",2,4,1,3", "row 1: ''"), ("2 4 1 3 , # 5\n", "row 5: ''"),
                *((f"2 4 {word} 3", "row 3", f"'{word}'") for word in ("x", "-1", "+2", "1.5", "0x2", "２")),
                *((f"2 4 {number} 3", "row 3", str(number)[:20]) for number in (2**32 + 1, 2**64 + 1, 10**99)),
                ("2 4 1\0 3",), ("2 4 \0 1 3",), ("\0",), (". Q . .\n. . . Q\n", "row 1", "'.'")):
            for command in ("check", "draw"):
                with self.subTest(text=text[:40], command=command):
                    self.assert_refused([command], "stdin", *named, stdin=text)


class Files(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nq-")
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "with blank é")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(VALID + "\r\n")

    def test_by_name(self):
        self.assert_answers("valid\n", "check", self.path, stdin="x")  # stdin is not read
        for arguments in (["-"], ["--"], ["--", "-"], ["/dev/stdin"]):
            self.assert_answers("valid\n", "check", *arguments, stdin=VALID)
        self.assert_refused(["check", self.path, "b"], "check", "'b'", "one file")
        self.assert_refused(["check", __file__], f"'{__file__}'")

    def test_unreadable(self):
        for path, why in (("missing", "No such file"), (os.path.dirname(self.path), "Is a directory"),
                          (f"{self.path}/x", "Not a directory"), ("", "No such file"),
                          ("/proc/self/mem", "cannot be read")):
            self.assert_fails(SYSTEM, run("check", path), f"'{path}'", why)
        for script in ('exec "$@" <&-', 'exec "$@" </'):
            for command in ("check", "draw"):
                self.assert_fails(SYSTEM, through_shell(script, command), "stdin")

    def test_stdout_is_full(self):
        for stdin in (VALID, "1 1"):
            for command in ("check", "draw"):
                with self.subTest(command=command, stdin=stdin), open("/dev/full", "w") as full:
                    result = run(command, stdin=stdin, stdout=full)
                    self.assertIn(result.returncode, (WRONG, SYSTEM) if stdin == "1 1" else (SYSTEM,))
                    self.assertIn("stdout", result.stderr)
