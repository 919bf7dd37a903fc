# SPDX-License-Identifier: MIT
"""Text from outside has no power over the terminal, and stays readable: arguments, the environment,
files, ledgers."""
import json
import os
import unicodedata

from ledgers import LedgerTest, rewrite
from program import DONE, SYSTEM, USAGE, run

# Sets the title of the terminal, moves its cursor, rings its bell; é and the crown stay as they are.
ODD = "é\033]0;owned\a\033[2J\u009b31m\r\b\x7f♛"
SHOWN = r"é\x1b]0;owned\x07\x1b[2J\xc2\x9b31m\x0d\x08\x7f♛"
NOT_UTF8 = os.fsdecode(b"\xc3(\xff")  # an argument may be any bytes
NOT_UTF8_SHOWN = r"\xc3(\xff"
TEXTS = ((ODD, SHOWN), (NOT_UTF8, NOT_UTF8_SHOWN))


def odd(text):
    """Characters that a terminal obeys, and bytes that are not UTF-8."""
    return [c for c in text if c != "\n" and (unicodedata.category(c) == "Cc" or "\udc80" <= c <= "\udcff")]


class Escapes(LedgerTest):
    CALLS = ("count {}", "list {}", "draw {}", "draw 8 {}", "construct {}", "check {}", "help x{}",
             "estimate {}", "table {}", "bench {}", "ledger {}", "ledger show {}", "--{}", "x{}",
             "8 --quiet={}", "8 --ledger /dev/null/{}", "draw 8 --output /dev/null/{}.svg", "draw 8 --output {}",
             "bench 8 --output /dev/null/{}", "ledger merge {} --output o",
             *(f"8 {option} {{}}"
               for option in ("--threads", "--method", "--bind", "--shard", "--progress")))

    def assert_harmless(self, codes, result, *shown):
        """No output has power over a terminal; each of these texts is in it."""
        everything = (result.stdout or "") + result.stderr
        self.assertEqual(odd(everything), [], repr(everything))
        self.assertIn(result.returncode, codes, result.stderr)
        for text in shown:
            self.assertIn(text, everything)
        return result

    def harmless_document(self, *arguments, **how):
        return json.loads(self.assert_harmless([DONE], run(*arguments, "--json", **how)).stdout)

    def test_of_arguments(self):
        for text, shown in TEXTS:
            for call in self.CALLS:
                arguments = [word.replace("{}", text) for word in call.split()]
                self.assert_harmless([USAGE, SYSTEM], run(*arguments), shown)
            self.assert_harmless([USAGE], run("-" + text, "8"))  # its letters are named one by one

    def test_of_stdin(self):
        for command in ("-", "check", "draw"):
            self.assert_harmless([USAGE], run(command, stdin="\033[2J\u009b♛\n"), r"'\x1b[2J\xc2\x9b♛'")

    def test_of_the_environment(self):
        for text, shown in TEXTS:
            env = {"NQUEENS_KERNEL": text}
            for arguments in (["8"], ["estimate", "8"], ["bench", "8"], ["verify", "--to", "4"]):
                self.assert_harmless([USAGE], run(*arguments, env=env), shown)
            self.assert_harmless([DONE], run("info", env=env))
            self.harmless_document("info", env=env)

    def test_of_ledgers(self):
        """Of their files' names; and of one with other names in it, and right checksums."""
        for name, shown in TEXTS:
            ledger = self.make_part(12, self.path(name), "1/2")
            self.assertEqual(self.harmless_document("ledger", "audit", ledger)["ledger"], self.path(shown))
            self.assert_harmless([USAGE], run("13", "--ledger", ledger), shown)
        rewrite(ledger, "unit", lambda *unit: (*unit[:3], "k\033c", unit[4], ODD, unit[6]))
        self.assert_harmless([DONE], run("ledger", "show", ledger), NOT_UTF8_SHOWN, SHOWN + ",")
        found = self.harmless_document("ledger", "show", ledger)
        self.assertEqual((found["ledger"], found["hosts"][0]["name"]), (self.path(shown), SHOWN))
        self.assert_harmless([DONE], run("ledger", "merge", ledger, "--output", self.path("merged")), SHOWN)
        other = self.make_part(13, self.path("other"), "2/2")
        self.assert_harmless([USAGE], run("ledger", "merge", ledger, other, "--output", self.path("no")))
