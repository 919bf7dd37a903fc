# SPDX-License-Identifier: MIT
"""Defines solutions a second time, independently of the program. A placement is a tuple that has
the column of each row's queen. Rows and columns are counted from 1."""
import itertools

from program import run


def line(columns):
    """Returns a placement as the program reads and writes it."""
    return " ".join(map(str, columns))


def constructed(n):
    """Returns the solution that `construct` prints."""
    return tuple(map(int, run("construct", str(n)).stdout.split()))


def is_solution(columns):
    """Returns whether no two queens share a column or a diagonal."""
    n = len(columns)
    return (
        sorted(columns) == list(range(1, n + 1))
        and len({column - row for row, column in enumerate(columns)}) == n
        and len({column + row for row, column in enumerate(columns)}) == n
    )


def solutions(n):
    """Returns all solutions in lexicographic order, in which itertools.permutations() makes
    them."""
    return list(filter(is_solution, itertools.permutations(range(1, n + 1))))


def attacked(columns):
    """Returns the rows whose queens share a column or a diagonal with another queen, even if a
    third queen is between them."""
    rows = set()
    for (row, column), (other_row, other_column) in itertools.combinations(
        enumerate(columns, 1), 2
    ):
        if abs(other_column - column) in (0, other_row - row):
            rows |= {row, other_row}
    return sorted(rows)


def board(columns, attack=()):
    """Returns a picture of the board as text. attack: the rows whose queens are marked."""
    rows = []
    for row, queen in enumerate(columns, 1):
        squares = ["."] * len(columns)
        squares[queen - 1] = "X" if row in attack else "Q"
        rows.append(" ".join(squares) + "\n")
    return "".join(rows)
