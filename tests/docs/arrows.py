# SPDX-License-Identifier: MIT
"""Draws docs/architecture.svg, the picture of the table in docs/architecture.md: `python3
tests/docs/arrows.py`."""
import os
import re

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "architecture.md")
ROW = re.compile(r"^\| `([a-z/]+)` \| .*? \| ([`a-z/ ]*)\|$", re.MULTILINE)

# The middle of each folder's box, in columns from the left and lines from the top.
PLACES = {
    "program": (2, 0),
    "mpi": (1, 1),
    "bench": (2, 1),
    "commands": (2, 2),
    "solutions": (0, 3),
    "measure": (1.75, 3),
    "count": (1.6, 4),
    "ledger": (1.75, 5),
    "cli": (2.6, 5),
    "methods": (3, 6),
    "run": (2.1, 7),
    "devices": (3, 7),
    "boards": (0, 8),
    "machine": (1, 8),
    "search": (2, 8),
    "colours": (3, 8),
    "core": (1.5, 9),
}
COLUMN, LINE, WIDTH, HEIGHT = 130, 58, 92, 28


def documented():
    """Returns the folders from which each folder includes headers, in the order of the table."""
    with open(PAGE, encoding="utf-8") as page:
        return {
            folder: set(names.replace("`", "").split())
            for folder, names in ROW.findall(page.read())
        }


def drawn(table):
    """Returns the arrows to draw, as pairs of folders. An arrow is left out if other arrows lead
    from the first folder to the second one by a detour."""
    reached = {}
    for folder in reversed(table):  # a folder uses only folders in rows below its own
        reached[folder] = table[folder].union(*(reached[other] for other in table[folder]))
    return [
        (folder, other)
        for folder in table
        for other in sorted(table[folder])
        if not any(other in reached[between] for between in table[folder])
    ]


def picture(table):
    """Returns the picture as SVG."""

    def middle(folder):
        column, line = PLACES[folder]
        return 60 + COLUMN * column, 25 + LINE * line

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="510" height="572" viewBox="0 0 510 572" '
        'font-family="sans-serif" font-size="14">',
        "<title>The folders of the source, each with arrows to the folders that it uses</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>',
        '<rect width="510" height="572" fill="#fff"/>',
    ]
    for folder, other in drawn(table):
        (x, y), (to_x, to_y) = middle(folder), middle(other)
        parts.append(
            f'<line x1="{x:g}" y1="{y + HEIGHT / 2:g}" x2="{to_x:g}" y2="{to_y - HEIGHT / 2:g}" '
            'stroke="#667" marker-end="url(#head)"/>'
        )
    for folder in table:
        x, y = middle(folder)
        parts.append(
            f'<rect x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" '
            f'height="{HEIGHT}" rx="4" '
            'fill="#eef2f7" stroke="#345"/>'
            f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle">{folder}</text>'
        )
    return "\n".join(parts + ["</svg>"]) + "\n"


if __name__ == "__main__":
    with open(PAGE.replace(".md", ".svg"), "w", encoding="utf-8") as file:
        file.write(picture(documented()))
