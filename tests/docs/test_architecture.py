# SPDX-License-Identifier: MIT
"""Which folder of src/, or bench/, includes headers of which other one and calls it, as docs/architecture.md has it."""
import glob
import os
import re
import unittest

from arrows import PLACES, documented, picture
from program import BUILD, PROGRAM, SOURCE, read, succeed

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

# By the names of their objects.
FILES = {
    os.path.relpath(file, os.path.join(SOURCE, "src")).replace("/", "_") + ".o": file
    for pattern in ("src/*/*.[ch]", "bench/*.[ch]")
    for file in glob.glob(os.path.join(SOURCE, pattern))
}


def folder_of(file):
    return os.path.basename(os.path.dirname(file))


def included():
    """The folders that each folder includes."""
    found = {}
    for file in FILES.values():
        headers = INCLUDE.findall(read(file))
        found.setdefault(folder_of(file), set()).update(
            {*map(os.path.dirname, headers)} - {folder_of(file), ""}
        )
    return found


def used():
    """The symbols that each file of this build takes from another one, which defines them."""
    objects = [
        os.path.join(path, name)
        for path, _, names in os.walk(os.path.join(BUILD, "src"))
        for name in FILES.keys() & names
    ]
    needed, defined = {file: set() for file in FILES.values()}, {}
    for name, kind, symbol in re.findall(
        r"/([^/:]+):\S* +(\w) (\S+)$", succeed("nm", "-gA", *objects), re.M
    ):
        if kind in "Uvw":
            needed[FILES[name]].add(symbol)
        else:
            defined[symbol] = FILES[name]
    return {
        file: {
            (symbol, defined[symbol])
            for symbol in symbols & defined.keys()
            if defined[symbol] != file
        }
        for file, symbols in needed.items()
    }


class Arrows(unittest.TestCase):
    maxDiff = None

    def test_they_are_as_documented_and_point_down(self):
        table = documented()
        self.assertEqual(included(), table)
        order = list(table)
        for folder, others in table.items():
            for other in others:
                self.assertLess(order.index(folder), order.index(other), f"{folder}: {other}")

    @unittest.skipIf(PROGRAM.endswith("-emulated"), "objects of another machine")
    def test_so_do_calls_and_there_is_no_circle(self):
        """Two files may call each other."""
        uses, table = used(), documented()
        self.assertGreater(sum(map(bool, uses.values())), 50)
        order = list(table)
        for file, others in uses.items():
            for symbol, other in others:
                here, there = folder_of(file), folder_of(other)
                below = symbol.startswith("nq_") and order.index(here) < order.index(there)
                self.assertTrue(
                    here == there or there in table[here] or below, f"{file}: {symbol} of {other}"
                )
        reached = {file: {other for _, other in others} for file, others in uses.items()}
        for middle in reached:
            for others in reached.values():
                if middle in others:
                    others |= reached[middle]
        for file, others in reached.items():
            circle = {other for other in others if file in reached[other]}
            self.assertLess(len(circle), 3, sorted(circle))

    def test_the_picture_is_that_of_the_table(self):
        """If not, tests/docs/arrows.py has to draw it again."""
        self.assertEqual(PLACES.keys(), documented().keys())
        self.assertEqual(
            picture(documented()), read(os.path.join(SOURCE, "docs", "architecture.svg"))
        )


class Names(unittest.TestCase):
    """The page names files and functions that exist."""

    page = read(os.path.join(SOURCE, "docs", "architecture.md"))

    def test_files_of_the_words(self):
        words = re.findall(r"^\| [a-z, -]+ \| .* \| (.*) \|$", self.page, re.M)
        files = [name for where in words for name in re.findall(r"`(\w+/\w+\.\w+)`", where)]
        self.assertGreater(len(files), 30)
        for name in files:
            self.assertTrue(os.path.exists(os.path.join(SOURCE, "src", name)), name)

    def test_files_and_functions_of_the_path(self):
        lines = re.findall(r"^    +(\w+/\w+\.\w+) +(\S.*)", self.page, re.M)
        self.assertGreater(len(lines), 20)
        for name, does in lines:
            text = read(os.path.join(SOURCE, "src", name))
            for function in re.findall(r"\b(?:nqi?_\w+|\w+_run|count_one)\b(?!\))", does):
                self.assertIn(f"{function}(", text, name)
