# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/algorithm.md into docs/: `python3 tests/docs/pictures.py`.

They have a white ground, so that they are legible on light and on dark pages."""
import itertools
import json
import math
import os

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
EIGHT = (3, 1, 7, 5, 0, 2, 4, 6)  # the columns, row by row, of the eight queens in the pictures
INK, EDGE, GREY, BLUE, ORANGE = "#231f1c", "#493422", "#8a8079", "#2a5d9c", "#b4521a"
TWO = {"black": "#b08a65", "white": "#f0e6cf"}
# The odd halves are brown, and the even halves are green. The halves of black are darker.
FOUR = {
    "black": {"odd": "#b08a65", "even": "#7fa287"},
    "white": {"odd": "#f2e3c4", "even": "#d9e9da"},
}
ELSEWHERE = "#f7f5f2"  # squares that a picture leaves out
QUEEN = (
    '<path d="M.27 .72L.13 .33 .315 .545 .305 .225 .435 .515 .5 .19 .565 .515 .695 .225 .685 .545 '
    ".87 .33 .73 .72C.6 .685 .4 .685 .27 .72z"
    'M.265 .755C.4 .72 .6 .72 .735 .755L.765 .855C.6 .885 .4 .885 .235 .855z"/>'
    + "".join(
        f'<circle cx="{x}" cy="{y}" r=".048"/>'
        for x, y in ((0.13, 0.31), (0.305, 0.205), (0.5, 0.17), (0.695, 0.205), (0.87, 0.31))
    )
)
HEADS = "".join(
    f'<marker id="head{colour[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="14" '
    f'markerHeight="14" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
    f'<path fill="{colour}" d="M0 1L10 5 0 9z"/></marker>'
    for colour in (INK, GREY, BLUE, ORANGE)
)


def colour_of(row, column):
    return "white" if (row + column) % 2 else "black"


def half_of(column):
    return "odd" if column % 2 else "even"


def listed(lines):
    return ", ".join(map(str, sorted(lines)))


def solutions(n, columns=()):
    """All solutions that begin with these columns, each as its columns, row by row."""
    row = len(columns)
    if row == n:
        return [columns]
    free = [
        column
        for column in range(n)
        if all(
            column != other and abs(column - other) != row - i for i, other in enumerate(columns)
        )
    ]
    return [solution for column in free for solution in solutions(n, (*columns, column))]


class Picture:
    """A picture in SVG. Styles are attributes of SVG, whose names have _ in place of -."""

    def __init__(self, title, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" fill="{INK}" font-family="sans-serif" font-size="17" '
            'text-anchor="middle">',
            f"<title>{title}</title>",
            f'<defs><g id="queen">{QUEEN}</g>{HEADS}</defs>',
            '<rect width="100%" height="100%" fill="#fff"/>',
        ]

    def add(self, element, style, content=None):
        attributes = "".join(
            f' {name.replace("_", "-")}="{value}"' for name, value in style.items()
        )
        end = "/>" if content is None else f">{content}</{element.split()[0]}>"
        self.parts.append(f"<{element}{attributes}{end}")

    def text(self, x, y, *lines, step=24, **style):
        for i, line in enumerate(lines):
            self.add(f'text x="{x:g}" y="{y + step * i:g}"', style, line)

    def rect(self, x, y, width, height, fill, **style):
        self.add(
            f'rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"', style
        )

    def path(self, d, stroke, **style):
        self.add(f'path fill="none" stroke="{stroke}" d="{d}"', style)

    def arrow(self, d, colour, both=False, **style):
        ends = {"marker_end": f"url(#head{colour[1:]})"}
        self.path(
            d,
            colour,
            stroke_width=3,
            **({"marker_start": ends["marker_end"]} if both else {}),
            **ends,
            **style,
        )

    def board(self, x, y, size, rows, columns, queens, fill):
        """Draws the squares in these rows and columns. fill: returns the colour of the square in a
        row and a column."""
        squares = {}
        for (i, row), (j, column) in itertools.product(enumerate(rows), enumerate(columns)):
            squares.setdefault(fill(row, column), []).append(
                f"M{x + j * size} {y + i * size}h{size}v{size}h-{size}z"
            )
        for colour, ds in squares.items():
            self.add(f'path fill="{colour}" d="{"".join(ds)}"', {})
        self.path(
            f"M{x} {y}h{size * len(columns)}v{size * len(rows)}h-{size * len(columns)}z",
            EDGE,
            stroke_width=2,
        )
        for row, column in queens:
            if row in rows and column in columns:
                at = x + columns.index(column) * size, y + rows.index(row) * size
                self.add(
                    f'use href="#queen" transform="translate({at[0]} {at[1]}) scale({size})"', {}
                )

    def __str__(self):
        return "\n".join([*self.parts, "</svg>", ""])


def black_and_white():
    picture = Picture(
        "A solution for eight queens: its queens on black squares, and those on white squares",
        1120,
        410,
    )
    lines, size, queens = range(8), 40, list(enumerate(EIGHT))
    picture.board(
        16, 16, size, lines, lines, queens, lambda row, column: TWO[colour_of(row, column)]
    )
    picture.text(176, 366, "a solution", font_size=19)
    for x, colour in ((400, "black"), (784, "white")):
        placed = [queen for queen in queens if colour_of(*queen) == colour]
        picture.board(
            x,
            16,
            size,
            lines,
            lines,
            [],
            lambda row, column: TWO[colour] if colour_of(row, column) == colour else ELSEWHERE,
        )
        picture.path(
            "".join(
                f"M{x} {36 + size * row}h{8 * size}M{x + 20 + size * column} 16v{8 * size}"
                for row, column in placed
            ),
            "#3465a4",
            stroke_width=2,
            opacity=0.45,
        )
        picture.board(x, 16, size, lines, lines, placed, lambda row, column: "none")
        rows, columns = zip(*placed)
        picture.text(
            x + 160,
            366,
            f"{colour} squares:",
            f"rows {listed(rows)}; columns {listed(columns)}",
            step=27,
            font_size=19,
        )
    picture.text(368, 186, "=", font_size=32)
    picture.text(752, 186, "+", font_size=32)
    return picture


def growth():
    with open(os.path.join(ROOT, "results", "json", "work.json"), encoding="utf-8") as file:
        points = json.load(file)["points"]
    picture = Picture(
        "The number of solutions and of completions by n, on a logarithmic scale", 900, 560
    )
    left, top, width, height = 92, 30, 600, 450
    first, last = points[0]["n"], points[-1]["n"]
    least, most = 1, 19  # powers of 10

    def at(n, power):
        across, down = (n - first) / (last - first), (most - power) / (most - least)
        return left + width * across, top + height * down

    for power in range(least, most + 1, 3):
        x, y = at(first, power)
        picture.path(f"M{x:g} {y:g}h{width}", "#dddddd")
        picture.text(
            x - 12, y + 6, f'10<tspan dy="-7" font-size="12">{power}</tspan>', text_anchor="end"
        )
    for n in range(first, last + 1, 2):
        picture.text(at(n, least)[0], top + height + 28, n)
    picture.text(left + width / 2, top + height + 60, "n")
    for key, colour, label in (
        ("solutions", ORANGE, ("solutions",)),
        ("completions", BLUE, ("completions", "(hollow: estimated)")),
    ):
        line = [
            (*at(point["n"], math.log10(int(point[key]))), point.get("estimated") == key)
            for point in points
            if key in point
        ]
        picture.path(
            "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in line), colour, stroke_width=2.5
        )
        for x, y, hollow in line:
            picture.add(
                f'circle cx="{x:.1f}" cy="{y:.1f}" r="5" stroke="{colour}" stroke-width="2"',
                {"fill": "#fff" if hollow else colour},
            )
        picture.text(
            left + width + 22, round(line[-1][1]) + 6, *label, fill=colour, text_anchor="start"
        )
    return picture


def halves():
    picture = Picture(
        "The four kinds of squares: each colour has an odd and an even half", 1120, 560
    )
    lines, size, left, top, queens = range(8), 44, 76, 110, list(enumerate(EIGHT))
    black = [queen for queen in queens if colour_of(*queen) == "black"]
    x, y = zip(*black)
    letters = {
        letter: [line for line in those if line % 2 == odd]
        for letter, those, odd in (("E", x, 1), ("A", x, 0), ("D", y, 1), ("B", y, 0))
    }
    picture.board(
        left,
        top,
        size,
        lines,
        lines,
        queens,
        lambda row, column: FOUR[colour_of(row, column)][half_of(column)],
    )
    for line in lines:
        picture.text(left - 16, top + size * line + 28, line, fill=GREY)
        picture.text(left + size * line + 22, top - 10, line, fill=GREY)
    for letter, those in letters.items():
        for line in those:
            row_at, column_at = (left - 44, top + size * line + 28), (
                left + size * line + 22,
                top - 34,
            )
            picture.text(*(row_at if letter in "EA" else column_at), letter, font_weight="bold")
    picture.text(left + 4 * size, 30, "a solution, and the lines of its black queens", font_size=19)
    sets = {letter: f"{letter} = {{{listed(those)}}}" for letter, those in letters.items()}
    picture.text(
        left + 4 * size,
        top + 8 * size + 34,
        f"rows: {sets['E']}, {sets['A']}",
        f"columns: {sets['D']}, {sets['B']}",
        step=26,
    )
    size = 38
    for (colour, half), taken in {
        ("black", "odd"): "rows E, columns D",
        ("black", "even"): "rows A, columns B",
        ("white", "odd"): "even rows not in A, columns not in D",
        ("white", "even"): "odd rows not in E, columns not in B",
    }.items():
        x, y = 590 + 290 * (half == "even"), 84 + 248 * (colour == "white")
        columns = [column for column in lines if half_of(column) == half]
        rows = [row for row in lines if colour_of(row, columns[0]) == colour]
        picture.board(x, y, size, rows, columns, [], lambda row, column: FOUR[colour][half])
        picture.path(
            "".join(
                f"M{x} {y + size * i}h{4 * size}M{x + size * i} {y}v{4 * size}" for i in (1, 2, 3)
            ),
            EDGE,
            opacity=0.35,
        )
        picture.board(x, y, size, rows, columns, queens, lambda row, column: "none")
        for i in range(4):
            picture.text(x - 14, y + size * i + 25, rows[i], fill=GREY)
            picture.text(x + size * i + 19, y - 8, columns[i], fill=GREY)
        picture.text(x + 2 * size, y - 32, f"{colour}, {half} half")
        picture.text(x + 2 * size, y + 4 * size + 24, taken, font_size=14)
    for y in (160, 408):
        picture.arrow(f"M764 {y}H848", BLUE, both=True)
        picture.text(806, y - 12, "diagonals", font_size=14, fill=BLUE)
    return picture


def symmetry():
    picture = Picture(
        "The four terms of the sum for six queens, and the symmetries that take them to each other",
        1000,
        660,
    )
    terms = {}
    for solution in solutions(6):
        black = [queen for queen in enumerate(solution) if colour_of(*queen) == "black"]
        terms[tuple(tuple(sorted(lines)) for lines in zip(*black))] = solution
    # A reflection of the rows or the columns exchanges the colours, so it takes each set to the
    # mirror image of its complement. These four sets are their own mirror images, and the
    # complement of sets[i] is sets[3 - i]. So the picture's cell in row i and column j becomes the
    # one in row 3 - i and column 3 - j.
    sets = [(1, 4), (2, 3), (0, 1, 4, 5), (0, 2, 3, 5)]
    cell, half, left, top, size = 124, 62, 170, 92, 16
    picture.text(left + 2 * cell, 28, "Y, the columns of the black queens", font_size=19)
    picture.text(
        0,
        0,
        "X, the rows of the black queens",
        font_size=19,
        transform=f"translate(34 {top + 2 * cell}) rotate(-90)",
    )
    middle = {}
    for (i, x), (j, y) in itertools.product(enumerate(sets), repeat=2):
        at = left + cell * j, top + cell * i
        picture.rect(*at, cell, cell, "#fff", stroke=GREY)
        if (x, y) in terms:
            middle[x, y] = at[0] + half, at[1] + half
            picture.board(
                at[0] + 14,
                at[1] + 14,
                size,
                range(6),
                range(6),
                enumerate(terms[x, y]),
                lambda row, column: TWO[colour_of(row, column)],
            )
        else:
            picture.text(at[0] + half, at[1] + half + 6, "0", fill=GREY)
    assert middle.keys() == terms.keys()
    for i, x in enumerate(sets):
        picture.text(left - 56, top + cell * i + half + 6, f"{{{listed(x)}}}")
        picture.text(left + cell * i + half, top - 16, f"{{{listed(x)}}}")
    for x, y in ((0, 1), (2, 3)):
        (from_x, from_y), (to_x, to_y) = middle[sets[x], sets[y]], middle[sets[y], sets[x]]
        picture.arrow(
            f"M{from_x - 54} {from_y + 32}L{to_x + 32} {to_y - 54}",
            ORANGE,
            both=True,
            stroke_dasharray="7 5",
        )
    for x, y, dx, dy in ((0, 1, 22, 64), (1, 0, 64, 22)):
        (from_x, from_y), (to_x, to_y) = middle[sets[x], sets[y]], middle[sets[3 - x], sets[3 - y]]
        picture.arrow(f"M{from_x + dx} {from_y + dy}L{to_x - dx} {to_y - dy}", BLUE, both=True)
    picture.rect(left + cell + 3, top + 3, cell - 6, cell - 6, "none", stroke=INK, stroke_width=4)
    x = left + 4 * cell + 40
    picture.arrow(f"M{x} 150h60", BLUE, both=True)
    picture.text(
        x,
        182,
        "A reflection of the rows, or of",
        "the columns, takes one of these",
        "terms to the other.",
        text_anchor="start",
    )
    picture.arrow(f"M{x} 290h60", ORANGE, both=True, stroke_dasharray="7 5")
    picture.text(
        x, 322, "The reflection at the main", "diagonal exchanges X and Y.", text_anchor="start"
    )
    picture.rect(x, 410, 44, 44, "none", stroke=INK, stroke_width=4)
    picture.text(
        x,
        486,
        "Only this term is counted:",
        "1 x 1, times 2 for the diagonal,",
        "times 2 for the reflections.",
        text_anchor="start",
    )
    picture.text(
        left + 2 * cell,
        top + 4 * cell + 40,
        "All other sets X and Y of six queens have terms of 0.",
    )
    return picture


def stacks():
    picture = Picture("States wait in a stack for each number of rows left to fill", 1140, 430)
    base, width, gap, left, layer = 330, 104, 88, 196, 15
    layers = {4: 10, 3: 8, 2: 17, 1: 6}  # by rows left: the layers of the stack
    full = 13  # layers that make 512 states
    ends = (
        (20, "odd", ("placements", "on the", "odd half")),
        (
            left + 4 * (width + gap),
            "even",
            ("lookup table:", "an entry for", "each set of", "even columns"),
        ),
    )
    for x, half, lines in ends:
        picture.rect(x, 190, 132, 140, FOUR["black"][half], stroke=EDGE, stroke_width=2)
        picture.text(x + 66, 228 if half == "even" else 240, *lines)
    picture.arrow(f"M156 {base - 30}H{left - 10}", GREY)
    for i, (rows, count) in enumerate(layers.items()):
        x, high, sweeping = left + i * (width + gap), layer * count, count >= full
        for j in range(count):
            swept = sweeping and j >= count - full
            picture.rect(
                x, base - layer * j - 14, width, 13, "#f0c9a4" if swept else "#e9eef4", stroke=GREY
            )
        picture.path(f"M{x - 8} {base + 2}h{width + 16}", INK, stroke_width=3)
        picture.text(x + width / 2, base + 28, f"{rows} row{'s' * (rows > 1)} left")
        picture.arrow(f"M{x + width + 10} {base - 30}h{gap - 20}", ORANGE if sweeping else GREY)
        if sweeping:
            picture.arrow(
                f"M{x + 20} {base - high - 8}c-10 -46 {width - 30} -46 {width - 40} 0", ORANGE
            )
            picture.text(
                x + width / 2, base - high - 50, "states with another free column stay", fill=ORANGE
            )
            picture.text(x + width + gap / 2, base - 42, "children", font_size=15, fill=ORANGE)
            picture.text(
                x - 12, base - high + 84, "the last", "512", text_anchor="end", fill=ORANGE
            )
    picture.text(
        570, 402, "A sweep takes states from the stack with the fewest rows left that holds 512."
    )
    return picture


PICTURES = {
    "black-and-white": black_and_white,
    "growth": growth,
    "halves": halves,
    "symmetry": symmetry,
    "stacks": stacks,
}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        with open(os.path.join(ROOT, "docs", name + ".svg"), "w", encoding="utf-8") as file:
            file.write(str(draw()))
