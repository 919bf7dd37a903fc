"""Bad board sizes, commands and arguments: one clear line, and nothing on stdout."""
from program import USAGE, ProgramTest, run

RANGE = ("0", "28")


class BoardSize(ProgramTest):
    def test_refused(self):
        """The message quotes it and names the range."""
        for size in ("29", "100", "028000", "-3", "-0", "-999999999999999999999", "8x", "8 ", "8.", "8-", "8 9",
                     " 8", "+8", "=8", "'8'", "1e3", "0x8", "8.0", "-3.5", "½", "", " ", "4294967304",
                     "18446744073709551624", "９", "8８"):
            for arguments in ([size], ["count", size], ["4", size], [size, "4"], ["list", size],
                              ["-q", "--", size]):
                with self.subTest(arguments=arguments):
                    self.assert_refused(arguments, f"'{size}'", *RANGE)
        self.assert_refused(["1" + "0" * 500], "'1" + "0" * 59, *RANGE)

    def test_others_refused(self):
        self.assert_each_refused(
            *((arguments, "'-'", *RANGE) for arguments in ("8 -", "- 8", "- -", "count - 8")),
            ([b"8\xff"], r"8\xff", *RANGE), ("8 count", "'count'", *RANGE), ("-q5", "5"),
            ("-- 8 --json", "--json", *RANGE))

    def test_control_characters(self):
        """They neither reach the terminal nor break the line in two."""
        for value in ("8\n9", "\t8", "8\033[2J", "8\a", "8\r7"):
            result = run(value)
            self.assert_fails(USAGE, result, *RANGE)
            self.assertNotRegex(result.stderr.rstrip("\n"), r"[\x00-\x1f\x7f]")


class Command(ProgramTest):
    def test_none(self):
        self.assert_each_refused(*((arguments, "board size") for arguments in ("", "--", "-q", "-t 2")),
                                 ("count --json", "count", *RANGE))

    def test_unknown(self):
        for name in ("nope", "Count", "coun", "x8", "version"):
            for arguments in ([name], [name, "8"], ["-t1", name]):
                self.assert_refused(arguments, f"'{name}'")

    def test_extra_arguments(self):
        self.assert_each_refused(*(([command, extra], command, f"'{extra}'")
                                   for command in ("table", "info") for extra in ("5", "-", "")))


class VerifyRange(ProgramTest):
    def test_refused(self):
        self.assert_each_refused(
            *((["verify", option, value], option, f"'{value}'", "0", "27") for option in ("--from", "--to")
              for value in ("28", "-1", "x", "", "3x", "+3", "99999999999999999999")),
            ("verify --from 5 --to 3", "5", "3"), ("verify --to 0 --from 1 --json", "1", "0"))
