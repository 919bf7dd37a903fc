"""Boards as text, in letters for pipes and files and in Unicode and colours for terminals; and as
pictures."""
import os
import re
import tempfile
import xml.etree.ElementTree

from program import DONE, SYSTEM, WRONG, ProgramTest, run
from screen import run_on_terminal
from solutions import attack_text, attacked, attacks, board, class_of, line, solutions

UTF_8 = {"LC_ALL": "C.UTF-8"}
COLOURS = re.compile(r"\033\[[\d;]*m")
CHOOSING = (["--solution", "1"], ["--limit", "1"], ["--fundamental"])


def constructed(n):
    return tuple(map(int, run("construct", str(n)).stdout.split()))


def boards(placements):
    """Several boards, numbered."""
    return "\n".join(f"{number}:\n{board(columns)}"
                     for number, columns in enumerate(placements, 1))


def representatives(n):
    """The first solution of each class."""
    return [columns for columns in solutions(n) if columns == min(class_of(columns))]


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

    def test_too_large(self):
        for n in ("1001", "100000"):
            with self.subTest(n=n):
                self.assert_refused(["draw"], "1 to 1000",
                                    stdin=run("construct", n).stdout)


class Several(ProgramTest):
    def test_limit(self):
        every = solutions(7)
        for limit in (2, 39, 40):
            with self.subTest(limit=limit):
                self.assert_answers(boards(every[:limit]), "draw", "7", "--limit", str(limit))

    def test_classes(self):
        for n in (5, 7, 8):
            with self.subTest(n=n):
                self.assert_answers(boards(representatives(n)), "draw", str(n), "--fundamental")
        self.assert_answers(boards(representatives(8)[:3]), "draw", "8", "--fundamental",
                            "--limit=3")
        self.assert_answers(board(representatives(8)[6]), "draw", "8", "--fundamental",
                            "--solution=7")

    def test_placements(self):
        self.assert_answers(boards([(1,), (2, 4, 1, 3), (1,)]), "draw",
                            stdin="1\n# a comment\n\n2 4 1 3 # 2\n1")
        listed = run("list", "8", "--fundamental").stdout
        self.assert_answers(boards(representatives(8)), "draw", "-", stdin=listed)

    def test_attacks(self):
        """The message names the board."""
        result = run("draw", stdin="1 1\n2 4 1 3\n1 2 3\n")
        self.assertEqual((result.returncode, result.stdout),
                         (WRONG, f"1:\n{board((1, 1), (1, 2))}\n2:\n{board((2, 4, 1, 3))}\n"
                                 f"3:\n{board((1, 2, 3), (1, 2, 3))}"))
        self.assertEqual(result.stderr, f"nqueens: 1: {attack_text((1, 1))}\n"
                                        f"nqueens: 3: {attack_text((1, 2, 3))}\n")

    def test_too_many(self):
        self.assert_refused(["draw", "8", "--limit", "401"], "--limit", "'401'", "1 to 400")
        self.assert_refused(["draw", "12", "--fundamental"], "n = 12", "400", "--limit")
        self.assert_refused(["draw"], "400 placements", stdin="1\n" * 401)

    def test_one_that_is_no_placement(self):
        """Nothing is drawn."""
        self.assert_refused(["draw"], "line 2", "row 2", "'x'", stdin="1\n1 x\n")


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

    def test_no_color(self):
        """https://no-color.org: no colour if the variable is set and not empty."""
        text = self.drawn(8, NO_COLOR="1", **UTF_8)
        self.assertNotIn("\033", text)
        rows = text.splitlines()
        self.assertEqual([row.index("♛") // 2 + 1 for row in rows], list(solutions(8)[0]))
        self.assertEqual({sign for row in rows for sign in row}, set("♛□■ "))
        self.assertEqual(rows[0][2::2], "■□■□■□■")
        self.assertIn("\033", self.drawn(8, NO_COLOR="", **UTF_8))

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

    def test_it_says_what_it_waits_for(self):
        for arguments, answer in ((["draw"], board((2, 4, 1, 3))),
                                  (["draw", "-"], board((2, 4, 1, 3))), (["check"], "valid\n")):
            with self.subTest(arguments=arguments):
                session = run_on_terminal(*arguments, keys="2 4 1 3\n\4", env={"LC_ALL": "C"})
                self.assertEqual((session.code, session.written.replace("\r\n", "\n")), (
                    DONE, f"nqueens: {arguments[0]}: type the columns of rows 1 to n on "
                          f"one line; Ctrl-D ends the input\n{answer}"))

    def test_a_narrow_terminal(self):
        """It breaks the lines of wider boards, which is said once."""
        for arguments, width in ((["draw", "28"], 55), (["draw", "28", "--limit=3"], 55),
                                 (["list", "12", "--format=board", "--limit=2"], 23)):
            with self.subTest(arguments=arguments):
                said = f"characters wide, and this terminal {width - 1}"
                narrow = run_on_terminal(*arguments, columns=width - 1, env={"LC_ALL": "C"})
                self.assertEqual((narrow.code, narrow.written.count(said)), (0, 1), narrow.written)
                for columns in (width, 0):
                    self.assertNotIn("wide", run_on_terminal(*arguments, columns=columns,
                                                             env={"LC_ALL": "C"}).written)
                self.assertNotIn("wide", run_on_terminal(*arguments, columns=width - 1, env={"LC_ALL": "C"},
                                                         stdout_is_pipe=True).written)


class BadInput(ProgramTest):
    def test_no_size(self):
        for n in ("0", "29", "8x", "x", "", "1e1", " 8", "9" * 30):
            with self.subTest(n=n):
                self.assert_refused(["draw", n], f"'{n}'", "1 to 28", "stdin", "1000")

    def test_several(self):
        for arguments in (["4", "5"], ["4", "-"], ["-", "4"], ["-", "-"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["draw", *arguments], f"'{arguments[1]}'", "one N")

    def test_choice_of_stdin(self):
        for arguments in ([], ["-"]):
            for option in CHOOSING:
                with self.subTest(arguments=arguments, option=option):
                    self.assert_refused(["draw", *arguments, *option],
                                        f"'{option[0]}' does not go with", "stdin", stdin="1")


class FileTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nq-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def content(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def drawn(self, name, *arguments, code=DONE, **how):
        """Draws to a file and returns what is in it."""
        result = run("draw", *arguments, "--output", self.path(name), **how)
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        if code == DONE:
            self.assertEqual(result.stderr, "")
        return self.content(name)


class Svg(FileTest):
    RED = "#c81e1e"

    def element(self, name):
        return f"{{http://www.w3.org/2000/svg}}{name}"

    def picture(self, text):
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(root.tag, self.element("svg"))
        self.assertEqual(root.get("viewBox"), f"0 0 {root.get('width')} {root.get('height')}")
        known = {element.get("id") for element in root.iter()}
        for use in root.iter(self.element("use")):
            self.assertIn(use.get("href")[1:], known)
        return root

    def shown(self, part):
        """The columns of a board, and the rows of its marked queens."""
        queens = [use for use in part.iter(self.element("use"))
                  if use.get("href") in ("#queen", "#dot")]
        n = int(part.get("viewBox").split()[2])
        self.assertEqual(part.get("viewBox"), f"0 0 {n} {n}")
        self.assertIn(f"#board{n}", [use.get("href") for use in part.iter(self.element("use"))])
        self.assertEqual([int(queen.get("y")) for queen in queens], list(range(n)))
        return (tuple(int(queen.get("x")) + 1 for queen in queens),
                [row for row, queen in enumerate(queens, 1) if queen.get("fill") == self.RED])

    def assert_shows(self, text, placements):
        """The boards of these placements, numbered if there are several, none over another."""
        root = self.picture(text)
        parts = root.findall(self.element("svg"))
        self.assertEqual([self.shown(part) for part in parts],
                         [(columns, attacked(columns)) for columns in placements])
        self.assertEqual([number.text for number in root.findall(self.element("text"))],
                         [str(number) for number in range(1, len(parts) + 1)]
                         if len(parts) > 1 else [])
        places = [[int(part.get(name)) for name in ("x", "y", "width", "height")]
                  for part in parts]
        for number, (x, y, width, height) in enumerate(places):
            self.assertEqual(width, height)
            self.assertLess(x + width, int(root.get("width")))
            self.assertLess(y + height, int(root.get("height")))
            for left, top, _, _ in places[:number]:
                self.assertTrue(abs(x - left) > width or abs(y - top) > height)

    def test_one(self):
        for columns in ((1,), (2, 4, 1, 3), solutions(8)[7], constructed(20), constructed(100),
                        constructed(1000)):
            with self.subTest(n=len(columns)):
                self.assert_shows(self.drawn("x.svg", stdin=line(columns)), [columns])
        self.assert_shows(self.drawn("x.svg", "8", "--solution=64"), [solutions(8)[63]])

    def test_several(self):
        self.assert_shows(self.drawn("twelve.svg", "8", "--fundamental"), representatives(8))
        self.assert_shows(self.drawn("all.svg", "8", "--limit", "92"), solutions(8))
        for placements in ([(1,), (2, 4, 1, 3)], [constructed(n) for n in (9, 1, 100, 4, 9)],
                           [(1,)] * 400):
            self.assert_shows(self.drawn("x.svg", stdin="\n".join(map(line, placements))),
                              placements)

    def test_attacks(self):
        """Every queen of a pair is marked; few pairs have lines between them, many have none."""
        for columns in ((1, 1), (1, 3, 4, 2), tuple(range(1, 9)), (1, 1, 4, 2, 5),
                        (1, 3, 5, 2, 4, 6, 6), tuple(range(1, 11)), tuple(range(1, 101))):
            with self.subTest(columns=columns):
                text, pairs = self.drawn("x.svg", code=WRONG, stdin=line(columns)), attacks(columns)
                self.assert_shows(text, [columns])
                drawn = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)",
                                   "".join(re.findall(r'stroke="#c81e1e".* d="([^"]*)"', text)))
                wanted = [(columns[row - 1] - 0.5, row - 0.5, columns[other - 1] - 0.5, other - 0.5)
                          for row, other in pairs]
                self.assertEqual([tuple(map(float, ends)) for ends in drawn],
                                 wanted if len(pairs) <= 32 else [])


class Names(FileTest):
    def test_ending_says_the_kind(self):
        for name in ("x.txt", "X.TXT", "x.svg.txt", ".txt", "a b é.txt"):
            with self.subTest(name=name):
                self.assertEqual(self.drawn(name, "6"), board(solutions(6)[0]))
        for name in ("x.svg", "X.SVG", "x.txt.Svg", ".svg"):
            with self.subTest(name=name):
                self.assertTrue(self.drawn(name, "6").startswith("<svg "))

    def test_text(self):
        self.assertEqual(self.drawn("x.txt", "6", "--limit=4"), boards(solutions(6)))
        self.assertEqual(self.drawn("x.txt", stdin=line(constructed(1000))),
                         board(constructed(1000)))
        self.assertEqual(self.drawn("x.txt", code=WRONG, stdin="1 3 4 2"),
                         board((1, 3, 4, 2), (2, 3)))

    def test_unknown_ending(self):
        """The file name is refused before anything is read or drawn."""
        for name in ("x.jpg", "x", "", "svg", "x.svg.", "x.svgz", "x.svg ", "png/", "x.tx", "."):
            for arguments in (["8"], ["-"], ["2"]):
                with self.subTest(name=name, arguments=arguments):
                    self.assert_refused(["draw", *arguments, "-o", name], "--output", f"'{name}'",
                                        ".svg or .txt", cwd=self.folder)
                    self.assertEqual(os.listdir(self.folder), [])


class Failures(FileTest):
    def assert_not_written(self, name, why):
        for kind in ("svg", "txt"):
            path = self.path(f"{name}.{kind}")
            with self.subTest(kind=kind):
                self.assert_fails(SYSTEM, run("draw", "4", "-o", path), f"'{path}'",
                                  "cannot be written", why)

    def test_missing_folder(self):
        self.assert_not_written("no/x", "No such file")

    def test_full_disk(self):
        for kind in ("svg", "txt"):
            os.symlink("/dev/full", self.path(f"x.{kind}"))
        self.assert_not_written("x", "No space left")
        result = run("draw", "-o", self.path("x.svg"), stdin="1 1")
        self.assert_fails(SYSTEM, result, "No space left")

    def test_refused_placements_leave_the_file_as_it_was(self):
        for arguments, stdin in ((["-"], line(constructed(1001))), (["3"], ""),
                                 (["4", "--solution", "3"], ""), ([], "1\n1 x\n"), ([], "")):
            with self.subTest(arguments=arguments):
                with open(self.path("x.svg"), "w", encoding="utf-8") as file:
                    file.write("before")
                command = ["draw", *arguments, "-o", self.path("x.svg")]
                self.assert_refused(command, stdin=stdin)
                self.assertEqual(self.content("x.svg"), "before")
