# SPDX-License-Identifier: MIT
"""Bad sizes, commands, options and values: one clear line that names them, and nothing on stdout. Which
options a command takes: test_help.py."""
import os

from program import USAGE, ProgramTest, run

RANGE = ("0", "28")
NUMBERS = ("0", "-1", "x", "", "2x", "+2", " 2", "1e3", "0x2", "２", str(2**64 + 1))  # none of which is one


class Arguments(ProgramTest):
    def test_board_sizes(self):
        """The message quotes it and names the range; a long one is cut, and nothing in it breaks the line."""
        for size in ("29", "030000", "-3", "-0", "8x", "8.", "8-", "8 9", " 8", "+8", "1e3", "0x8", "½", "",
                     "4294967304", "18446744073709551624", "８"):
            for arguments in ([size], ["4", size]):
                self.assert_refused(arguments, f"'{size}'", *RANGE)
        self.assert_each_refused(
            (["1" + "0" * 500], "'1" + "0" * 59, *RANGE), (["8\n9"], r"8\x0a9", *RANGE),
            ([b"8\xff"], r"8\xff", *RANGE), (["-q", "--", "-3"], "'-3'", *RANGE),
            *((arguments, "'-'", *RANGE, "alone") for arguments in ("8 -", "- 8", "- -")),
            ("8 count", "'count'", *RANGE), ("-q5", "5"), ("-- 8 --json", "--json", *RANGE),
            *((["verify", option, value], option, f"'{value}'", "0", "27") for option in ("--from", "--to")
              for value in ("28", "-1", "x", "", "99999999999999999999")),
            ("verify --from 5 --to 3", "5", "3"), ("verify 3 --to 5", "'--to'", "'3'"),
            ("verify --from 5 4..6", "'--from'", "'4..6'"), (["8", "--ledger", ""], "--ledger", "''"),
            (["8", "--board", ""], "--board", "''"), (["bench", "--output", ""], "--output", "''"))

    def test_commands(self):
        self.assert_each_refused(
            *((arguments, "board size") for arguments in ("", "--", "-q", "-t 2")),
            ("count --json", "count", *RANGE),
            *((name, f"'{name}'") for name in ("nope", "Count", "x8")),
            *(([command, extra], command, f"'{extra}'") for command in ("table", "info") for extra in ("5", "")),
            ("ledger show x y", "'y'", "only FILE"), ("verify 4 8", "'8'", "only [A..B]"),
            *((words, "''", "the name of a file") for words in (["check", ""], ["ledger", "merge", "x", "", "-o", "y"])))


class Values(ProgramTest):
    def assert_values_refused(self, option, values, *expected, command=("8",)):
        for number, value in enumerate(values):
            arguments = [option, value] if number % 2 else [f"{option}={value}"]
            self.assert_refused([*command, *arguments], f"'{value}'", option.strip("-"), *expected)

    def test_numbers(self):
        self.assert_values_refused("--threads", (*NUMBERS, "4097", "1,2"), "1", "4096")
        for option, command in (("--limit", ["list", "8"]), ("--solution", ["draw", "8"])):
            self.assert_values_refused(option, NUMBERS, "1", command=command)
        self.assert_each_refused(*((arguments, "--threads", "1", "4096")
                                   for arguments in ("8 -t 0", "8 -t0", "8 -tq", "8 -qt0")))

    def test_names(self):
        for option, known in (("--method", "search"), ("--kernel", "scalar64"), ("--progress", "always")):
            self.assert_values_refused(option, ("nope", "", known.upper(), known[:-1], " " + known), "auto", known)
        self.assert_values_refused("--format", ("", "x", "BOARD", "column", "csv"), "columns or board",
                                   command=("list", "8"))
        self.assert_values_refused("--format", ("", "CSV", "board"), "expected text or csv")

    def test_times(self):
        self.assert_values_refused("--for", ("0", "0s", "-1", "", "x", "m", "5 m", "5w", "5M", "30s1m", "1h30", "00:55", "1:2:3:4", "1-00:00", "1e3", "1e3s", "0x1h", "h5s", "inf", "10001d",
                                             "864000001"), "55m", "10000d")
        for value in ("10000d", "864000000", "0.5m", ".5h", "240000h", "1m30s", "1d1h", "00:00:59", "2-00:00:00", "9999-23:59:59"):
            self.assert_answers("92\n", "8", "--for", value)

    def test_bind(self):
        pu = min(os.sched_getaffinity(0))
        self.assert_values_refused(
            "--bind", ("", ",", "0,", ",0", "0,,0", "x", "0-", "-", "0--0", "0-1-2", " 0", "0 ", "0x1", "+1", "1-0",
                       "AUTO", "none,0", "-1", "0-99999999999999999999"), "0,2,4-7")
        self.assert_each_refused(
            ("8 --bind nnoe", "'nnoe'", "none"), ("8 --device al", "'al'", "all"),
            ("4 5 --bind 99999", "99999"), ("8 --bind 99998-99999", "99998"), (f"8 --bind {pu},{pu}", f"PU {pu} twice"),
            (f"8 --smt --bind {pu}", "smt", "list of PUs"))


class Options(ProgramTest):
    def test_refused(self):
        self.assert_each_refused(
            *((["8", option], option) for option in ("-x", "--nope", "-?", "-:", "--=5", "--nope=5", "-qx")),
            *((words, f"'{words.split()[-2]}'") for words in ("8 -v 1", "-k=8 8")),
            ("8 -t=2", "'-t=2'", "--threads"),
            ("8 --t", "'--t'", "--threads or --time"), ("8 --fo=3", "--for or --format"), ("8 -é", "é"),
            *((words, words.split()[-1], "value") for words in (
                "8 --threads", "8 -t", "8 -qt", "8 --kernel", "8 --ledger", "verify --to", "draw -o")),
            *((["8", f"{option}={value}"], option) for value in ("yes", "")
              for option in ("--quiet", "--json", "--help", "--version")),
            ("8 -t 1 --threads=2", "--threads", "twice"),
            ("8 -q --time", "'--time'", "'--quiet'"),
            *((f"8 --format csv {words}", "'--format'", f"'{words.split()[0]}'")
              for words in ("--json", "--shard 1/2", "--ledger x")),
            ("8 --fundamental --shard 1/2", "'--fundamental'", "'--shard'"),
            ("bench --kernel opencl", "'opencl'", "avx2"))


class Guesses(ProgramTest):
    """A mistyped name is answered with one that is near: one letter may be wrong."""

    def test_near(self):
        """Of options, one that the command takes."""
        for arguments, guess in (
                ("cuont 8", "count"), ("Draw", "draw"), ("estmate", "estimate"), ("estimmate", "estimate"), ("8 --kernal=avx2", "--kernel"),
                ("8 --m", "--method"), ("8 -jsno", "--json"), ("verify --frmo 2", "--from"),
                ("list 8 --fromat json", "--format"), ("--fromat json list 8", "--format"),
                ("help cuont", "count"), ("benhc 8 --help", "bench"),
                ("est 8", "estimate"), ("devices", "info"), ("-k 8", "--kernel"), ("8 -j 2", "--json"),
                ("show x", "ledger show"), ("mrege a b", "ledger merge"),
                ("version", "--version")):
            self.assert_refused(arguments.split(), f"did you mean '{guess}'?\n")

    def test_not_near(self):
        for arguments in (["nope", "8"], ["ezzzmxte"], ["z" * 500], ["8", "-x"], ["8", "--too"],
                          ["8", "--kernel", ""], ["ledger", "none"], ["bench", "nope"], ["8.0"], ["foo"], ["4..29"], ["-4..8"],
                          ["4..5..6"], ["4-"]):
            result = run(*arguments)
            self.assert_fails(USAGE, result)
            self.assertNotIn("did you mean", result.stderr)
