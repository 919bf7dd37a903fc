"""`help` and --help: the right page, short, and true."""
import os
import re
import tempfile

from helped import all_options, commands, given, options, page, sections
from program import DONE, PROGRAM, ProgramTest, call, run

ACTIONS = {"bench": ("kernels", "plans", "methods", "scaling"), "ledger": ("show", "audit", "merge")}


class Program(ProgramTest):
    def test_every_way_to_ask(self):
        for arguments in (["--help"], ["-h"], ["help"], ["--help", "--json"], ["-h", "-q"]):
            with self.subTest(arguments=arguments):
                self.assert_answers(page(), *arguments)

    def test_it_fits_on_a_screen(self):
        lines = page().splitlines()
        self.assertLessEqual(len(lines), 40)
        self.assertLess(max(map(len, lines)), 80)


class Commands(ProgramTest):
    def test_every_way_to_ask(self):
        for name in commands():
            what = ACTIONS.get(name, ("x",))[0]
            for arguments in ([name, "--help"], ["--help", name], [name, "-h", what, "y"]):
                self.assert_answers(page(name), *arguments)
        for arguments in ("8 --help", "help 8", "8 --time -h", "- -h", "8 10 -h", "help 28"):
            self.assert_answers(page("count"), *arguments.split())
        for command, actions in ACTIONS.items():
            for action in actions:
                self.assert_answers(page(command), "help", command, action)
                self.assert_answers(page(command), command, action, "--help")
                self.assertIn(f"nqueens {command} {action} ", page(command))

    def test_every_part(self):
        for name in commands():
            with self.subTest(command=name):
                parts = sections(page(name))
                self.assertIn("Examples", parts)
                self.assertRegex(page(name), r"(?s)\AUsage: nqueens .*\n\n[A-Z][^\n]{40}")
                self.assertLess(max(map(len, page(name).splitlines())), 80)
                self.assertEqual("Arguments" in parts, name not in ("table", "info"))
                if name != "help":
                    self.assertIn(f"'man nqueens-{name}'", page(name))
                    self.assertTrue(options(name))

    def test_options_are_those_that_the_program_takes(self):
        """It refuses all others with a message of its own."""
        names = [name for name in all_options() if name not in ("help", "version")]
        self.assertGreater(len(names), 20)
        for command in commands():
            for action in ACTIONS.get(command, ("",)):
                refused = {name for name in names if self.is_refused(command, action, name)}
                with self.subTest(command=command, action=action):
                    self.assertEqual(refused, set(names) - self.said_to_be_taken(command, action))

    def said_to_be_taken(self, command, action):
        found = set()
        for heading, lines in sections(page(command)).items():
            of_this = re.fullmatch(r"Options( of .*)?", heading)
            if of_this and (not of_this[1] or action in re.findall(r"\w+", of_this[1])):
                found |= set(re.findall(r"^  (?:-\w, |    )--([\w-]+)", lines, re.M))
        return found

    def is_refused(self, command, action, name):
        words = [action] if action else []
        result = run(command, *words, "x", "y", *given(name))
        self.assertNotEqual(result.returncode, DONE)
        return "does not accept" in result.stderr


class Examples(ProgramTest):
    def test_they_work(self):
        """With small boards, in a folder that has the ledgers that they name."""
        lines = [(name, line) for name in commands()
                 for line in re.findall(r"^  (\S.*)$", sections(page(name))["Examples"], re.M)]
        self.assertGreater(len(lines), 25)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, os.path.join(folder, "nqueens"))
            os.symlink(os.path.join(folder, "nqueens"), os.path.join(folder, "other-program"))
            path = folder + os.pathsep + os.environ["PATH"]
            self.small("nqueens 10 --shard 2/2 --ledger part2", folder, path)
            for name, line in lines:
                with self.subTest(line=line):
                    self.assertIn(f"nqueens {name}" if name != "count" else "nqueens ", line)
                    self.small(line, folder, path)

    def small(self, line, folder, path):
        line = re.sub(r"(?<= )(1[3-9]|2\d)(?= |$)", "10", line)
        line = line.replace("--seconds 60", "--seconds 1")
        line = line.replace("14..17 --minutes 60", "8..10 --minutes 0.01")
        result = call(["sh", "-c", line], cwd=folder, env={"PATH": path})
        attacks = "draw -" in line and "1 3 2 4" in line
        self.assertEqual(result.returncode, 1 if attacks else DONE, line + "\n" + result.stderr)


class Refused(ProgramTest):
    def test_bad_topics(self):
        self.assert_each_refused(
            ("help nope", "unknown command 'nope'", "(see 'nqueens --help')"), ("help list 8", "'8'", "one command"),
            ("help ledger show x", "'x'", "one command"), ("help --json", "'help' does not accept '--json'"),
            *(([*words, word], f"'{word}'", "command", "0 to 28") for word in ("", "@", "99", "29", "8x", "1.5")
              for words in (["help"], ["--help"])))
