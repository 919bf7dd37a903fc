# SPDX-License-Identifier: MIT
"""A second definition of a solution. Placements are tuples of columns, which count from 1."""
import itertools

from program import run


def line(columns):
    """A placement as the program reads and writes it."""
    return " ".join(map(str, columns))


def constructed(n):
    return tuple(map(int, run("construct", str(n)).stdout.split()))


def is_solution(columns):
    """No two queens share a column or a diagonal."""
    n = len(columns)
    return (sorted(columns) == list(range(1, n + 1))
            and len({column - row for row, column in enumerate(columns)}) == n
            and len({column + row for row, column in enumerate(columns)}) == n)


def solutions(n):
    """All solutions, in the lexicographic order of itertools.permutations."""
    return list(filter(is_solution, itertools.permutations(range(1, n + 1))))


def attacked(columns):
    """The rows whose queens attack another or are attacked, even with another queen between them."""
    return sorted({row + 1 for pair in itertools.combinations(range(len(columns)), 2)
                   if abs(columns[pair[1]] - columns[pair[0]]) in (0, pair[1] - pair[0]) for row in pair})


def class_of(columns):
    """The images of a placement under the eight symmetries of the square."""
    n, found = len(columns), set()
    for image in (columns, tuple(n + 1 - column for column in columns)):
        for _ in range(4):
            found.add(image)
            rows = dict(zip(image, range(n, 0, -1)))  # row r, column c goes to row c, column n + 1 - r
            image = tuple(rows[row] for row in range(1, n + 1))
    return found


def representatives(n):
    """The first solution of each class."""
    return [columns for columns in solutions(n) if columns == min(class_of(columns))]


def board(columns, attack=()):
    """The board as text. attack: the rows whose queens are marked."""
    rows = []
    for row, queen in enumerate(columns, 1):
        squares = ["."] * len(columns)
        squares[queen - 1] = "X" if row in attack else "Q"
        rows.append(" ".join(squares) + "\n")
    return "".join(rows)
