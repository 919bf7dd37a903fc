# SPDX-License-Identifier: MIT
"""The pictures and tables of docs/algorithm.md."""
import collections
import itertools
import json
import os
import re
import unittest

from pictures import PICTURES, listed, solutions
from program import SOURCE, read

PAGE = read(os.path.join(SOURCE, "docs", "algorithm.md"))


def placements(rows, columns, colour):
    """Returns the placements of queens on these rows and columns and on squares of a colour, which
    is 0 for black and 1 for white. A placement is its columns, in the order of the rows."""
    rows = sorted(rows)
    return [
        order
        for order in itertools.permutations(sorted(columns))
        if all((row + column) % 2 == colour for row, column in zip(rows, order))
        and all(
            abs(order[i] - order[j]) != rows[i] - rows[j]
            for i in range(len(rows))
            for j in range(i)
        )
    ]


def sets(lines, size):
    """Returns all sets of `size` of these lines."""
    return map(set, itertools.combinations(lines, size))


class Pictures(unittest.TestCase):
    def test_are_those_drawn(self):
        """If this fails, run tests/docs/pictures.py, which draws the pictures."""
        for name, draw in PICTURES.items():
            with self.subTest(name):
                self.assertEqual(str(draw()), read(os.path.join(SOURCE, "docs", name + ".svg")))

    def test_all_are_on_the_page(self):
        self.assertEqual(set(re.findall(r"^!\[.*\]\((.*)\.svg\)$", PAGE, re.M)), PICTURES.keys())


class Tables(unittest.TestCase):
    """Compares the tables with brute force."""

    def assert_row(self, *cells):
        self.assertIn("\n| " + " | ".join(map(str, cells)) + " |\n", PAGE)

    def test_sum_of_six_queens(self):
        """The table has each pair of rows X and columns Y whose term is not 0. The page also says
        how many pairs there are."""
        board, total, black_ones, white_ones = set(range(6)), 0, 0, 0
        pairs = [(x, y) for size in range(7) for x in sets(board, size) for y in sets(board, size)]
        for x, y in pairs:
            black, white = len(placements(x, y, 0)), len(placements(board - x, board - y, 1))
            black_ones += black > 0
            white_ones += white > 0
            if black > 0 and white > 0:
                self.assert_row(listed(x), listed(y), black, white, black * white)
                total += black * white
        self.assertEqual(total, len(solutions(6)))
        self.assertIn(f"For n = 6 there are {len(pairs)} pairs", PAGE)
        self.assertEqual((black_ones, white_ones), (125, 125))

    def test_join(self):
        """The page joins the placements for one X, the rows {1, 2, 5, 6} of eight queens."""
        board, odds, evens, x = set(range(8)), {1, 3, 5, 7}, {0, 2, 4, 6}, {1, 2, 5, 6}
        totals = {}
        for d in map(frozenset, itertools.combinations(sorted(odds), 2)):
            # The placements of each colour, by the two even columns that they take.
            black, white = (
                {
                    tuple(sorted(two)): placements(rows, columns | two, colour)
                    for two in sets(evens, 2)
                }
                for rows, columns, colour in ((x, d, 0), (board - x, odds - d, 1))
            )
            # Black's placements, by the two even columns that they leave to white.
            left = {two: black[tuple(sorted(evens - set(two)))] for two in white}
            totals[d] = sum(len(left[two]) * len(white[two]) for two in white)
            if d == {1, 7}:
                for two in white:
                    if left[two] or white[two]:
                        self.assert_row(
                            listed(two),
                            len(left[two]),
                            len(white[two]),
                            len(left[two]) * len(white[two]),
                        )
                    for found in left[two]:
                        self.assertIn(f"\n| {', '.join(map(str, found))} | {listed(two)} |", PAGE)
                    for found in white[two]:
                        self.assertIn(f" | {', '.join(map(str, found))} | {listed(two)} |\n", PAGE)
        self.assertEqual(
            {listed(d): total for d, total in totals.items() if total},
            {"1, 3": 3, "1, 7": 4, "5, 7": 2},
        )
        rows = collections.Counter(
            frozenset(row for row, column in enumerate(queens) if (row + column) % 2 == 0)
            for queens in solutions(8)
        )
        self.assertEqual((rows[frozenset(x)], sum(rows.values())), (sum(totals.values()), 92))

    def test_work(self):
        """The table has the figures of results/json/work.json."""
        points = json.loads(read(os.path.join(SOURCE, "results", "json", "work.json")))["points"]
        table = {
            n: (solutions, completions, ratio)
            for n, solutions, completions, ratio in re.findall(
                r"^\| (\d+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \|$", PAGE, re.M
            )
        }
        for point in points:
            if str(point["n"]) in table:
                found = table.pop(str(point["n"]))
                self.assertEqual(
                    found[:2], tuple(f"{int(point[key]):,}" for key in ("solutions", "completions"))
                )
                self.assertAlmostEqual(
                    float(found[2]), int(point["solutions"]) / int(point["completions"]), delta=0.05
                )
        self.assertEqual(table, {})
