"""Bad board sizes, commands and arguments: one clear line, and nothing on stdout."""
from program import USAGE, ProgramTest, run

RANGE = ("0", "28")


class BoardSize(ProgramTest):
    """Each argument is refused as N: the message quotes it and names the range."""

    def assert_all_refused(self, *sizes):
        for size in sizes:
            for arguments in ([size], ["count", size], ["4", size], [size, "4"], ["-q", size],
                              ["--", size], ["list", size], [size, "--fundamental"]):
                with self.subTest(arguments=arguments):
                    self.assert_refused(arguments, f"'{size}'", *RANGE)

    def test_out_of_range(self):
        self.assert_all_refused("29", "30", "100", "028000")

    def test_negative(self):
        self.assert_all_refused("-3", "-35", "-0", "-1", "-28", "-999999999999999999999")

    def test_trailing_characters(self):
        self.assert_all_refused("8x", "8 ", "8,", "8.", "8-", "8 9")

    def test_leading_characters(self):
        self.assert_all_refused(" 8", "+8", "=8", ",8", "'8'")

    def test_other_notations(self):
        self.assert_all_refused("1e3", "0x8", "8.0", "0b1", "1_0", "8e0", "-3.5", "-3x", "½")

    def test_empty(self):
        self.assert_all_refused("", " ")

    def test_huge(self):
        self.assert_all_refused("4294967304", "18446744073709551624", "9" * 30)
        # The message shows the beginning of such a long value.
        self.assert_refused(["1" + "0" * 500], "'1" + "0" * 59, *RANGE)

    def test_digits_of_other_scripts(self):
        self.assert_all_refused("８", "٨", "८", "8８")

    def test_stdin_among_sizes(self):
        for arguments in (["8", "-"], ["-", "8"], ["-", "-"], ["count", "-", "8"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(arguments, "'-'", *RANGE)

    def test_bytes_that_are_no_text(self):
        self.assert_refused([b"8\xff"], r"8\xff", *RANGE)

    def test_an_option_after_two_dashes(self):
        for arguments in (["--", "8", "-t"], ["--", "8", "--json"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(arguments, arguments[-1], *RANGE)

    def test_control_characters(self):
        """They neither reach the terminal nor break the line in two."""
        for value in ("8\n9", "8\n", "\t8", "8\033[2J", "8\a", "8\r7"):
            with self.subTest(value=value):
                result = run(value)
                self.assert_fails(USAGE, result, *RANGE)
                self.assertNotRegex(result.stderr.rstrip("\n"), r"[\x00-\x1f\x7f]")


class Command(ProgramTest):
    def test_nothing_to_do(self):
        for arguments in ([], ["--"], ["-q"], ["--json"], ["-t", "2"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(arguments, "board size")

    def test_count_without_a_size(self):
        for arguments in (["count"], ["count", "--json"], ["count", "--"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(arguments, "count", *RANGE)

    def test_unknown(self):
        for name in ("nope", "Count", "counts", "coun", "COUNT", "x8", "e3", "version", "lists",
                     "Draw", "solution"):
            for arguments in ([name], [name, "8"], ["-t1", name]):
                with self.subTest(arguments=arguments):
                    self.assert_refused(arguments, f"'{name}'")

    def test_extra_arguments(self):
        for command in ("table", "info", "verify"):
            for extra in ("5", "nope", "-", ""):
                with self.subTest(command=command, extra=extra):
                    self.assert_refused([command, extra], command, f"'{extra}'")


class VerifyRange(ProgramTest):
    def test_bounds_out_of_range(self):
        for option in ("--from", "--to"):
            for value in ("28", "-1", "x", "", "3x", " 3", "+3", "99999999999999999999"):
                with self.subTest(option=option, value=value):
                    self.assert_refused(["verify", option, value], option, f"'{value}'", "0", "27")

    def test_from_above_to(self):
        self.assert_refused(["verify", "--from", "5", "--to", "3"], "5", "3")
        self.assert_refused(["verify", "--to", "0", "--from", "1", "--json"], "1", "0")
