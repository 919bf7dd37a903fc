# SPDX-License-Identifier: MIT
"""`help` and --help show the right page, which is short and true."""
import os
import re

from help_pages import all_options, commands, options, page, sections
from program import DONE, PROGRAM, WRONG, FolderTest, ProgramTest, call, run


class Pages(ProgramTest):
    def test_every_way_to_ask_shows_the_page(self):
        for shown, ways in (
            ("", "--help; -h; help; -h -q"),
            (
                "count",
                "8 --help; help 8; 8 --time -h; - -h; 8 10 -h; count -h 4..8; count list --help; "
                "8 nope --help",
            ),
            ("ledger", "ledger --help; help ledger; help ledger -h"),
            ("ledger merge", "ledger merge x --help"),
            ("ledger show", "ledger show --help; help ledger show"),
            *((name, f"{name} --help") for name in commands()),
        ):
            for arguments in ways.split("; "):
                self.assert_answers(page(shown), *arguments.split())

    def test_several_pages_are_shown_in_order(self):
        self.assert_answers(
            "\n".join(map(page, ("info", "ledger show", "table", "ledger"))),
            *"help info ledger show table ledger".split(),
        )

    def test_no_line_is_wider_than_a_terminal(self):
        for name in ("", "ledger", *commands()):
            for line in page(name).splitlines():
                self.assertLessEqual(len(line), 80, f"{name}: {line}")

    def test_says_of_an_option_what_it_does_there(self):
        """An option that several commands have may do something else in each. The page of a command
        says what it does there."""
        for name, verb in (("count", "count"), ("list", "print")):
            self.assertTrue(options(name)["fundamental"][1].startswith(verb + " "), name)

    def test_the_page_of_ledger_has_all_its_commands(self):
        names = [name for name in commands() if name.startswith("ledger ")]
        self.assertEqual(re.findall(r"^  (ledger \w+) ", page("ledger"), re.M)[: len(names)], names)
        self.assertEqual(len(names), 3)

    def test_options_are_those_that_the_program_takes(self):
        """A command accepts the options of its page. It refuses each option that only other
        commands have, with a message that says so."""
        values = {name: ["1"] if value else [] for name, value in all_options().items()}
        names = [name for name in values if name not in ("help", "version")]
        self.assertGreater(len(names), 20)
        for number, command in enumerate(commands()):
            own = options(command)
            # All other options would take a minute, so each command gets a third of them.
            others = [name for name in names[number % 3 :: 3] if name not in own]
            for name in [*own, *others]:
                result = run(*command.split(), "x", "y", f"--{name}", *values[name])
                self.assertNotEqual(result.returncode, DONE)
                self.assertEqual(
                    "does not accept" in result.stderr, name not in own, (command, name)
                )


class Examples(FolderTest):
    def test_they_work(self):
        """The examples of all pages run, with smaller boards and less time, in a folder that has
        the ledgers that they name."""
        lines = []
        for name in commands():
            lines += re.findall(r"^  (\S.*)$", sections(page(name))["Examples"], re.M)
        self.assertGreater(len(lines), 25)
        for name in ("nqueens", "other-program"):
            os.symlink(PROGRAM, self.path(name))
        env = {"PATH": self.folder + os.pathsep + os.environ["PATH"]}
        for line in ["nqueens 10 --shard 2/2 --ledger shard2", *lines]:
            line = re.sub(r"(?<= )(1[3-9]|2\d)(?= |$)", "10", line)
            line = re.sub("bench$", "bench 8", line)
            line = line.replace("bench ", "bench --repeat 1 ")
            line = line.replace("--for 60", "--for 1")
            line = line.replace("14..17 --minutes 60", "8..10 --minutes 0.03")
            result = call(["sh", "-c", line], cwd=self.folder, env=env)
            attacks = "draw -" in line and "1 3 2 4" in line
            self.assertEqual(
                result.returncode, WRONG if attacks else DONE, line + "\n" + result.stderr
            )
