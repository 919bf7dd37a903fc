# SPDX-License-Identifier: MIT
"""The manual can be shown, and says what the help says."""
import os
import re

from helped import commands, options, page, sections
from installed import InstalledTest, succeed
from program import call


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
        env = {"LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": None, "MANROFFSEQ": None, "MANOPT": None}
        text = succeed("man", "-P", "cat", "--nh", "--nj", "-E", "UTF-8", "-Tutf8", "-l", self.file(page), env=env)
        return plain(re.sub(r"\x1b\[[\d;]*m|.\x08", "", text))

    def test_pages_and_their_names(self):
        """No warning; one page has all commands, and the plot."""
        pages = {name.removesuffix(".1") for name in os.listdir(os.path.join(self.tree.man, "man1"))}
        self.assertEqual(pages - {"nqueens-mpi"}, {"nqueens", "nqueens-plot"})
        for name in pages:
            warnings = call(["groff", "-mandoc", "-Tutf8", "-ww", "-rLL=78n", self.file(name)]).stderr
            self.assertEqual(warnings, "", name)
            self.assertEqual(os.path.samefile(self.file(name), self.file("nqueens")), name != "nqueens-mpi")
            self.assertIn("NAME nqueens", self.shown(name))

    def test_says_what_the_help_says(self):
        """The sentences about each command, its arguments, options and examples."""
        shown = self.shown("nqueens")
        for command in commands():
            parts, about = sections(page(command)), page(command).split("\n\n")[1]
            arguments = re.findall(r"(?m)^  \S+ +(\S.*(?:\n {15,}.*)*)", parts.get("Arguments", ""))
            examples = re.findall(r"(?m)^  (\S.*\n.*)", parts["Examples"])
            for text in (f"nqueens {command} ", about, *arguments, *examples):
                self.assertIn(plain(text), shown)
            for name, (value, text) in options(command).items():
                self.assertIn(f"--{name} {value}".rstrip() + " ", shown)
                self.assertIn(plain(text), shown)
