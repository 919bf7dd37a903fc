"""`help` and --help: the right page, short, and true."""
import os
import re

from helped import all_options, commands, given, options, page, sections
from program import DONE, PROGRAM, WRONG, FolderTest, ProgramTest, call, run

ACTIONS = {"bench": ("kernels", "plans", "methods", "scaling"), "ledger": ("show", "audit", "merge")}


class Pages(ProgramTest):
    def test_every_way_to_ask(self):
        for arguments in (["--help"], ["-h"], ["help"], ["--help", "--json"], ["-h", "-q"]):
            self.assert_answers(page(), *arguments)
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

    def test_they_fit_on_a_screen_and_have_every_part(self):
        self.assertLessEqual(page().count("\n"), 40)
        self.assertLess(max(map(len, page().splitlines())), 80)
        for name in commands():
            parts = sections(page(name))
            self.assertIn("Examples", parts)
            self.assertRegex(page(name), r"(?s)\AUsage: nqueens .*\n\n[A-Z][^\n]{40}")
            self.assertLess(max(map(len, page(name).splitlines())), 80)
            self.assertEqual("Arguments" in parts, name not in ("table", "info"))
            self.assertIn("'man nqueens'", page(name))
            self.assertEqual(bool(options(name)), name != "help")

    def test_options_are_those_that_the_program_takes(self):
        """It refuses all others with a message of its own."""
        names = [name for name in all_options() if name not in ("help", "version")]
        self.assertGreater(len(names), 20)
        for command in commands():
            for action in ACTIONS.get(command, ("",)):
                refused = {name for name in names if self.is_refused(command, action, name)}
                self.assertEqual(refused, set(names) - set(options(command, action)), (command, action))

    def is_refused(self, command, action, name):
        result = run(command, *action.split(), "x", "y", *given(name))
        self.assertNotEqual(result.returncode, DONE)
        return "does not accept" in result.stderr

    def test_what_experts_need_stands_below(self):
        parts = sections(page("count"))
        self.assertEqual(list(parts), ["Arguments", "Options", "Options for experts", "Examples"])
        self.assertEqual(re.findall(r"--(\w+)", parts["Options for experts"]),
                         ["method", "plan", "depth", "kernel", "bind", "smt"])

    def test_bad_topics(self):
        self.assert_each_refused(
            ("help nope", "'nope'", "'nqueens --help'"), ("help list 8", "'8'", "one command"),
            ("help ledger show x", "'x'", "one command"), ("help --json", "'help'", "'--json'"),
            *(([*words, word], f"'{word}'", "command", "0 to 28") for word in ("", "@", "29", "8x")
              for words in (["help"], ["--help"])))


class Examples(FolderTest):
    def test_they_work(self):
        """With small boards, in a folder that has the ledgers that they name."""
        lines = [(name, line) for name in commands()
                 for line in re.findall(r"^  (\S.*)$", sections(page(name))["Examples"], re.M)]
        self.assertGreater(len(lines), 25)
        for name in ("nqueens", "other-program"):
            os.symlink(PROGRAM, self.path(name))
        self.assert_works("nqueens 10 --shard 2/2 --ledger part2")
        for name, line in lines:
            self.assertIn(f"nqueens {name}" if name != "count" else "nqueens ", line)
            self.assert_works(line)

    def assert_works(self, line):
        line = re.sub(r"(?<= )(1[3-9]|2\d)(?= |$)", "10", line)
        line = line.replace("--seconds 60", "--seconds 1")
        line = line.replace("14..17 --minutes 60", "8..10 --minutes 0.01")
        path = self.folder + os.pathsep + os.environ["PATH"]
        result = call(["sh", "-c", line], cwd=self.folder, env={"PATH": path})
        attacks = "draw -" in line and "1 3 2 4" in line
        self.assertEqual(result.returncode, WRONG if attacks else DONE, line + "\n" + result.stderr)
