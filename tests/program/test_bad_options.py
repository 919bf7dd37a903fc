"""Bad options and values: one clear line that names them, and nothing on stdout. Which options a command
takes: test_help.py."""
import os

from program import ProgramTest


class Values(ProgramTest):
    def assert_values_refused(self, option, values, *expected, command=("8",)):
        for value in values:
            for arguments in ([*command, option, value], [f"{option}={value}", *command]):
                with self.subTest(arguments=arguments):
                    self.assert_refused(arguments, f"'{value}'", option, *expected)

    def test_numbers(self):
        self.assert_values_refused("--threads", (
            "0", "-1", "4097", "abc", "", "2x", "+2", " 2", "1e3", "0x2", "1,2", "２", "18446744073709551617"),
            "1", "4096")
        self.assert_values_refused("--depth", ("1", "4", "-2", "", "2x"), "2", "3")
        for option, command in (("--limit", ["list", "8"]), ("--solution", ["draw", "8"])):
            self.assert_values_refused(option, ("0", "-1", "x", "", "1x", "+1", " 1", "1e3", str(2**64)), "1",
                                       command=command)
        self.assert_each_refused(*((arguments, "--threads", "1", "4096")
                                   for arguments in ("8 -t 0", "8 -t0", "8 -t=2", "8 -tq", "8 -qt0")))

    def test_names(self):
        for option, known in (("--method", "search"), ("--plan", "rows"), ("--kernel", "scalar64"),
                              ("--progress", "always")):
            self.assert_values_refused(option, ("nope", "", known.upper(), known[:-1], " " + known, "x" * 50),
                                       "auto", known)
        for command, expected in ((["list", "8"], "columns, board or json"), (["table"], "text, markdown or csv")):
            self.assert_values_refused("--format", ("", "x", "JSON", "column", "text,csv"), expected,
                                       command=command)

    def test_bind(self):
        pu = min(os.sched_getaffinity(0))
        for value in ("", ",", "0,", "0,,0", "x", "0-", "-", "0--0", "0 ", "1-0", "AUTO", "none,0", "0;0", "-1",
                      "0-99999999999999999999"):
            for command in ("8", "info", "verify"):
                with self.subTest(value=value, command=command):
                    self.assert_refused([command, "--bind", value], f"'{value}'", "0,2,4-7")
        self.assert_each_refused(
            ("4 5 --bind 99999", "99999", "numbered"), ("8 --bind 99998-99999", "99998"),
            (f"8 --bind {pu},{pu}", f"PU {pu} twice"), (f"8 --smt --bind {pu}", "'--smt'", f"'--bind {pu}'"),
            ("8 --smt --bind none -t 2", "'--smt'", "'--bind none'"))


class Options(ProgramTest):
    def test_unknown_or_ambiguous(self):
        self.assert_each_refused(
            *((["8", option], option) for option in ("-x", "--nope", "-?", "-:", "-T", "--=5", "--nope=5", "-qx")),
            *((["8", option], f"'{option[:3]}'", "several") for option in ("--t", "--p", "--t=3", "--s")),
            ("8 -é", "é"))

    def test_missing_value(self):
        self.assert_each_refused(*((words, words.split()[-1], "needs a value") for words in (
            "8 --threads", "8 -t", "8 -qt", "8 --kernel", "8 --ledger", "8 --shard", "verify --to", "list --limit",
            "draw --output", "draw -o")))

    def test_value_for_a_flag(self):
        self.assert_each_refused(*((["8", f"{option}={value}"], option) for value in ("yes", "") for option in (
            "--quiet", "--json", "--time", "--smt", "--fundamental", "--help", "--version")))

    def test_twice(self):
        self.assert_each_refused(*((f"8 {words}", words.split("=")[-2].split()[-1] if "=" in words else
                                    words.split()[0], "twice") for words in (
            "-t 1 --threads=2", "--json --json", "--kernel=auto --kernel=auto", "--ledger=x --ledger=y")))

    def test_together(self):
        self.assert_each_refused(
            *((f"8 -q {option}", f"'{option.split('=')[0]}' does not go with '--quiet'")
              for option in ("--time", "--progress=always")),
            *((f"{command} --json --format csv", "--json", "--format csv") for command in ("table", "info")),
            ("8 --fundamental --shard 1/2", "'--fundamental' does not go with '--shard'"))

    def test_of_another_command(self):
        self.assert_each_refused(("8 --from 1", "'count' does not accept '--from'"),
                                 ("list 8 --threads=1", "'list' does not accept '--threads'"),
                                 ("ledger show x --sample 3", "does not accept '--sample'"))
