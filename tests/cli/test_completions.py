# SPDX-License-Identifier: MIT
"""Completions offer what the program accepts."""
import os
import re
import shlex
import shutil

from help_pages import all_options, commands, options
from program import PROGRAM, SOURCE, FolderTest, ProgramTest, call, methods, run, write


class Offers(ProgramTest):
    """What the program tells the shells."""

    def assert_offers(self, *cases):
        """Each case has words, and what the program offers in place of the last one. The shell
        drops those offers that do not begin with this word."""
        for words, expected in cases:
            result = run("__complete", *words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            offered = [line.split("\t")[0] for line in result.stdout.splitlines()]
            self.assertEqual(sorted(offered), sorted(expected), words)

    def test_commands_are_offered_with_what_they_do(self):
        names = {name.split()[0] for name in commands()}
        self.assertGreater(len(names), 8)
        self.assert_offers(
            ([""], names),
            (["help", ""], names),
            (["-t", "4", ""], names),
            (["nope", ""], []),
            (["ledger", "--quiet", ""], ["show", "audit", "merge"]),
            (["8", ""], []),
        )
        expected = re.search(r"expected (.*)\n", run("ledger", "nope").stderr)[1]
        self.assert_offers((["ledger", ""], re.split(", | or ", expected)))
        self.assertIn(f"count\t{commands()['count']}\n", run("__complete", "").stdout)

    def test_options_are_those_of_the_commands_help(self):
        self.assert_offers((["-"], ["--" + name for name in all_options()]))
        for command in commands():
            expected = ["--" + name for name in (*options(command), "help", "version")]
            self.assert_offers(
                ([*command.split(), "-"], expected), ([*command.split(), "--ti"], expected)
            )
        self.assertEqual(run("__complete", "8", "-").stdout, run("__complete", "count", "-").stdout)
        self.assert_offers(
            (["ledger", "merge", "--"], ["--output", "--json", "--help", "--version"]),
            (["ledger", "merge", "-oNEW", "--js", "-"], ["--help", "--version"]),
            (["nope", "-"], []),
        )

    def test_the_values_of_an_option_are_offered(self):
        self.assert_offers(
            (["8", "--method", ""], ["auto", *methods()]),
            (["8", "--me", "c"], ["auto", *methods()]),
            (["8", "--device", ""], ["all"]),
            (["8", "--bind", ""], ["auto", "none"]),
            (["8", "--threads", ""], []),
            (["list", "8", "--format", ""], ["columns", "board"]),
            (["8", "--format", ""], ["text", "csv"]),
        )
        for name in ("method", "kernel", "progress"):
            words = run("__complete", "8", "--" + name, "").stdout.split()
            self.assertIn(
                f"expected {', '.join(words[:-1])} or {words[-1]}\n", run("8", f"--{name}=?").stderr
            )

    def test_files_are_offered_where_a_command_reads_or_writes_one(self):
        for line in ("8 --ledger ", "draw 8 -o ", "check ", "ledger show ", "ledger merge a "):
            self.assert_offers((line.split(" "), ["FILE"]))


class Shells(FolderTest):
    """What each shell offers for a command line. In bash and zsh, the shell's own functions are
    replaced by ones that print their arguments."""

    def assert_says(self, shell, script, *expected):
        """Runs a script of a shell, in which SCRIPT is the file of the completions. Asserts that it
        prints these lines."""
        if shutil.which(shell) is None:
            self.skipTest(f"{shell} is not installed")
        for name in ("a.ledger", "b c.ledger"):
            write(self.path(name), "")
        env = {
            "PATH": os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"],
            "HOME": self.folder,
        }
        file = shlex.quote(os.path.join(SOURCE, "completions", "nqueens." + shell))
        result = call([shell, "-c", script.replace("SCRIPT", file)], cwd=self.folder, env=env)
        self.assertEqual(result, (0, "".join(line + "\n" for line in expected), ""))

    def test_bash(self):
        self.assert_says(
            "bash",
            r"""
            compopt() { echo "compopt $*"; }
            offer() {
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                _nqueens
                echo "${COMPREPLY[*]}"
            }
            . SCRIPT
            complete -p nqueens
            offer nqueens co
            offer nqueens 8 --method c
            offer nqueens --method = c
            offer nqueens 8 --ledger ''""",
            "complete -F _nqueens nqueens",
            "count construct",
            "colours",
            "",
            "compopt -o default",
            "",
        )

    def test_zsh(self):
        self.assert_says(
            "zsh",
            r"""
            compset() { echo compset $* }
            _files() { echo files }
            _describe() { print -rl -- ${(P)2} }
            offer() {
                words=($@) CURRENT=$#
                . SCRIPT
            }
            offer nqueens 8 --method c
            offer nqueens ledger merge --
            offer nqueens 8 --ledger a""",
            *["auto", *methods()],
            "--output:the new ledger, which must not exist",
            "--json:print JSON on stdout",
            "--help:show this help, or the help of a command",
            "--version:show the version",
            "files",
        )

    def test_fish(self):
        self.assert_says(
            "fish",
            """
            source SCRIPT
            for line in con '8 --method c' '8 --ti' '8 a' '8 --ledger a' 'ledger show b'
                complete -C "nqueens $line" | cut -f 1
            end""",
            "construct",
            "colours",
            "--time",
            "a.ledger",
            "b c.ledger",
        )
