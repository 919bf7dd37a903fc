# SPDX-License-Identifier: MIT
"""Boards for `--board`: their size, what is skipped in their text, and warnings about boards that
the user hardly meant."""
from program import DONE, USAGE, ProgramTest, document, methods, run, through_shell
from solutions import board


class Given(ProgramTest):
    def test_tells_its_size(self):
        """A command that gets a board needs no N."""
        for command, answer in (
            ("", "1\n"),
            ("count -t 1", "1\n"),
            ("list", "3 1 4 2\n"),
            ("draw", board((3, 1, 4, 2))),
        ):
            for text in (
                "..Q.\n....\n....\n....",
                "\ufeff# a board\n\n. * . .\nQ . . .\n# more\n. . . .\n. . . .\n",
            ):
                self.assert_answers(answer, *command.split(), "--board", "-", stdin=text)

    def test_that_was_hardly_meant_is_counted_with_a_message(self):
        """The board is counted, and a message says what is odd about it."""
        for text, *named in (
            ("..Q.\n....\n..Q.\n....\n", "row 1, column 3", "row 3, column 3", "share a column"),
            (".Q..\n..Q.\n....\n....\n", "row 1, column 2", "row 2, column 3", "diagonal"),
            ("....\nQ.QQ\n....\n....\n", "row 2, column 1", "row 2, column 3", "share a row"),
            (".*..\n...*\n*...\n..*.\n", "each row and column has one *", "blocked"),
        ):
            result = run("--board", "-", stdin=text)
            self.assertEqual(result[:2], (DONE, "1\n" if "*" in text else "0\n"))
            self.assert_one_message(result.stderr, "stdin", *named)
            self.assert_answers(result.stdout, "--board", "-", "--quiet", stdin=text)
        for text in ("Q...\n....\n...Q\n....\n", ".*..\n.*..\n*...\n..*.\n"):
            self.assertEqual(run("--board", "-", stdin=text).stderr, "")

    def test_as_programs_write_them(self):
        """Boards may have comments, blanks, signs of chess and a byte order mark."""
        for text, count in (
            ("\ufeff# class of 2\n. Q . .\n....\r\n\t#, then Q\n....\n....\n#", 1),
            ("# 0, then \0\n.Q..\n....\n....\n....", 1),
            ("* * * *\n....\n....\n....\n", 0),
            ("*Q..\n....\n...*\n*..*\n", 1),
            (".♛..\n....\n....\n..♕.\n", 1),
        ):
            self.assertEqual(run("4", "--board", "-", stdin=text)[:2], (DONE, f"{count}\n"))

    def test_of_only_free_squares_counts_as_the_empty_board(self):
        """A board of free squares has the method and the units of the empty board, and its count is
        compared with the known total."""
        for method in ("auto", *methods()):
            empty = document("6", "--method", method)
            self.assert_has(
                document("6", "--method", method, "--board", "-", stdin="......\n" * 6),
                verdict="verified",
                method=empty["method"] if method == "auto" else method,
                version=empty["version"],
                units=empty["units"],
                solutions=empty["solutions"],
            )

    def test_is_not_read_for_a_call_that_is_refused(self):
        """The board is still in stdin when the program has ended."""
        for arguments in (
            "4..5",
            "- -q",
            "4 --fundamental",
            "29",
            "list 29",
            "draw 4 --output board.png",
        ):
            result = through_shell(
                '"$@"; code=$?; cat; exit $code', *arguments.split(), "--board", "-", stdin="....\n"
            )
            self.assertEqual(result[:2], (USAGE, "....\n"))
