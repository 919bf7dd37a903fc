"""Which folder of src/, or bench/, includes headers of which other one, as docs/architecture.md has it."""
import os
import re
import unittest

from program import SOURCE

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `([a-z/]+)` \| .* \| ([`a-z/ ]*)\|$", re.MULTILINE)


def documented():
    """The folders that each folder includes, in the order of the table."""
    with open(os.path.join(SOURCE, "docs", "architecture.md"), encoding="utf-8") as stream:
        return {folder: set(names.replace("`", "").split())
                for folder, names in ROW.findall(stream.read())}


def files():
    """Folder, name and text of every C file."""
    for root, above in ((os.path.join(SOURCE, "src"), os.path.join(SOURCE, "src")),
                        (os.path.join(SOURCE, "bench"), SOURCE)):
        for folder, _, names in os.walk(root):
            for name in names:
                if name.endswith((".c", ".h")):
                    with open(os.path.join(folder, name), encoding="utf-8") as stream:
                        yield os.path.relpath(folder, above), name, stream.read()


def included():
    """The folders that each folder does include, its own aside."""
    found = {}
    for folder, _, text in files():
        others = {os.path.dirname(header) for header in INCLUDE.findall(text)}
        found.setdefault(folder, set()).update(others - {folder, ""})
    return found


class Arrows(unittest.TestCase):
    maxDiff = None

    def test_every_folder_is_in_the_table(self):
        self.assertEqual(set(documented()), set(included()))

    def test_they_are_as_documented(self):
        self.assertEqual(included(), documented())

    def test_they_point_down(self):
        order = list(documented())
        for folder, others in documented().items():
            for other in others:
                self.assertLess(order.index(folder), order.index(other), f"{folder}: {other}")

    def test_system_headers_of_the_library_s_parts(self):
        """hwloc is for the machine and its description, SQLite for the ledger, MPI for mpi."""
        homes = {"hwloc": ("machine", "library"), "sqlite3": ("ledger",), "mpi": ("mpi",),
                 "xxhash": ("ledger",),
                 "jansson": ("cli", "bench")}
        for folder, name, text in files():
            for header in re.findall(r"#include <([a-z0-9]+)[-.a-z]*\.?h?>", text):
                if header in homes:
                    self.assertIn(folder, homes[header], f"{folder}/{name}: <{header}>")
