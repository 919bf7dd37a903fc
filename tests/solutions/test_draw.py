# SPDX-License-Identifier: MIT
"""Boards as text, in letters for pipes and files, in colours for terminals; and as pictures."""
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
    """Several boards, numbered."""
    return "\n".join(
        f"# {number}\n{board(columns)}" for number, columns in enumerate(placements, 1)
    )


class Text(ProgramTest):
    def test_solutions(self):
        for n in (1, 4, 8):
            self.assert_answers(board(solutions(n)[0]), "draw", str(n))

    def test_what_list_prints(self):
        for listed, expected in (
            ("7", boards(solutions(7))),
            ("8 --fundamental --limit 3", boards(FUNDAMENTAL)),
            ("8 --fundamental | sed -n 2p", board(FUNDAMENTAL[1])),
        ):
            self.assertEqual(
                through_shell(f'"$@" list {listed} | "$@" draw -'), (DONE, expected, ""), listed
            )

    def test_placements(self):
        """And what it drew of them."""
        for columns in ((2, 4, 1, 3), constructed(1000)):
            for text in (line(columns), board(columns)):
                self.assert_answers(board(columns), "draw", stdin=text)
        several = boards([(1,), (2, 4, 1, 3), (1,)])
        for text in ("1\n# a comment\n\n2 4 1 3 # 2\n1", several):
            self.assert_answers(several, "draw", "-", stdin=text)

    def test_attacks(self):
        """Every queen that attacks or is attacked is marked; the message names the board."""
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
        session = run_on_terminal(
            "draw",
            *arguments,
            keys=keys,
            env={"LANG": None, "LC_ALL": None, "LC_CTYPE": None, **env},
        )
        self.assertEqual(session.code, code)
        return session.written.replace("\r\n", "\n")

    def test_colours(self):
        """A square is two columns wide; https://no-color.org."""
        coloured, columns = self.drawn("8", **UTF_8), list(solutions(8)[0])
        plain = re.sub(r"\033\[[\d;]*m", "", coloured).splitlines()
        self.assertEqual({len(row) for row in plain}, {16})
        self.assertTrue(all(row.endswith("\033[0m") for row in coloured.splitlines()))
        self.assertEqual([row.index("♛") // 2 + 1 for row in plain], columns)
        self.assertEqual(self.drawn("8", NO_COLOR="", LC_CTYPE="C.UTF-8", LANG="C"), coloured)
        marked = self.drawn(code=WRONG, keys="1 2 3 4\n\4", **UTF_8)
        self.assertEqual(marked.count("\033[1;38;5;160m♛"), 4)

    def test_plain(self):
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
        """Draws to a file and returns what is in it."""
        result = run("draw", *arguments, "--output", self.path(name), **how)
        self.assertEqual(result[:2], (code, ""), result.stderr)
        return read(self.path(name))

    def assert_shows(self, text, placements):
        """The SVG picture has these boards, with attacked queens in red."""
        root, svg = xml.etree.ElementTree.fromstring(text), "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.get("viewBox"), f"0 0 {root.get('width')} {root.get('height')}")
        known = {element.get("id") for element in root.iter()}
        self.assertLessEqual({use.get("href")[1:] for use in root.iter(svg + "use")}, known)
        shown = []
        for part in root.findall(svg + "svg"):
            queens = [
                use for use in part.iter(svg + "use") if use.get("href") in ("#queen", "#dot")
            ]
            self.assertEqual([int(queen.get("y")) for queen in queens], list(range(len(queens))))
            shown.append(
                (
                    tuple(int(queen.get("x")) + 1 for queen in queens),
                    [row for row, queen in enumerate(queens, 1) if queen.get("fill") == RED],
                )
            )
        self.assertEqual(shown, [(columns, attacked(columns)) for columns in placements])

    def test_pictures(self):
        several = [constructed(n) for n in (9, 1, 100, 4, 9)]
        for placements in ([(1,)], [constructed(1000)], several, solutions(8)):
            self.assert_shows(
                self.drawn("x.svg", stdin="\n".join(map(line, placements))), placements
            )

    def test_pictures_of_attacks(self):
        """Few pairs have lines between them, many have none."""
        for columns, lines in (
            ((1, 1, 4, 2, 5), ["M0.5 0.5L0.5 1.5", "M0.5 0.5L4.5 4.5"]),
            (tuple(range(1, 101)), []),
        ):
            text = self.drawn("x.svg", code=WRONG, stdin=line(columns))
            self.assert_shows(text, [columns])
            self.assertEqual(re.findall(r"M\d+\.5 \d+\.5L\d+\.5 \d+\.5", text), lines)

    def test_ending_says_the_kind(self):
        for name in ("X.TXT", "x.svg.txt", "a b é.txt"):
            self.assertEqual(self.drawn(name, "6"), FIRST)
        self.assertTrue(self.drawn("x.txt.Svg", "6").startswith("<svg "))
