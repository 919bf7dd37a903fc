# SPDX-License-Identifier: MIT
"""`help` and --help: the right page, short, and true."""
import os
import re

from helped import all_options, commands, given, options, page, sections
from program import DONE, PROGRAM, WRONG, FolderTest, ProgramTest, call, run

GROUPS = {"bench": ("score", "kernels", "scaling"), "ledger": ("show", "audit", "merge")}


class Pages(ProgramTest):
    def test_every_way_to_ask(self):
        for arguments in ("--help", "-h", "help", "-h -q"):
            self.assert_answers(page(), *arguments.split())
        for name in commands():
            self.assert_answers(page(name), *name.split(), "--help")
        for arguments in ("8 --help", "help 8", "8 --time -h", "- -h", "8 10 -h", "count -h 4..8"):
            self.assert_answers(page("count"), *arguments.split())
        for arguments in ("bench 8 --help", "help bench score", "bench -t 2 score -h"):
            self.assert_answers(page("bench score"), *arguments.split())
        for action in ("show", "merge"):
            self.assert_answers(page(f"ledger {action}"), "ledger", action, "x", "--help")

    def test_what_begins_several_commands(self):
        for group, actions in GROUPS.items():
            for arguments in ([group, "--help"], ["help", group], ["help", group, "-h"]):
                self.assert_answers(page(group), *arguments)
            self.assertEqual([name for name in commands() if name.startswith(group)],
                             [f"{group} {action}" for action in actions])
            for action in actions:
                self.assertIn(f"  {group} {action} ", page(group))
            self.assert_answers(run("--version").stdout, group, "--version")

    def test_options_are_those_that_the_program_takes(self):
        """It refuses each other one, which some command has, with a message of its own."""
        names = [name for name in all_options() if name not in ("help", "version")]
        self.assertGreater(len(names), 20)
        for number, command in enumerate(commands()):
            own = options(command)
            # A third of the others, another one for each command: all of them take a minute.
            for name in [*own, *[name for name in names[number % 3::3] if name not in own]]:
                result = run(*command.split(), "x", "y", *given(name))
                self.assertNotEqual(result.returncode, DONE)
                self.assertEqual("does not accept" in result.stderr, name not in own, (command, name))

    def test_bad_topics(self):
        self.assert_each_refused(
            ("help nope", "'nope'", "'nqueens --help'"), ("nope --help", "'nope'"),
            ("help --json", "'help'", "'--json'"))

    def test_words_without_a_meaning(self):
        """They are refused, not skipped: behind `help`, and in calls with --help or --version."""
        for option in ("--help", "--version"):
            self.assert_each_refused(
                *((f"{call} {option}", f"'{call.split()[-1]}'") for call in (
                    "count list", "8 nope", "table x", "info 8", "list x", "bench kernels x", "help nope")),
                (f"ledger nope x {option}", "'nope'", "show, audit or merge"))
        self.assert_each_refused(
            *((f"help {words}", f"'{words.split()[-1]}'") for words in (
                "count list", "count 8", "8 9", "bench 8", "bench nope", "bench score 8", "ledger nope", "ledger show x", "table x", "help nope")))


class Examples(FolderTest):
    def test_they_work(self):
        """With small boards, in a folder that has the ledgers that they name."""
        lines = [line for name in commands()
                 for line in re.findall(r"^  (\S.*)$", sections(page(name))["Examples"], re.M)]
        self.assertGreater(len(lines), 25)
        for name in ("nqueens", "other-program"):
            os.symlink(PROGRAM, self.path(name))
        env = {"PATH": self.folder + os.pathsep + os.environ["PATH"]}
        for line in ["nqueens 10 --shard 2/2 --ledger part2", *lines]:
            line = re.sub(r"(?<= )(1[3-9]|2\d)(?= |$)", "10", line).replace("--seconds 60", "--seconds 1")
            line = re.sub("bench$", "bench 8 --repeat 1", line).replace("14..17 --minutes 60", "8..10 --minutes 0.01")
            result = call(["sh", "-c", line], cwd=self.folder, env=env)
            attacks = "draw -" in line and "1 3 2 4" in line
            self.assertEqual(result.returncode, WRONG if attacks else DONE, line + "\n" + result.stderr)
