"""The completions: what they offer is what the program takes."""
import os
import re
import shlex
import shutil
import unittest

from helped import all_options, commands, options
from installed import InstalledTest
from program import call, run

BASH = "bash-completion/completions/nqueens"


class Completions(InstalledTest):
    shell, place = None, None

    @classmethod
    def setUpClass(cls):
        if shutil.which(cls.shell) is None:
            raise unittest.SkipTest(f"{cls.shell} is not installed")
        super().setUpClass()
        cls.file = os.path.join(cls.tree.data, cls.place)
        cls.here = os.path.join(cls.folder, "here")
        os.mkdir(cls.here)
        for name in ("a.ledger", "b c.ledger", "star*.ledger", "count"):
            open(os.path.join(cls.here, name), "w").close()
        cls.options, cls.commands = ["--" + name for name in all_options()], list(commands())

    def said_by(self, script, *flags, **how):
        """stdout of a script that has loaded the completions."""
        script = f"source {shlex.quote(self.file)}; {script}"
        result = call([self.shell, *flags, "-c", script], cwd=self.here, **how)
        self.assertEqual((result.returncode, result.stderr), (0, ""), script)
        return result.stdout


class Bash(Completions):
    shell, place = "bash", BASH

    def offered(self, *words):
        """What is offered for the last of these words, as bash has split them."""
        line = " ".join(shlex.quote(word) for word in ("nqueens", *words))
        stdout = self.said_by(f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; "
                              "_nqueens && printf '%s\\n' \"${COMPREPLY[@]}\"", "--norc")
        return sorted(stdout.splitlines()) if stdout != "\n" else []

    def assert_offers(self, *cases):
        """Each case: words, and what is offered for the last of them."""
        for words, expected in cases:
            self.assertEqual(self.offered(*words), sorted(expected), words)

    def test_commands(self):
        self.assertGreater(len(self.commands), 8)
        self.assert_offers(([""], self.commands), (["co"], ["construct", "count"]), (["x"], []),
                           (["-t", "4", "v"], ["verify"]), (["--threads", "=", "4", "v"], ["verify"]))

    def test_options_are_those_of_the_commands_help(self):
        self.assert_offers((["-"], self.options))
        for command in self.commands:
            taken = {*options(command), "help", "version"}
            self.assert_offers(([command, "--"], ["--" + name for name in taken]))
        self.assertEqual(self.offered("8", "--"), self.offered("count", "--"))
        self.assert_offers((["8", "--me"], ["--method"]), (["list", "--ti"], []),
                           (["8", "--time", "--ti"], []), (["8", "--", "--ti"], []),
                           (["ledger", "merge", "--"], ["--output", "--json", "--help", "--version"]))

    def test_values(self):
        methods = ["auto", "colours", "search"]
        self.assert_offers(
            *((["8", "--method", *words], methods) for words in ([""], ["="], ["=", ""])),
            (["8", "--method", "=", "c"], ["colours"]), (["8", "--method=c"], ["--method=colours"]),
            (["8", "--plan", ""], ["auto", "cross", "orbits", "rows"]), (["8", "--bind", "n"], ["none"]),
            (["8", "--progress", ""], ["always", "auto", "never"]), (["8", "--threads", ""], []),
            (["list", "8", "--format", ""], ["board", "columns", "json"]),
            (["table", "--format", ""], ["csv", "markdown", "text"]))

    def test_words_are_those_that_the_program_names(self):
        for command in ("bench", "ledger"):
            words = re.search(r"expected (.*)\n", run(command).stderr)[1]
            self.assert_offers(([command, ""], re.split(", | or ", words)))
        self.assert_offers((["help", ""], self.commands), (["ledger", "--quiet", "me"], ["merge"]),
                           (["bench", "kernels", ""], []), (["8", ""], []))

    def test_files(self):
        files = os.listdir(self.here)
        self.assert_offers(
            *((words, files) for words in (["8", "--ledger", ""], ["draw", "8", "-o", ""], ["check", ""],
                                           ["draw", "--output", "=", ""], ["ledger", "show", ""],
                                           ["ledger", "merge", "a.ledger", ""])),
            (["ledger", "show", "b"], ["b c.ledger"]), (["8", "--ledger=a"], ["--ledger=a.ledger"]))


class Zsh(Completions):
    shell, place = "zsh", "zsh/site-functions/_nqueens"

    def specifications(self, *words):
        """What is handed to zsh's own function, which does the rest, after these words."""
        line = " ".join(shlex.quote(word) for word in ("nqueens", *words))
        script = f"_arguments() {{ print -rl -- $@ }}; words=({line}); CURRENT={len(words) + 1}; " \
                 f"source {shlex.quote(self.file)}"
        result = call(["zsh", "-f", "-c", script], cwd=self.here)
        self.assertEqual(result.stderr, "", words)
        return result.stdout

    def names(self, *words):
        return sorted(re.findall(r"^(?:\*|\([^)]*\))?(--[\w-]+)=?\[", self.specifications(*words), re.M))

    def test_options_are_those_of_the_commands_help(self):
        for command in self.commands:
            taken = {*options(command), "help", "version"}
            self.assertEqual(self.names(command, ""), sorted("--" + name for name in taken), command)
        for words in ("8", ""), ("--ledger", "list", "8", ""):
            self.assertEqual(self.names(*words), self.names("count", ""))
        self.assertEqual(self.names(""), sorted(self.options))

    def test_values_words_and_files(self):
        given = self.specifications("count", "")
        self.assertIn(":NAME:(auto search colours)\n", given)
        self.assertRegex(given, r"--ledger=\[.*\]:FILE:_files\n")
        self.assertIn("2: :(show audit merge)\n*:file:_files\n", self.specifications("ledger", ""))
        self.assertIn(f"2: :({' '.join(self.commands)})\n", self.specifications("help", ""))
        self.assertIn("1: :_nqueens_commands\n", self.specifications(""))


class Fish(Completions):
    shell, place = "fish", "fish/vendor_completions.d/nqueens.fish"

    def test_offers(self):
        env = {"HOME": self.here, "XDG_CONFIG_HOME": self.here, "XDG_DATA_HOME": self.here}
        for line, expected in (
                ("", self.commands), ("-t 4 v", ["verify"]), ("8 ", []), ("--", self.options),
                ("list --f", ["--format", "--fundamental"]), ("list --ti", []), ("8 --ti", ["--time"]),
                ("--ledger list 8 --ti", ["--time"]), ("ledger ", ["audit", "merge", "show"]),
                ("bench ", ["kernels", "methods", "plans", "scaling"]), ("help ", self.commands),
                ("bench kernels ", []), ("8 --ledger a", ["a.ledger"]), ("check a", ["a.ledger"]), ("8 a", []),
                ("ledger show a", ["a.ledger"])):
            stdout = self.said_by(f"complete -C 'nqueens {line}'", "--no-config", env=env)
            self.assertEqual(sorted(row.split("\t")[0] for row in stdout.splitlines()), sorted(expected), line)
