# SPDX-License-Identifier: MIT
"""`draw` prints boards as letters to pipes and files, and in colours on terminals, and writes them
as pictures."""
import re
import xml.etree.ElementTree

from program import DONE, WRONG, FolderTest, ProgramTest, read, run, through_shell
from solutions import attacked, board, constructed, line, solutions
from terminals import run_on_terminal

UTF_8 = {"LC_ALL": "C.UTF-8"}
FIRST = board(solutions(6)[0])
# The first fundamental solutions for n = 8.
FUNDAMENTAL = [(1, 5, 8, 6, 3, 7, 2, 4), (1, 6, 8, 3, 7, 4, 2, 5), (2, 4, 6, 8, 3, 1, 7, 5)]
RED = "#c81e1e"


def boards(placements):
    """Returns several boards as text, with their numbers."""
    return "\n".join(
        f"# {number}\n{board(columns)}" for number, columns in enumerate(placements, 1)
    )


class Text(ProgramTest):
    def test_the_first_solution_is_drawn(self):
        for n in (1, 4, 8):
            self.assert_answers(board(solutions(n)[0]), "draw", str(n))

    def test_all_that_list_prints_is_drawn(self):
        for listed, expected in (
            ("7", boards(solutions(7))),
            ("8 --fundamental --limit 3", boards(FUNDAMENTAL)),
            ("8 --fundamental | sed -n 2p", board(FUNDAMENTAL[1])),
        ):
            self.assertEqual(
                through_shell(f'"$@" list {listed} | "$@" draw -'), (DONE, expected, ""), listed
            )

    def test_placements_and_boards_are_drawn(self):
        """`draw` reads placements, and the boards that it has drawn."""
        for columns in ((2, 4, 1, 3), constructed(1000)):
            for text in (line(columns), board(columns)):
                self.assert_answers(board(columns), "draw", stdin=text)
        several = boards([(1,), (2, 4, 1, 3), (1,)])
        for text in ("1\n# a comment\n\n2 4 1 3 # 2\n1", several):
            self.assert_answers(several, "draw", "-", stdin=text)

    def test_attacks_are_marked_and_named(self):
        """Every queen that attacks or is attacked is marked. If there are several boards, the
        message has the number of the board."""
        result = run("draw", stdin=line((1, 5, 8, 6, 3, 7, 2, 1)))
        self.assertEqual(result[:2], (WRONG, board((1, 5, 8, 6, 3, 7, 2, 1), [1, 7, 8])))
        self.assert_one_message(result.stderr, "row 1, column 1", "row 8, column 1")
        result = run("draw", stdin="1 1\n2 4 1 3\n1 2 3\n")
        self.assertEqual(
            result[:2],
            (
                WRONG,
                f"# 1\n{board((1, 1), (1, 2))}\n# 2\n{board((2, 4, 1, 3))}\n"
                f"# 3\n{board((1, 2, 3), (1, 2, 3))}",
            ),
        )
        self.assertRegex(result.stderr, r"\Anqueens: 1: .*\nnqueens: 3: .*\n\Z")


class Terminal(ProgramTest):
    def drawn(self, *arguments, code=DONE, keys="", **env):
        """Draws on a terminal. Returns what is written to it. keys: what is typed."""
        session = run_on_terminal(
            "draw",
            *arguments,
            keys=keys,
            env={"LANG": None, "LC_ALL": None, "LC_CTYPE": None, **env},
        )
        self.assertEqual(session.code, code)
        return session.written.replace("\r\n", "\n")

    def test_a_terminal_gets_colours_and_symbols(self):
        """A square is two columns wide. An empty NO_COLOR does not turn off colours, as
        https://no-color.org says."""
        coloured = self.drawn("8", **UTF_8)
        columns = list(solutions(8)[0])
        plain = re.sub(r"\033\[[\d;]*m", "", coloured).splitlines()
        self.assertEqual({len(row) for row in plain}, {16})
        for row in coloured.splitlines():
            self.assertTrue(row.endswith("\033[0m"), row)
        self.assertEqual([row.index("♛") // 2 + 1 for row in plain], columns)
        self.assertEqual(self.drawn("8", NO_COLOR="", LC_CTYPE="C.UTF-8", LANG="C"), coloured)
        marked = self.drawn(code=WRONG, keys="1 2 3 4\n\4", **UTF_8)
        self.assertEqual(marked.count("\033[1;38;5;160m♛"), 4)

    def test_letters_are_drawn_elsewhere(self):
        """Letters are drawn if the terminal has no UTF-8 or no colours, if NO_COLOR forbids
        colours, or if stdout is no terminal."""
        for env in (
            {},
            {"LC_ALL": "C", "LANG": "C.UTF-8"},
            {"LC_ALL": "no_SUCH.UTF-8"},
            {**UTF_8, "TERM": "dumb"},
            {**UTF_8, "TERM": None},
            {**UTF_8, "NO_COLOR": "1"},
        ):
            self.assertEqual(self.drawn("6", **env), FIRST, env)
        session = run_on_terminal("draw", "6", env=UTF_8, stdout_is_pipe=True)
        self.assertEqual((session.stdout, session.written), (FIRST, ""))


class Files(FolderTest):
    def drawn(self, name, *arguments, code=DONE, **how):
        """Draws to a file. Returns what is in it."""
        result = run("draw", *arguments, "--output", self.path(name), **how)
        self.assertEqual(result[:2], (code, ""), result.stderr)
        return read(self.path(name))

    def assert_shows(self, text, placements):
        """Asserts that the SVG picture has these boards, with attacked queens in red."""
        root = xml.etree.ElementTree.fromstring(text)
        svg = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.get("viewBox"), f"0 0 {root.get('width')} {root.get('height')}")
        known = {element.get("id") for element in root.iter()}
        self.assertLessEqual({use.get("href")[1:] for use in root.iter(svg + "use")}, known)
        shown = []
        for part in root.findall(svg + "svg"):
            columns, red_rows = [], []
            for use in part.iter(svg + "use"):
                if use.get("href") in ("#queen", "#dot"):
                    self.assertEqual(int(use.get("y")), len(columns))
                    columns.append(int(use.get("x")) + 1)
                    if use.get("fill") == RED:
                        red_rows.append(len(columns))
            shown.append((tuple(columns), red_rows))
        self.assertEqual(shown, [(columns, attacked(columns)) for columns in placements])

    def test_pictures_show_all_boards(self):
        several = [constructed(n) for n in (9, 1, 100, 4, 9)]
        for placements in ([(1,)], [constructed(1000)], several, solutions(8)):
            self.assert_shows(
                self.drawn("x.svg", stdin="\n".join(map(line, placements))), placements
            )

    def test_pictures_of_attacks(self):
        """A few pairs that attack each other are joined by lines. If there are many, there are no
        lines."""
        for columns, lines in (
            ((1, 1, 4, 2, 5), ["M0.5 0.5L0.5 1.5", "M0.5 0.5L4.5 4.5"]),
            (tuple(range(1, 101)), []),
        ):
            text = self.drawn("x.svg", code=WRONG, stdin=line(columns))
            self.assert_shows(text, [columns])
            self.assertEqual(re.findall(r"M\d+\.5 \d+\.5L\d+\.5 \d+\.5", text), lines)

    def test_ending_says_the_kind(self):
        """A name that ends in .txt makes letters, and one that ends in .svg makes a picture."""
        for name in ("X.TXT", "x.svg.txt", "a b é.txt"):
            self.assertEqual(self.drawn(name, "6"), FIRST)
        self.assertTrue(self.drawn("x.txt.Svg", "6").startswith("<svg "))
