# SPDX-License-Identifier: MIT
"""The manual can be shown without a warning, and says what the help says."""
import os
import re

from help_pages import commands, options, page, sections
from program import BUILD, ProgramTest, call


def plain(text):
    """Returns the text without line breaks."""
    return " ".join(text.split())


class Manual(ProgramTest):
    def shown(self, name):
        """Returns the text of a page of the manual, on one line. Asserts that groff prints
        no warning."""
        # In lines of 9999 columns no word is hyphenated.
        options = ["-mandoc", "-Tascii", "-P-cbou", "-ww", "-rLL=9999n"]
        code, text, warnings = call(["groff", *options, os.path.join(BUILD, "man", name)])
        self.assertEqual((code, warnings), (0, ""), name)
        return plain(text)

    def test_says_what_the_help_says(self):
        """The manual has each sentence of the help about a command, its arguments, options and
        examples."""
        manual = self.shown("nqueens.1")
        for command in commands():
            parts = sections(page(command))
            about = page(command).split("\n\n")[1]
            arguments = re.findall(r"(?m)^  \S+ +(\S.*(?:\n {15,}.*)*)", parts.get("Arguments", ""))
            examples = re.findall(r"(?m)^  (\S.*\n.*)", parts["Examples"])
            for text in (f"nqueens {command} ", about, *arguments, *examples):
                self.assertIn(plain(text), manual)
            for name, (value, text) in options(command).items():
                self.assertIn(f"--{name} {value}".rstrip() + " ", manual)
                self.assertIn(plain(text), manual)

    def test_of_mpi(self):
        if os.path.exists(os.path.join(BUILD, "man", "nqueens-mpi.1")):
            self.assertIn("NAME nqueens-mpi", self.shown("nqueens-mpi.1"))
