# SPDX-License-Identifier: MIT
"""Which folder of src/, or bench/, includes headers of which other one, as docs/architecture.md has it."""
import os
import re
import unittest

from program import SOURCE, read

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `([a-z/]+)` \| .* \| ([`a-z/ ]*)\|$", re.MULTILINE)
# Which folders may include a system header that is for them.
HOMES = {"hwloc": ("machine", "count"), "sqlite3": ("ledger",), "mpi": ("mpi",), "xxhash": ("ledger",),
         "jansson": ("cli", "bench")}


def files():
    """Folder, name and text of every C file."""
    for top, above in (("src", "src"), ("bench", "")):
        for folder, _, names in os.walk(os.path.join(SOURCE, top)):
            for name in names:
                if name.endswith((".c", ".h")):
                    yield (os.path.relpath(folder, os.path.join(SOURCE, above)), name,
                           read(os.path.join(folder, name)))


class Arrows(unittest.TestCase):
    maxDiff = None

    def test_they_are_as_documented_and_point_down(self):
        rows = ROW.findall(read(os.path.join(SOURCE, "docs", "architecture.md")))
        documented = {folder: set(names.replace("`", "").split()) for folder, names in rows}
        included = {}
        for folder, _, text in files():
            others = {os.path.dirname(header) for header in INCLUDE.findall(text)}
            included.setdefault(folder, set()).update(others - {folder, ""})
        self.assertEqual(included, documented)
        order = list(documented)
        for folder, others in documented.items():
            for other in others:
                self.assertLess(order.index(folder), order.index(other), f"{folder}: {other}")

    def test_files_of_the_program_include_each_other_in_no_circle(self):
        """A file and its header are one."""
        above = {}
        for folder, name, text in files():
            if folder == "cli":
                headers = set(re.findall(r'#include "cli/(\w+)\.h"', text))
                above.setdefault(name[:-2], set()).update(headers - {name[:-2]})
        while ground := {name for name, others in above.items() if not others}:
            above = {name: others - ground for name, others in above.items() if others}
        self.assertEqual(above, {})

    def test_system_headers_of_the_library_s_parts(self):
        for folder, name, text in files():
            for header in re.findall(r"#include <([a-z0-9]+)[-.a-z]*\.?h?>", text):
                self.assertIn(folder, HOMES.get(header, [folder]), f"{folder}/{name}: <{header}>")
