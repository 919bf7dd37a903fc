"""A second definition of a solution. Placements are tuples of columns, which count from 1."""
import itertools


def line(columns):
    """A placement as the program reads and writes it."""
    return " ".join(map(str, columns))


def is_solution(columns):
    """No two queens share a column or a diagonal."""
    rows = range(len(columns))
    return (sorted(columns) == list(range(1, len(columns) + 1))
            and len({column - row for row, column in zip(rows, columns)}) == len(columns)
            and len({column + row for row, column in zip(rows, columns)}) == len(columns))


def solutions(n):
    """All solutions, in the lexicographic order of itertools.permutations."""
    return list(filter(is_solution, itertools.permutations(range(1, n + 1))))


def first_attack(columns):
    """The first attacking pair by its upper row, then by its lower; rows count from 1. Or None."""
    for upper, lower in itertools.combinations(range(len(columns)), 2):
        distance = columns[lower] - columns[upper]
        if distance in (0, lower - upper, upper - lower):
            return upper + 1, lower + 1
    return None


def attacks(columns):
    """All attacking pairs of rows, even with another queen between them."""
    return [(upper + 1, lower + 1)
            for upper, lower in itertools.combinations(range(len(columns)), 2)
            if abs(columns[lower] - columns[upper]) in (0, lower - upper)]


def attack_text(columns):
    """The program's words about a placement that is no solution."""
    upper, lower = first_attack(columns)
    row, other, pairs = columns[upper - 1], columns[lower - 1], len(attacks(columns))
    in_all = f" ({pairs} pairs attack each other in all)" if pairs > 1 else ""
    return (f"queens at row {upper}, column {row} and row {lower}, column {other} share a "
            f"{'column' if row == other else 'diagonal'}{in_all}")


def attacked(columns):
    """The rows whose queens attack another or are attacked."""
    return sorted({row for pair in attacks(columns) for row in pair})


def mirrored(columns):
    return tuple(len(columns) + 1 - column for column in columns)


def quarter_turned(columns):
    """Row r, column c goes to row c, column n + 1 - r."""
    rows = dict(zip(columns, range(len(columns), 0, -1)))
    return tuple(rows[row] for row in range(1, len(columns) + 1))


def class_of(columns):
    """The images of a placement under the eight symmetries of the square."""
    found = set()
    for image in (columns, mirrored(columns)):
        for _ in range(4):
            found.add(image)
            image = quarter_turned(image)
    return found


def board(columns, attack=()):
    """The board as text. attack: the rows whose queens are marked."""
    rows = []
    for row, queen in enumerate(columns, 1):
        squares = ["."] * len(columns)
        squares[queen - 1] = "X" if row in attack else "Q"
        rows.append(" ".join(squares) + "\n")
    return "".join(rows)
