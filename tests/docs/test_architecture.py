# SPDX-License-Identifier: MIT
"""Compares docs/architecture.md with the source: from which folders each folder includes headers
and calls functions, and the names of files and functions."""
import glob
import os
import re
import unittest

from arrows import PLACES, documented, picture
from program import BUILD, PROGRAM, SOURCE, read, succeed

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def source_files():
    """Returns the files of src/ and bench/, by the names that Meson gives to their objects."""
    files = {}
    for pattern in ("src/*/*.[ch]", "bench/*.[ch]"):
        for file in glob.glob(os.path.join(SOURCE, pattern)):
            path = os.path.relpath(file, os.path.join(SOURCE, "src"))
            files[path.replace("/", "_") + ".o"] = file
    return files


FILES = source_files()


def folder_of(file):
    """Returns the name of the folder in which a file is."""
    return os.path.basename(os.path.dirname(file))


def included():
    """Returns, for each folder, the other folders whose headers it includes."""
    found = {}
    for file in FILES.values():
        folders = {os.path.dirname(header) for header in INCLUDE.findall(read(file))}
        found.setdefault(folder_of(file), set()).update(folders - {folder_of(file), ""})
    return found


def used():
    """Returns, for each file of this build, the symbols that it takes from other files: a dict of
    sets of pairs, the symbol and the file that defines it."""
    objects = []
    for path, _, names in os.walk(os.path.join(BUILD, "src")):
        objects += [os.path.join(path, name) for name in names if name in FILES]
    needed = {file: set() for file in FILES.values()}
    defined = {}
    listed = succeed("nm", "-gA", *objects)
    for name, kind, symbol in re.findall(r"/([^/:]+):\S* +(\w) (\S+)$", listed, re.M):
        if kind in "Uvw":  # undefined, or weak and undefined
            needed[FILES[name]].add(symbol)
        else:
            defined[symbol] = FILES[name]
    uses = {}
    for file, symbols in needed.items():
        uses[file] = set()
        for symbol in symbols & defined.keys():
            if defined[symbol] != file:
                uses[file].add((symbol, defined[symbol]))
    return uses


class Arrows(unittest.TestCase):
    """The table of folders, and the picture that is drawn from it."""

    maxDiff = None

    def test_they_are_as_documented_and_point_down(self):
        """Each folder includes headers of the folders that the table names for it. All these
        folders are below it."""
        table = documented()
        self.assertEqual(included(), table)
        order = list(table)
        for folder, others in table.items():
            for other in others:
                self.assertLess(order.index(folder), order.index(other), f"{folder}: {other}")

    @unittest.skipIf(PROGRAM.endswith("-emulated"), "objects of another machine")
    def test_calls_follow_the_table_and_make_no_circle(self):
        """A folder calls functions of the folders whose headers it includes, or public ones of a
        folder below. No more than two files call each other in a circle."""
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
        """If this fails, run tests/docs/arrows.py, which draws the picture."""
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
            for function in re.findall(r"\b(?:nqi?_\w+|\w+_run|counting_count)\b(?!\))", does):
                self.assertIn(f"{function}(", text, name)
