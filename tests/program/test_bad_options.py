"""Bad options and values: one clear line that names them, and nothing on stdout."""
import os

from program import ProgramTest


class Values(ProgramTest):
    def assert_each_refused(self, option, values, *expected):
        for value in values:
            for arguments in (["8", option, value], [f"{option}={value}", "8"]):
                with self.subTest(arguments=arguments):
                    self.assert_refused(arguments, f"'{value}'", *expected)

    def test_threads(self):
        self.assert_each_refused("--threads", (
            "0", "-1", "4097", "abc", "", "2x", "+2", " 2", "2 ", "1e3", "0x2", "2.0", "1,2", "２",
            "99999999999999999999", "18446744073709551617"), "--threads", "1", "4096")

    def test_depth(self):
        self.assert_each_refused("--depth", ("1", "4", "0", "-2", "", "two", "2x", "33"), "--depth",
                                 "2", "3")

    def test_names(self):
        for option, known in (("--method", "search"), ("--plan", "rows"), ("--kernel", "scalar64")):
            self.assert_each_refused(option, ("nope", "", known.upper(), known + "x", known[:-1],
                                              "auto ", " " + known), "auto", known)

    def test_progress(self):
        self.assert_each_refused("--progress", ("", "nope", "Always", "auto,never", "1"),
                                 "auto", "always", "never")

    def test_limit_and_solution(self):
        for option in ("--limit", "--solution"):
            self.assert_each_refused(option, ("0", "-1", "x", "", "1x", "+1", " 1", "1.0", "1e3",
                                              str(2**64), "9" * 40), option, "1")

    def test_format(self):
        for command, expected in ((["list", "8"], "columns, board or json"),
                                  (["table"], "text, markdown or csv")):
            for value in ("", "x", "JSON", "boards", "column", "columns,json", "text,csv"):
                for arguments in ([*command, "--format", value], [f"--format={value}", *command]):
                    with self.subTest(arguments=arguments):
                        self.assert_refused(arguments, f"'{value}'", "--format", expected)

    def test_given_twice(self):
        for options, name in ((["-t", "1", "--threads=2"], "--threads"), (["-q", "-q"], "--quiet"),
                              (["--kernel=auto", "--kernel=auto"], "--kernel"),
                              (["--json", "--json"], "--json"),
                              (["--limit=1", "--limit=1"], "--limit"),
                              (["-o", "a.svg", "--output=a.svg"], "--output"),
                              (["--fundamental", "--fundamental"], "--fundamental")):
            with self.subTest(options=options):
                self.assert_refused(["8", *options], f"'{name}'", "twice")


class BindList(ProgramTest):
    def test_no_list(self):
        for value in ("", ",", "0,", ",0", "0,,0", "x", "0x0", "0-", "-0", "-", "0--0", "0 ", " 0",
                      "1-0", "AUTO", "auto,0", "none,0", "0;0", "0-99999999999999999999",
                      "99999999999999999999", "-1"):
            for command in (["8"], ["info"], ["verify"]):
                with self.subTest(value=value, command=command):
                    self.assert_refused([*command, "--bind", value], f"'{value}'", "0,2,4-7")

    def test_pu_that_does_not_exist(self):
        for value, pu in (("99999", "99999"), ("999999", "999999"), ("99998-99999", "99998")):
            with self.subTest(value=value):
                self.assert_refused(["8", "--bind", value], pu, "numbered")

    def test_pu_twice(self):
        pu = min(os.sched_getaffinity(0))
        for value in (f"{pu},{pu}", f"{pu},{pu}-{pu}"):
            with self.subTest(value=value):
                self.assert_refused(["8", "--bind", value], f"PU {pu} twice")


class Options(ProgramTest):
    def test_unknown(self):
        for option in ("-x", "--nope", "-?", "-:", "-T", "-J", "--=5", "--nope=5"):
            with self.subTest(option=option):
                self.assert_refused(["8", option], option)

    def test_ambiguous_abbreviation(self):
        for option in ("--t", "--p", "--t=3", "--f", "--s"):
            with self.subTest(option=option):
                self.assert_refused(["8", option], f"'{option.split('=')[0]}' is short for several")

    def test_missing_value(self):
        for option in ("--threads", "-t", "-qt", "--method", "--plan", "--depth", "--kernel",
                       "--bind", "--progress"):
            with self.subTest(option=option):
                self.assert_refused(["8", option], option, "needs a value")
        for command, option in (("verify", "--from"), ("verify", "--to"), ("list", "--limit"),
                                ("list", "--format"), ("draw", "--solution"), ("draw", "--output"),
                                ("draw", "-o")):
            with self.subTest(option=option):
                self.assert_refused([command, option], option, "needs a value")

    def test_value_for_a_flag(self):
        for option in ("--quiet", "--json", "--time", "--smt", "--fundamental", "--help",
                       "--version"):
            for value in ("yes", "0", ""):
                with self.subTest(option=option, value=value):
                    self.assert_refused(["8", f"{option}={value}"], option)


class OptionsNotAccepted(ProgramTest):
    def test_on_the_command(self):
        counting = ("--method=search", "--plan=rows", "--depth=2", "--kernel=auto",
                    "--progress=never", "--time", "--quiet")
        limits = ("--from=1", "--to=3")
        threads = ("--threads=1", "--bind=none", "--smt")
        ledger = ("--ledger=x", "--shard=1/2", "--sample=1%", "--memory=1G")
        listing, drawing = ("--limit=1",), ("--solution=1", "--output=x.svg")
        classes = ("--fundamental",)
        cases = [(*command, "--format=json") for command in (("count", "8"), ("draw", "8"), ("check",))]
        cases += [("count", "8", option) for option in limits + listing + drawing]
        cases += [("info", option) for option in counting + limits + listing + drawing + classes]
        every = counting + limits + threads + ledger
        cases += [("table", option) for option in every + listing + drawing + classes]
        cases += [("verify", option) for option in listing + drawing + classes]
        cases += [("list", "8", option) for option in every + drawing]
        cases += [("construct", "8", option) for option in every + listing + drawing + classes]
        cases += [("check", option) for option in every + listing + drawing + classes
                  if option != "--quiet"]
        cases += [("draw", "8", option) for option in every + ("--format=json", "--json")]
        for arguments in cases:
            with self.subTest(arguments=arguments):
                name = arguments[-1].split("=")[0]
                self.assert_refused(arguments, f"'{arguments[0]}' does not accept '{name}'")

    def test_with_quiet(self):
        for option in ("--time", "--progress=always", "--progress=never"):
            with self.subTest(option=option):
                self.assert_refused(["8", "-q", option],
                                    f"'{option.split('=')[0]}' does not go with '--quiet'")

    def test_smt_with_a_list_or_without_binding(self):
        pu = min(os.sched_getaffinity(0))
        for arguments, bind in ((["--bind", str(pu)], str(pu)),
                                (["--bind", "none", "-t", "2"], "none")):
            with self.subTest(arguments=arguments):
                self.assert_refused(["8", "--smt", *arguments],
                                    f"'--smt' does not go with '--bind {bind}'")
