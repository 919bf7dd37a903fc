# SPDX-License-Identifier: MIT
"""Compares results/vectors.json with a brute force that shares nothing with the program.
docs/algorithm.md says what the numbers mean."""
import collections
import functools
import itertools
import json
import os
import pathlib
import unittest

VECTORS = json.loads(
    (pathlib.Path(__file__).resolve().parents[2] / "results/vectors.json").read_bytes()
)
ROWS = 3  # in which a unit of search has its first queens: SEARCH_ROWS
BOARDS = (13, 14) if "NQUEENS_LONG" in os.environ else range(13)
# The columns and the diagonals of both directions that are taken, as bits.
NONE = (0, 0, 0)


def free(n, row, taken):
    """Returns the free columns of a row."""
    columns, down, up = taken
    squares = ~(columns | down >> n - row | up >> row)
    return [column for column in range(n) if squares >> column & 1]


def place(n, row, column, taken):
    """Returns what is taken with one more queen."""
    columns, down, up = taken
    return columns | 1 << column, down | 1 << n + column - row, up | 1 << column + row


def walk(n, units, placed, taken):
    """Searches the rows that follow the placed queens. Adds to each unit its solutions, and the
    number of its nodes."""
    row = len(placed)
    unit = units.setdefault(placed[:ROWS], [[], 0]) if row >= min(n, ROWS) else None
    if row == n:
        unit[0].append(placed)
        return
    for column in free(n, row, taken):
        then = place(n, row, column, taken)
        if unit and row + 1 < n:
            if not all(free(n, below, then) for below in range(row + 1, min(row + 3, n))):
                continue
            unit[1] += 1
        walk(n, units, (*placed, column), then)


@functools.cache
def walked(n):
    """Returns, for each unit, the columns of its first queens with a list: its solutions, and the
    number of its nodes."""
    units = {}
    walk(n, units, (), NONE)
    return units


def solutions(n):
    """Returns the solutions for n."""
    return [columns for found, _ in walked(n).values() for columns in found]


def order(n, lines):
    """Returns the rank of a set of lines, by which sets are compared. It depends on the odd lines
    alone."""
    odd = [line for line in lines if line % 2]
    return 0 if n % 2 else len(odd), sum(1 << line for line in odd)


@functools.cache
def orbit(n, lines):
    """Returns the sets of rows or columns that reflections make of the black queens' lines. For
    even n they exchange the colours."""
    images = {lines, frozenset(n - 1 - line for line in lines)}
    return images | {frozenset(range(n)) - image for image in images if n % 2 == 0}


@functools.cache
def key(n, lines):
    """Returns the key of a set of lines: the least set of its orbit, as a number to compare."""
    return min(order(n, image) for image in orbit(n, lines))


def by_rows(n, solutions):
    """Returns a dict of the sets of the black queens' rows, each with its number of solutions, as
    often as they count."""
    counts = collections.Counter()
    for columns in solutions:
        black = {row: column for row, column in enumerate(columns) if (row + column) % 2 == 0}
        x, y = key(n, frozenset(black)), key(n, frozenset(black.values()))
        counts[frozenset(black)] += 2 if x < y else x == y
    return counts


def completions(n, rows, white):
    """Returns a dict of the sets of odd columns on which a colour has first placements, each with
    the number of its completions. rows: those of the colour. white: 1 for white, 0 for black."""
    rows = sorted(rows, key=lambda row: row % 2 == white)
    first = sum(row % 2 != white for row in rows)
    found = collections.Counter()

    def fill(at, taken, odd):
        if at == first:
            found[odd] += 0
        if at == len(rows):
            found[odd] += 1
            return
        for column in free(n, rows[at], taken):
            if (rows[at] + column) % 2 == white:
                fill(
                    at + 1, place(n, rows[at], column, taken), odd | {column} if column % 2 else odd
                )

    fill(0, NONE, frozenset())
    return found


def work(n, x):
    """Returns the number of completions of both colours, on each set of black's odd columns that
    may count."""
    odds = frozenset(range(1, n, 2))
    black, white = completions(n, x, 0), completions(n, frozenset(range(n)) - x, 1)
    total = 0
    for d in black:
        least = min(order(n, d), order(n, {n - 1 - column for column in d} if n % 2 else odds - d))
        if odds - d in white and least >= key(n, x) and (n % 2 == 0 or order(n, d) == least):
            total += black[d] + white[odds - d]
    return total


def row_sets(n):
    """Returns all X, the sets of rows on which black can have queens. For even n they have as many
    odd rows as even ones, and for odd n one even row more."""
    evens, odds = range(0, n, 2), range(1, n, 2)
    found = []
    for k in range(len(odds) + 1):
        for e in itertools.combinations(odds, k):
            for a in itertools.combinations(evens, k + n % 2):
                found.append(frozenset(a + e))
    return found


class Vectors(unittest.TestCase):
    def test_search(self):
        for n in BOARDS:
            with self.subTest(n=n):
                expected = []
                for unit, (first, (found, nodes)) in enumerate(walked(n).items()):
                    # The first queen is in the left half or in the middle column. In the left half,
                    # each solution counts for its mirror image, too.
                    if n == 0 or 2 * first[0] <= n - 1:
                        weight = 2 if n > 0 and 2 * first[0] < n - 1 else 1
                        expected.append([unit, weight, len(found), nodes, list(first)])
                self.assertEqual(VECTORS["search"][str(n)], expected)

    def test_colours(self):
        """The units have the right numbers, and each X is in one of them."""
        for n in BOARDS:
            counts, seen = by_rows(n, solutions(n)), []
            for unit, vector in enumerate(VECTORS["colours"][str(n)]):
                with self.subTest(n=n, unit=unit):
                    rows = [frozenset(x) for x in vector[4]]
                    images = [image for x in rows for image in orbit(n, x)]
                    found = sum(counts[image] for image in images)
                    self.assertEqual(vector[:4], [unit, 1, found, sum(work(n, x) for x in rows)])
                    seen += images
            self.assertCountEqual(seen, row_sets(n), "each X is in one unit")

    def test_totals(self):
        for n in BOARDS:
            for method in VECTORS.keys() - {"about"}:
                with self.subTest(n=n, method=method):
                    units = VECTORS[method].get(str(n))
                    if units is None:
                        self.assertGreater(n, 8, "only larger boards may be missing")
                    else:
                        total = sum(weight * found for _, weight, found, *_ in units)
                        self.assertEqual(total, len(solutions(n)))
