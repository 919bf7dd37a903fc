"""Boards as text: in letters for pipes and files, in Unicode and colours for terminals."""
import re

from program import DONE, SYSTEM, WRONG, ProgramTest, run
from screen import run_on_terminal
from solutions import attack_text, attacked, board, line, solutions

UTF_8 = {"LC_ALL": "C.UTF-8"}
COLOURS = re.compile(r"\033\[[\d;]*m")


class Solution(ProgramTest):
    def test_first(self):
        for n in (1, 4, 5, 6, 7, 8):
            with self.subTest(n=n):
                self.assert_answers(board(solutions(n)[0]), "draw", str(n))

    def test_each(self):
        for n in (4, 6, 7):
            for number, columns in enumerate(solutions(n), 1):
                with self.subTest(n=n, number=number):
                    self.assert_answers(board(columns), "draw", str(n), "--solution", str(number))

    def test_counts_as_list_does(self):
        every = run("list", "10").stdout.splitlines()
        for number in (1, 2, 362, 723, 724):
            with self.subTest(number=number):
                columns = tuple(map(int, every[number - 1].split()))
                self.assert_answers(board(columns), "draw", "10", f"--solution={number}")

    def test_largest(self):
        columns = tuple(map(int, run("list", "28", "--limit", "1").stdout.split()))
        self.assert_answers(board(columns), "draw", "28")

    def test_beyond_the_last(self):
        """The message says how many solutions there are."""
        for n, number, total in (("1", "2", "1"), ("4", "3", "2"), ("8", "93", "92"),
                                 ("6", str(2**64 - 1), "4")):
            with self.subTest(n=n, number=number):
                self.assert_refused(["draw", n, "--solution", number], "--solution", f"'{number}'",
                                    f"n = {n}", f"{total} solution")

    def test_no_solution(self):
        for n in ("2", "3"):
            for options in ([], ["--solution", "1"], ["--solution", "5"]):
                with self.subTest(n=n, options=options):
                    self.assert_refused(["draw", n, *options], f"n = {n}", "no solution",
                                        "1, or 4 to 28")


class Stdin(ProgramTest):
    def test_placement(self):
        for columns in ((1,), (2, 4, 1, 3), solutions(8)[50]):
            for arguments in ([], ["-"]):
                with self.subTest(columns=columns, arguments=arguments):
                    self.assert_answers(board(columns), "draw", *arguments, stdin=line(columns))

    def test_comment(self):
        listed = run("list", "8", "--fundamental", "--limit", "1").stdout
        self.assert_answers(board((1, 5, 8, 6, 3, 7, 2, 4)), "draw", stdin=listed)

    def test_attack(self):
        """The board is printed, and every queen that attacks or is attacked is marked."""
        for columns, marked in (((1, 1), [1, 2]), ((2, 4, 1, 2), [1, 2, 3, 4]),
                                ((1, 3, 4, 2), [2, 3]),
                                ((1, 2, 3, 4), [1, 2, 3, 4]), (tuple(range(1, 9)), range(1, 9)),
                                ((1, 5, 8, 6, 3, 7, 2, 1), [1, 7, 8]),
                                ((2, 2, 8, 6, 3, 7, 4, 1), [1, 2, 3, 6, 7])):
            with self.subTest(columns=columns):
                self.assertEqual(attacked(columns), list(marked))
                result = run("draw", stdin=line(columns))
                self.assertEqual((result.returncode, result.stdout),
                                 (WRONG, board(columns, marked)))
                self.assertEqual(result.stderr, f"nqueens: {attack_text(columns)}\n")

    def test_large(self):
        text = run("construct", "1000").stdout
        self.assert_answers(board(tuple(map(int, text.split()))), "draw", stdin=text)

    def test_too_large(self):
        for n in ("1001", "100000"):
            with self.subTest(n=n):
                self.assert_refused(["draw"], "1 to 1000",
                                    stdin=run("construct", n).stdout)


class Terminal(ProgramTest):
    """A square is two columns wide, which looks about square."""

    def drawn(self, n, **env):
        session = run_on_terminal("draw", str(n), env={"LANG": None, "LC_ALL": None,
                                                       "LC_CTYPE": None, **env})
        self.assertEqual(session.code, DONE)
        return session.written.replace("\r\n", "\n")

    def test_colours(self):
        columns = solutions(8)[0]
        rows = self.drawn(8, **UTF_8).splitlines()
        self.assertEqual(len(rows), 8)
        for row, queen in zip(rows, columns):
            plain = COLOURS.sub("", row)
            self.assertEqual(plain.index("♛"), 2 * (queen - 1))
            self.assertEqual(plain.replace("♛", " "), " " * 16)
            self.assertTrue(row.endswith("\033[0m"))  # the colour ends with the row

    def test_squares_alternate(self):
        rows = self.drawn(5, **UTF_8).splitlines()
        grounds = [re.findall(r"\033\[48;5;(\d+)m", row) for row in rows]
        self.assertTrue(all(len(row) == 5 for row in grounds))
        self.assertEqual(len({ground for row in grounds for ground in row}), 2)
        for row in range(5):
            for column in range(5):
                self.assertEqual(grounds[row][column] == grounds[0][0], (row + column) % 2 == 0)

    def test_no_color(self):
        """https://no-color.org: no colour if the variable is set and not empty."""
        text = self.drawn(8, NO_COLOR="1", **UTF_8)
        self.assertNotIn("\033", text)
        rows = text.splitlines()
        self.assertEqual([row.index("♛") // 2 + 1 for row in rows], list(solutions(8)[0]))
        self.assertEqual({sign for row in rows for sign in row}, set("♛□■ "))
        self.assertEqual(rows[0][2::2], "■□■□■□■")
        self.assertIn("\033", self.drawn(8, NO_COLOR="", **UTF_8))

    def test_other_ways_to_say_utf_8(self):
        for env in ({"LANG": "C.UTF-8"}, {"LC_CTYPE": "C.UTF-8", "LANG": "C"}):
            with self.subTest(env=env):
                self.assertIn("♛", self.drawn(4, **env))

    def test_plain(self):
        for env in ({}, {"LC_ALL": "C"}, {"LC_ALL": "C", "LANG": "C.UTF-8"},
                    {"LC_ALL": "no_SUCH.UTF-8"}, {**UTF_8, "TERM": "dumb"}, {**UTF_8, "TERM": None},
                    {**UTF_8, "TERM": ""}):
            with self.subTest(env=env):
                self.assertEqual(self.drawn(6, **env), board(solutions(6)[0]))

    def test_stdout_elsewhere(self):
        session = run_on_terminal("draw", "6", env=UTF_8, stdout_is_pipe=True)
        self.assertEqual((session.code, session.stdout, session.written),
                         (DONE, board(solutions(6)[0]), ""))
        self.assert_answers(board(solutions(6)[0]), "draw", "6", env=UTF_8)

    def test_attack_in_colours(self):
        """All queens of a diagonal are red."""
        session = run_on_terminal("draw", keys="1 2 3 4\n\4", env=UTF_8)
        rows = [row for row in session.written.splitlines() if "♛" in row]
        self.assertEqual((session.code, len(rows)), (WRONG, 4), session.written)
        for row in rows:
            self.assertRegex(row, r"\033\[1;38;5;160m♛")

    def test_it_says_what_it_waits_for(self):
        for arguments, answer in ((["draw"], board((2, 4, 1, 3))),
                                  (["draw", "-"], board((2, 4, 1, 3))), (["check"], "valid\n")):
            with self.subTest(arguments=arguments):
                session = run_on_terminal(*arguments, keys="2 4 1 3\n\4", env={"LC_ALL": "C"})
                self.assertEqual((session.code, session.written.replace("\r\n", "\n")), (
                    DONE, f"nqueens: {arguments[0]}: type the columns of rows 1 to n on "
                          f"one line; Ctrl-D ends the input\n{answer}"))

    def test_nothing_is_said_of_a_pipe_or_when_quiet(self):
        self.assertEqual(run("check", stdin="1").stderr, "")
        session = run_on_terminal("check", "-q", keys="2 4 1 3\n\4")
        self.assertEqual((session.code, session.written), (DONE, ""))

    def test_list_is_plain(self):
        session = run_on_terminal("list", "6", "--format=board", "--limit=1", env=UTF_8)
        self.assertEqual(session.written.replace("\r\n", "\n"), board(solutions(6)[0]))


class BadInput(ProgramTest):
    def test_no_size(self):
        for n in ("0", "29", "8x", "x", "", "1e1", " 8", "9" * 30):
            with self.subTest(n=n):
                self.assert_refused(["draw", n], f"'{n}'", "1 to 28", "stdin", "1000")

    def test_negative(self):
        for n in ("-1", "-8"):
            with self.subTest(n=n):
                self.assert_refused(["draw", "--", n], f"'{n}'", "1 to 28")
                self.assert_refused(["draw", n], f"'{n}'", "1 to 28")

    def test_several(self):
        for arguments in (["4", "5"], ["4", "-"], ["-", "4"], ["-", "-"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["draw", *arguments], f"'{arguments[1]}'", "one board")

    def test_solution(self):
        for number in ("0", "-1", "x", "", "1x", str(2**64)):
            with self.subTest(number=number):
                self.assert_refused(["draw", "8", "--solution", number], "--solution",
                                    f"'{number}'", "1")

    def test_solution_of_stdin(self):
        for arguments in ([], ["-"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["draw", *arguments, "--solution", "1"],
                                    "'--solution' does not go with", "stdin", stdin="1")


class Stdout(ProgramTest):
    def test_full(self):
        for arguments, stdin in ((["8"], ""), (["-"], "2 4 1 3")):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                result = run("draw", *arguments, stdin=stdin, stdout=full)
                self.assert_fails(SYSTEM, result, "stdout")
