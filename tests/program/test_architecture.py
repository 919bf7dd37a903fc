# SPDX-License-Identifier: MIT
"""Which folder of src/, or bench/, includes headers of which other one, and how large it is, as docs/architecture.md
has it."""
import collections
import os
import re
import unittest

from program import SOURCE, read

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `([a-z/]+)` \| .* \| ([\d,]+) \| ([`a-z/ ]*)\|$", re.MULTILINE)


def measured():
    """The folders that each folder includes, and its lines."""
    found, lines = {}, collections.Counter()
    for top, above in (("src", "src"), ("bench", "")):
        for path, _, names in os.walk(os.path.join(SOURCE, top)):
            folder = os.path.relpath(path, os.path.join(SOURCE, above))
            for name in names:
                text = read(os.path.join(path, name))
                lines[folder] += text.count("\n")
                if name.endswith((".c", ".h")):
                    headers = INCLUDE.findall(text)
                    found.setdefault(folder, set()).update({*map(os.path.dirname, headers)} - {folder, ""})
    return found, lines


class Arrows(unittest.TestCase):
    maxDiff = None

    def test_they_are_as_documented_and_point_down(self):
        rows = ROW.findall(read(os.path.join(SOURCE, "docs", "architecture.md")))
        documented = {folder: set(names.replace("`", "").split()) for folder, _, names in rows}
        included, lines = measured()
        self.assertEqual(included, documented)
        for folder, said, _ in rows:
            self.assertLess(abs(lines[folder] - int(said.replace(",", ""))), 200, folder)
        order = list(documented)
        for folder, others in documented.items():
            for other in others:
                self.assertLess(order.index(folder), order.index(other), f"{folder}: {other}")
