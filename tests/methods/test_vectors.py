# SPDX-License-Identifier: MIT
"""Compares results/vectors.json with brute force, which shares nothing with the program.
docs/algorithm.md says what the vectors mean.

`taken` has three sets of bits: the columns, the diagonals "down" that lead down to the right, and
the diagonals "up" that lead up to the right. A queen takes bit n + column - row of the second set,
and bit column + row of the third."""
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
ROWS = 3  # rows with a queen at the beginning of a unit of search: SEARCH_ROWS
BOARDS = (13, 14) if "NQUEENS_LONG" in os.environ else range(13)
NONE = (0, 0, 0)  # nothing is taken


class Unit:
    """What a unit of search has: its solutions, and the number of its nodes."""

    def __init__(self):
        self.solutions = []
        self.nodes = 0


def free(n, row, taken):
    """Returns the columns of a row that are not taken."""
    columns, down, up = taken
    squares = ~(columns | down >> n - row | up >> row)
    return [column for column in range(n) if squares >> column & 1]


def place(n, row, column, taken):
    """Returns what is taken after a queen is placed."""
    columns, down, up = taken
    return columns | 1 << column, down | 1 << n + column - row, up | 1 << column + row


def walk(n, units, placed, taken):
    """Places queens row by row after those that are placed, and adds solutions and nodes to their
    unit. The dict `units` has each unit by the columns of its first queens. A queen that a unit
    places above the last row must leave a free column in each of the next two rows, and is then a
    node."""
    row = len(placed)
    unit = units.setdefault(placed[:ROWS], Unit()) if row >= min(n, ROWS) else None
    if row == n:
        unit.solutions.append(placed)
        return
    for column in free(n, row, taken):
        then = place(n, row, column, taken)
        if unit and row + 1 < n:
            if not all(free(n, below, then) for below in range(row + 1, min(row + 3, n))):
                continue
            unit.nodes += 1
        walk(n, units, (*placed, column), then)


@functools.cache
def walked(n):
    """Returns the units of search: a dict by the columns of their first queens."""
    units = {}
    walk(n, units, (), NONE)
    return units


def solutions(n):
    return [columns for unit in walked(n).values() for columns in unit.solutions]


def order(n, lines):
    """Returns a tuple by which sets of lines are compared, made of their odd lines. For even n, a
    set with fewer odd lines comes first."""
    odd = [line for line in lines if line % 2]
    return 0 if n % 2 else len(odd), sum(1 << line for line in odd)


@functools.cache
def orbit(n, lines):
    """Returns the sets that reflections make of the black queens' lines. If n is even, a reflection
    exchanges the colours, so that the black queens take the other lines."""
    images = {lines, frozenset(n - 1 - line for line in lines)}
    return images | {frozenset(range(n)) - image for image in images if n % 2 == 0}


@functools.cache
def key(n, lines):
    """Returns the key of a set of lines: the least order() of the sets in its orbit."""
    return min(order(n, image) for image in orbit(n, lines))


def by_rows(n, solutions):
    """Returns the number of solutions for each set of the black queens' rows. A solution counts
    twice if the key of its rows is less than that of its columns, and once if they are equal."""
    counts = collections.Counter()
    for columns in solutions:
        black = {row: column for row, column in enumerate(columns) if (row + column) % 2 == 0}
        x, y = key(n, frozenset(black)), key(n, frozenset(black.values()))
        if x < y:
            counts[frozenset(black)] += 2
        elif x == y:
            counts[frozenset(black)] += 1
    return counts


def completions(n, rows, white):
    """Returns, for each set of odd columns on which a colour has first placements, the number of
    their completions. white: 1, or 0 for black."""
    rows = sorted(rows, key=lambda row: row % 2 == white)  # those with odd columns first
    first = sum(row % 2 != white for row in rows)
    found = collections.Counter()

    def fill(at, taken, odd):
        if at == first:
            found[odd] += 0  # even if there is no completion
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
    """Returns how many completions both colours have, summed over those sets of black's odd
    columns with which solutions may count. x: the rows of the black queens."""
    odds = frozenset(range(1, n, 2))
    black, white = completions(n, x, 0), completions(n, frozenset(range(n)) - x, 1)
    total = 0
    for d in black:
        image = {n - 1 - column for column in d} if n % 2 else odds - d
        least = min(order(n, d), order(n, image))
        may_count = least >= key(n, x) and (n % 2 == 0 or order(n, d) == least)
        if may_count and odds - d in white:
            total += black[d] + white[odds - d]
    return total


class Vectors(unittest.TestCase):
    def test_units_of_search_are_those_of_brute_force(self):
        for n in BOARDS:
            with self.subTest(n=n):
                self.assertEqual(
                    VECTORS["search"][str(n)],
                    [
                        [
                            unit,
                            2 if n > 0 and 2 * first[0] < n - 1 else 1,
                            len(found.solutions),
                            found.nodes,
                            list(first),
                        ]
                        for unit, (first, found) in enumerate(walked(n).items())
                        if n == 0 or 2 * first[0] <= n - 1
                    ],
                )

    def test_units_of_colours_are_those_of_brute_force(self):
        for n in BOARDS:
            counts, seen = by_rows(n, solutions(n)), []
            for unit, vector in enumerate(VECTORS["colours"][str(n)]):
                with self.subTest(n=n, unit=unit):
                    rows = [frozenset(x) for x in vector[4]]
                    images = [image for x in rows for image in orbit(n, x)]
                    self.assertEqual(
                        vector[:4],
                        [
                            unit,
                            1,
                            sum(counts[image] for image in images),
                            sum(work(n, x) for x in rows),
                        ],
                    )
                    seen += images
            evens, odds = range(0, n, 2), range(1, n, 2)
            self.assertCountEqual(
                seen,
                [
                    frozenset(a + e)
                    for k in range(len(odds) + 1)
                    for e in itertools.combinations(odds, k)
                    for a in itertools.combinations(evens, k + n % 2)
                ],
                "each X is in one unit",
            )

    def test_units_add_up_to_the_total(self):
        for n in BOARDS:
            for method in VECTORS.keys() - {"about"}:
                with self.subTest(n=n, method=method):
                    units = VECTORS[method].get(str(n))  # a slow method has fewer boards
                    self.assertTrue(units is not None or n > 8)
                    if units is not None:
                        self.assertEqual(
                            sum(unit[1] * unit[2] for unit in units), len(solutions(n))
                        )
