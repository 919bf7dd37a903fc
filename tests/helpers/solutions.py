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
    return (
        sorted(columns) == list(range(1, n + 1))
        and len({column - row for row, column in enumerate(columns)}) == n
        and len({column + row for row, column in enumerate(columns)}) == n
    )


def solutions(n):
    """All solutions, in the lexicographic order of itertools.permutations."""
    return list(filter(is_solution, itertools.permutations(range(1, n + 1))))


def attacked(columns):
    """The rows whose queens attack another or are attacked, even with another queen between them."""
    return sorted(
        {
            row + 1
            for pair in itertools.combinations(range(len(columns)), 2)
            if abs(columns[pair[1]] - columns[pair[0]]) in (0, pair[1] - pair[0])
            for row in pair
        }
    )


def board(columns, attack=()):
    """The board as text. attack: the rows whose queens are marked."""
    rows = []
    for row, queen in enumerate(columns, 1):
        squares = ["."] * len(columns)
        squares[queen - 1] = "X" if row in attack else "Q"
        rows.append(" ".join(squares) + "\n")
    return "".join(rows)
