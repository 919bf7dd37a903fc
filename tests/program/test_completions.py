"""The completions: what they offer is what the program takes."""
import os
import re
import shlex
import shutil
import tempfile
import unittest

from helped import all_options, commands, options
from installed import Tree
from program import ProgramTest, call, run


class Completions(ProgramTest):
    shell, place = None, None

    @classmethod
    def setUpClass(cls):
        if shutil.which(cls.shell) is None:
            raise unittest.SkipTest(f"{cls.shell} is not installed")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.tree = Tree(os.path.join(folder.name, "root")).install()
        cls.file = os.path.join(cls.tree.data, cls.place)
        cls.here = os.path.join(folder.name, "here")
        os.mkdir(cls.here)
        for name in ("a.ledger", "b c.ledger", "star*.ledger", "count"):
            open(os.path.join(cls.here, name), "w").close()
        cls.options, cls.commands = all_options(), list(commands())

    def assert_syntax(self):
        result = call([self.shell, "-n", self.file])
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))


class Bash(Completions):
    shell, place = "bash", "bash-completion/completions/nqueens"

    def offered(self, *words):
        """What is offered for the last of these words, as bash has split them."""
        line = " ".join(shlex.quote(word) for word in ("nqueens", *words))
        script = f"source {shlex.quote(self.file)}; COMP_WORDS=({line}); " \
                 f"COMP_CWORD={len(words)}; _nqueens && printf '%s\\n' \"${{COMPREPLY[@]}}\""
        result = call(["bash", "--norc", "-c", script], cwd=self.here)
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        return sorted(result.stdout.splitlines()) if result.stdout != "\n" else []

    def assert_offers(self, words, *expected):
        self.assertEqual(self.offered(*words), sorted(expected), words)

    def test_syntax(self):
        self.assert_syntax()

    def test_commands(self):
        self.assertGreater(len(self.commands), 8)
        self.assert_offers([""], *self.commands)
        self.assert_offers(["co"], "construct", "count")
        self.assert_offers(["led"], "ledger")
        self.assert_offers(["--time", "v"], "verify")
        self.assert_offers(["-t", "4", "v"], "verify")
        self.assert_offers(["--threads", "=", "4", "v"], "verify")
        self.assert_offers(["x"])

    def test_options(self):
        """Those of the command's help, which are those that the program takes; before there is a command,
        all."""
        self.assert_offers(["-"], *("--" + name for name in self.options))
        for command in self.commands:
            with self.subTest(command=command):
                taken = {*options(command), "help", "version"}
                self.assert_offers([command, "--"], *("--" + name for name in taken))
        self.assertEqual(self.offered("8", "--"), self.offered("count", "--"))
        self.assert_offers(["8", "--me"], "--memory", "--method")
        self.assert_offers(["list", "--ti"])
        self.assert_offers(["8", "--time", "--ti"])
        self.assert_offers(["8", "--", "--ti"])
        self.assert_offers(["ledger", "merge", "--"], "--output", "--json", "--help", "--version")
        self.assert_offers(["bench", "scaling", "16", "--s"])

    def test_values(self):
        for words in (["8", "--method", ""], ["8", "--method", "="], ["8", "--method", "=", ""]):
            self.assert_offers(words, "auto", "join", "search")
        self.assert_offers(["8", "--method", "=", "j"], "join")
        self.assert_offers(["8", "--method=j"], "--method=join")
        self.assert_offers(["8", "--plan", ""], "auto", "cross", "halves", "rows")
        self.assert_offers(["8", "--bind", "n"], "none")
        self.assert_offers(["8", "--progress", ""], "always", "auto", "never")
        self.assert_offers(["list", "8", "--format", ""], "board", "columns", "json")
        self.assert_offers(["table", "--format", ""], "csv", "markdown", "text")
        self.assert_offers(["8", "--threads", ""])
        self.assert_offers(["8", "--method", "-"])

    def test_words(self):
        """As the program names them when it was given none of them."""
        for command in ("bench", "ledger"):
            words = re.search(r"expected (.*)\n", run(command).stderr)[1]
            self.assert_offers([command, ""], *re.split(", | or ", words))
        self.assert_offers(["help", ""], *self.commands)
        self.assert_offers(["help", "co"], "construct", "count")
        self.assert_offers(["ledger", "--quiet", "me"], "merge")
        self.assert_offers(["bench", "kernels", ""])
        self.assert_offers(["8", ""])
        self.assert_offers(["table", ""])

    def test_files(self):
        files = os.listdir(self.here)
        for words in (["8", "--ledger", ""], ["draw", "8", "-o", ""], ["draw", "--output", "=", ""],
                      ["check", ""], ["ledger", "show", ""], ["ledger", "merge", "a.ledger", ""]):
            self.assert_offers(words, *files)
        self.assert_offers(["ledger", "show", "b"], "b c.ledger")
        self.assert_offers(["8", "--ledger=a"], "--ledger=a.ledger")
        self.assert_offers(["8", "--ledger", "none"])


class Zsh(Completions):
    shell, place = "zsh", "zsh/site-functions/_nqueens"

    def test_syntax(self):
        self.assert_syntax()

    def specifications(self, *words):
        """What is handed to zsh's own function, which does the rest, after these words."""
        line = " ".join(shlex.quote(word) for word in ("nqueens", *words))
        script = f"_arguments() {{ print -rl -- $@ }}; words=({line}); CURRENT={len(words) + 1}; " \
                 f"source {shlex.quote(self.file)}"
        result = call(["zsh", "-f", "-c", script], cwd=self.here)
        self.assertEqual(result.stderr, "", words)
        return result.stdout

    def names(self, *words):
        return sorted(re.findall(r"^(?:\*|\([^)]*\))?(--[\w-]+)=?\[", self.specifications(*words),
                                 re.M))

    def test_options_are_those_of_bash(self):
        for command in self.commands:
            taken = [line for line in self.bash(command).split() if line.startswith("--")]
            self.assertEqual(self.names(command, ""), sorted(taken), command)
        self.assertEqual(self.names("8", ""), self.names("count", ""))
        self.assertEqual(self.names("--ledger", "list", "8", ""), self.names("count", ""))
        self.assertEqual(self.names(""), sorted("--" + name for name in self.options))

    def bash(self, command):
        file = os.path.join(self.tree.data, Bash.place)
        script = f"source {file}; COMP_WORDS=(nqueens {command} --); COMP_CWORD=2; _nqueens; " \
                 "echo \"${COMPREPLY[@]}\""
        return call(["bash", "--norc", "-c", script]).stdout

    def test_values_words_and_files(self):
        given = self.specifications("count", "")
        self.assertIn(":NAME:(auto search join)\n", given)
        self.assertRegex(given, r"--ledger=\[.*\]:FILE:_files\n")
        self.assertIn("2: :(show audit merge)\n*:file:_files\n",
                      self.specifications("ledger", ""))
        self.assertIn(f"2: :({' '.join(self.commands)})\n", self.specifications("help", ""))
        self.assertIn("1: :_nqueens_commands\n", self.specifications(""))


class Fish(Completions):
    shell, place = "fish", "fish/vendor_completions.d/nqueens.fish"

    def offered(self, line):
        script = f"source {shlex.quote(self.file)}; complete -C 'nqueens {line}'"
        env = {"HOME": self.here, "XDG_CONFIG_HOME": self.here, "XDG_DATA_HOME": self.here}
        result = call(["fish", "--no-config", "-c", script], cwd=self.here, env=env)
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return sorted(row.split("\t")[0] for row in result.stdout.splitlines())

    def test_syntax(self):
        self.assert_syntax()

    def test_commands(self):
        self.assertEqual(self.offered(""), sorted(self.commands))
        self.assertEqual(self.offered("-t 4 v"), ["verify"])
        self.assertEqual(self.offered("8 "), [])

    def test_options(self):
        self.assertEqual(self.offered("--"), sorted("--" + name for name in self.options))
        self.assertEqual(self.offered("list --f"), ["--format", "--fundamental"])
        self.assertEqual(self.offered("list --ti"), [])
        self.assertEqual(self.offered("8 --ti"), ["--time"])
        self.assertEqual(self.offered("--ledger list 8 --ti"), ["--time"])

    def test_words_and_files(self):
        self.assertEqual(self.offered("ledger "), ["audit", "merge", "show"])
        self.assertIn("scaling", self.offered("bench "))
        self.assertEqual(self.offered("help "), sorted(self.commands))
        self.assertEqual(self.offered("bench kernels "), [])
        self.assertIn("a.ledger", self.offered("ledger show a"))
        self.assertIn("a.ledger", self.offered("check a"))
        self.assertIn("a.ledger", self.offered("8 --ledger a"))
        self.assertEqual(self.offered("8 a"), [])
