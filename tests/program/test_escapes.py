"""Text from outside has no power over the terminal, and stays readable: arguments, the environment,
files, ledgers."""
import json
import os
import unicodedata

from ledgers import MANY_UNITS, TABLES, LedgerTest, job_of, opened, put, rows
from program import DONE, SYSTEM, USAGE, run

# Sets the title of the terminal, moves its cursor, rings its bell; é and the crown stay as they are.
CONTROLS = "\033]0;owned\a\033[2J\u009b31m\r\b\x7f"
ODD = "é" + CONTROLS + "♛"
SHOWN = r"é\x1b]0;owned\x07\x1b[2J\xc2\x9b31m\x0d\x08\x7f♛"
NOT_UTF8 = b"\xc3(\xff"  # an argument may be any bytes
NOT_UTF8_SHOWN = r"\xc3(\xff"


def odd(text):
    """Characters that a terminal obeys, and bytes that are not UTF-8."""
    return [c for c in text if c != "\n" and (unicodedata.category(c) == "Cc" or
                                              "\udc80" <= c <= "\udcff")]


class EscapeTest(LedgerTest):
    def assert_harmless(self, result, *shown, code=None):
        """No output has power over a terminal; each of these texts is in it."""
        everything = (result.stdout or "") + result.stderr
        self.assertEqual(odd(everything), [], repr(everything))
        if code is not None:
            self.assertEqual(result.returncode, code, result.stderr)
        for text in shown:
            self.assertIn(text, everything)
        return result

    def document(self, *arguments, **how):
        """The JSON document of a call; its text is harmless, too."""
        result = self.assert_harmless(run(*arguments, **how))
        return json.loads(result.stdout)


class Arguments(EscapeTest):
    CALLS = ("count {}", "list {}", "draw {}", "draw 8 {}", "construct {}", "check {}", "help x{}", "help bench {}",
             "estimate {}", "table {}", "bench kernels {}", "ledger {}", "ledger show {}", "--{}", "-{} 8", "x{}",
             "8 --quiet={}", "8 --ledger /nowhere/{}", "draw 8 --output /nowhere/{}.svg", "draw 8 --output {}",
             "bench plans 4 --output /nowhere/{}", "ledger merge {} --output o",
             *(f"8 {option} {{}}" for option in ("--threads", "--method", "--depth", "--bind", "--memory", "--shard",
                                                 "--progress")))

    def test_of_every_command(self):
        for call in self.CALLS:
            for text, shown in ((ODD, SHOWN), (NOT_UTF8, NOT_UTF8_SHOWN)):
                arguments = [word.replace("{}", os.fsdecode(text)) for word in call.split()]
                with self.subTest(arguments=arguments):
                    result = self.assert_harmless(run(*arguments))
                    self.assertIn(result.returncode, (USAGE, SYSTEM))
                    if not call.startswith("-{}"):  # whose letters are named one by one
                        self.assertIn(shown, result.stderr)

    def test_stdin(self):
        for arguments in (["-"], ["check"], ["draw"]):
            with self.subTest(arguments=arguments):
                self.assert_harmless(run(*arguments, stdin="\033[2J\u009b♛\n"),
                                     r"'\x1b[2J\xc2\x9b♛'", code=USAGE)


class Environment(EscapeTest):
    def test_kernel(self):
        for text, shown in ((ODD, SHOWN), (os.fsdecode(NOT_UTF8), NOT_UTF8_SHOWN)):
            env = {"NQUEENS_KERNEL": text}
            for arguments in (["8"], ["estimate", "8"], ["bench", "plans", "4"],
                              ["verify", "--to", "4"]):
                with self.subTest(arguments=arguments):
                    self.assert_harmless(run(*arguments, env=env), shown, code=USAGE)
            self.assert_harmless(run("info", env=env))
            self.document("info", "--json", env=env)


class Ledgers(EscapeTest):
    def tampered(self, method, plan, kernel, host):
        """A ledger with other names and right checksums."""
        ledger = self.make_part(12, self.path(), "1/2", *MANY_UNITS)
        job = list(job_of(ledger))
        job[2:4] = method, plan
        with opened(ledger) as database:
            for table in TABLES:
                for row in rows(ledger, table):
                    row = list(job if table == "job" else row[:-1])
                    if table == "unit":
                        row[3], row[5] = kernel, host
                    put(database, table, job, row)
        return ledger

    def test_names(self):
        method, plan, kernel, host = ("s\033[2J\u009b", "p\x7f\r", "k\033c", ODD)
        ledger = self.tampered(method, plan, kernel, host)
        self.assert_harmless(run("ledger", "show", ledger), r"method s\x1b[2J\xc2\x9b,",
                             r"plan p\x7f\x0d ", SHOWN + " ", code=DONE)
        document = self.document("ledger", "show", ledger, "--json")
        self.assertEqual((document["method"], document["plan"], document["hosts"][0]["name"]),
                         (method, plan, host))
        for command in (["12", "--ledger", ledger], ["ledger", "audit", ledger]):
            self.assert_harmless(run(*command), r"p\x7f\x0d", code=USAGE)
        merged = self.path("merged")
        self.assert_harmless(run("ledger", "merge", ledger, "--output", merged), SHOWN, code=DONE)
        other = self.make_part(12, self.path("other"), "2/2")
        self.assert_harmless(run("ledger", "merge", ledger, other, "--output", self.path("no")),
                             code=USAGE)

    def test_files(self):
        for name in (ODD, os.fsdecode(NOT_UTF8)):
            with self.subTest(name=name):
                shown = SHOWN if name == ODD else NOT_UTF8_SHOWN
                ledger = self.make_part(12, self.path(name), "1/2")
                self.assert_harmless(run("ledger", "show", ledger), shown, code=DONE)
                document = self.document("ledger", "show", ledger, "--json")
                self.assertEqual(document["ledger"], self.path(name if name == ODD else shown))
                self.assertIn(shown, self.document("ledger", "audit", ledger, "--json")["ledger"]
                              .replace(ODD, shown))
                self.assert_harmless(run("13", "--ledger", ledger), shown, code=USAGE)
