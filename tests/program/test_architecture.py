# SPDX-License-Identifier: MIT
"""Which folder of src/, or bench/, includes headers of which other one, as docs/architecture.md has it."""
import os
import re
import unittest

from program import SOURCE, read

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `([a-z/]+)` \| .* \| ([`a-z/ ]*)\|$", re.MULTILINE)


def included():
    """The folders that each folder includes."""
    found = {}
    for top, above in (("src", "src"), ("bench", "")):
        for path, _, names in os.walk(os.path.join(SOURCE, top)):
            folder = os.path.relpath(path, os.path.join(SOURCE, above))
            for name in names:
                if name.endswith((".c", ".h")):
                    headers = INCLUDE.findall(read(os.path.join(path, name)))
                    found.setdefault(folder, set()).update({*map(os.path.dirname, headers)} - {folder, ""})
    return found


class Arrows(unittest.TestCase):
    maxDiff = None

    def test_they_are_as_documented_and_point_down(self):
        rows = ROW.findall(read(os.path.join(SOURCE, "docs", "architecture.md")))
        documented = {folder: set(names.replace("`", "").split()) for folder, names in rows}
        self.assertEqual(included(), documented)
        order = list(documented)
        for folder, others in documented.items():
            for other in others:
                self.assertLess(order.index(folder), order.index(other), f"{folder}: {other}")
