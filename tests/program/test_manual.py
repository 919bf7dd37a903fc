# SPDX-License-Identifier: MIT
"""The manual can be shown, and says what the help says."""
import os
import re

from helped import commands, options, page, sections
from installed import InstalledTest
from program import call, read, write


def plain(text):
    """The text without line breaks, in the characters of a keyboard."""
    for shown, typed in zip("\u2010\u2212\u2019\u2018", "--''"):
        text = text.replace(shown, typed)
    return " ".join(text.split())


class Manual(InstalledTest):
    def file(self, page):
        return os.path.join(self.tree.man, "man1", page + ".1")

    def shown(self, page):
        """A page as `man` shows it, without hyphens at the ends of lines."""
        result = call(["man", "-P", "cat", "--warnings", "--nh", "--nj", "-E", "UTF-8", "-Tutf8", "-l",
                       self.file(page)],
                      env={"LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": None, "MANROFFSEQ": None, "MANOPT": None})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return re.sub(r"\x1b\[[\d;]*m|.\x08", "", result.stdout)

    def warnings(self, file):
        return call(["groff", "-mandoc", "-Tutf8", "-ww", "-rLL=78n", file]).stderr

    def test_pages_and_their_names(self):
        """No warning; one page has all commands, and a name for each."""
        pages = {name.removesuffix(".1") for name in os.listdir(os.path.join(self.tree.man, "man1"))}
        names = {"nqueens", "nqueens-plot", *(f"nqueens-{name}" for name in commands() if name != "help")}
        self.assertEqual(pages - {"nqueens-mpi"}, names)
        for name in pages:
            self.assertEqual(self.warnings(self.file(name)), "", name)
            self.assertEqual(os.path.samefile(self.file(name), self.file("nqueens")), name != "nqueens-mpi")
            self.assertRegex(self.shown(name), r"NAME\n +nqueens")
        slip = self.path("slip.1")
        write(slip, read(self.file("nqueens")) + ".Slip of the pen\n")
        self.assertNotEqual(self.warnings(slip), "")

    def test_says_what_the_help_says(self):
        """The sentences about each command, its arguments, options and examples."""
        shown = self.shown("nqueens")
        items = [plain(item) for item in re.split(r"\n {5}(?=-)", shown[shown.index("\nOPTIONS\n"):])]
        shown = plain(shown)
        for command in commands():
            parts, about = sections(page(command)), page(command).split("\n\n")[1]
            rows = re.findall(r"(?m)^  (\S+) +(\S.*(?:\n {15,}.*)*)", parts.get("Arguments", ""))
            examples = re.findall(r"(?m)^  (\S.*\n.*)", parts["Examples"])
            self.assertIn(f"nqueens {command} ", shown)
            for text in (about, *(text for _, text in rows), *examples):
                self.assertIn(plain(text), shown)
            for option in options(command).values():
                names = f"--{option.name} {option.argument}".rstrip()
                names = f"-{option.short}, {names}" if option.short else names
                item = next(item for item in items if item.startswith(names + " "))
                self.assertRegex(item, rf"\b{command}\b[\w, ]*: {re.escape(option.text)}")
