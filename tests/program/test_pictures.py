"""Boards as pictures in SVG, PNG and PDF files."""
import os
import re
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from png import Image, chunks
from program import DONE, SYSTEM, WRONG, ProgramTest, run
from solutions import attacks, board, line, solutions

KINDS = ("svg", "png", "pdf", "txt")
LIGHT, DARK = (240, 230, 207), (176, 138, 101)  # squares

DATE = re.compile(rb"/CreationDate [^\n]*")  # in a PDF file


def near(colour, wanted):
    """Equal but for rounding."""
    return all(abs(one - other) <= 2 for one, other in zip(colour, wanted))


def constructed(n):
    return tuple(map(int, run("construct", str(n)).stdout.split()))


class PictureTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nq-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def drawn(self, columns, name, code=DONE, option="--output"):
        """Draws a placement to a file and returns its bytes."""
        result = run("draw", option, self.path(name), stdin=line(columns))
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        if code == DONE:
            self.assertEqual(result.stderr, "")
        return self.content(name)


class Names(PictureTest):
    STARTS = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF", "txt": b". Q . .\n"}

    def test_ending_says_the_kind(self):
        for kind in KINDS:
            for name in (f"x.{kind}", f"X.{kind.upper()}", f"x.pdf.{kind}", f".{kind}",
                         f"a b é.{kind}", f"x.{kind.capitalize()}"):
                with self.subTest(name=name):
                    self.assertTrue(self.drawn((2, 4, 1, 3), name).startswith(self.STARTS[kind]))

    def test_short_option_and_a_size(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.assert_answers("", "draw", "8", "-o", self.path(f"a.{kind}"))
                one, other = self.content(f"a.{kind}"), self.drawn(solutions(8)[0], f"b.{kind}")
                self.assertEqual(*(DATE.sub(b"", data) for data in (one, other)))

    def test_solution(self):
        self.assert_answers("", "draw", "8", "--solution", "92", "-o", self.path("x.txt"))
        self.assertEqual(self.content("x.txt").decode(), board(solutions(8)[91]))

    def test_file_is_replaced(self):
        self.drawn(constructed(50), "x.svg")
        self.assertEqual(self.drawn((1,), "x.svg"), self.drawn((1,), "other.svg"))

    def test_unknown_ending(self):
        """The file name is refused before anything is read or drawn."""
        for name in ("x.jpg", "x", "", "svg", "x.svg.", "x.svgz", "x.png ", "png/", "x.tx", "."):
            for arguments in (["8"], ["-"], ["2"]):
                with self.subTest(name=name, arguments=arguments):
                    self.assert_refused(["draw", *arguments, "-o", name], "--output", f"'{name}'",
                                        ".svg, .png, .pdf or .txt", cwd=self.folder)
                    self.assertEqual(os.listdir(self.folder), [])


class Replacing(PictureTest):
    """A file has its old content until the new one is complete. What is no regular file of one
    name is written in place."""

    def draw(self, name, code=DONE, **how):
        result = run("draw", "6", "--output", self.path(name), **how)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def test_leaves_no_other_file(self):
        for kind in KINDS:
            self.draw(f"x.{kind}")
            self.draw(f"x.{kind}")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(f"x.{kind}" for kind in KINDS))

    def test_rights(self):
        self.draw("x.txt", umask=0o027)
        self.assertEqual(os.stat(self.path("x.txt")).st_mode & 0o777, 0o640)
        os.chmod(self.path("x.txt"), 0o604)
        self.draw("x.txt", umask=0o077)
        self.assertEqual(os.stat(self.path("x.txt")).st_mode & 0o777, 0o604)

    def test_links(self):
        for link in (os.symlink, os.link):
            for kind in KINDS:
                with self.subTest(link=link, kind=kind):
                    target, name = f"{link.__name__}-target", f"{link.__name__}.{kind}"
                    with open(self.path(target), "w") as file:
                        file.write("an older file\n")
                    link(self.path(target), self.path(name))
                    self.draw(name)
                    self.draw(f"new.{kind}")
                    self.assertEqual(*(DATE.sub(b"", self.content(which))
                                       for which in (target, f"new.{kind}")))
                    self.assertEqual(os.path.islink(self.path(name)), link is os.symlink)
                    os.unlink(self.path(target))

    def test_link_to_stdout(self):
        os.symlink("/dev/stdout", self.path("x.txt"))
        self.assertEqual(self.draw("x.txt").stdout, board(solutions(6)[0]))

    def test_named_pipe(self):
        os.mkfifo(self.path("x.txt"))
        with subprocess.Popen(["cat", self.path("x.txt")], stdout=subprocess.PIPE) as reader:
            self.draw("x.txt")
            self.assertEqual(reader.stdout.read().decode(), board(solutions(6)[0]))

    def test_folder_that_takes_no_new_file(self):
        """The file itself can be written."""
        self.draw("x.txt")
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        self.draw("x.txt")
        self.assertEqual(self.content("x.txt").decode(), board(solutions(6)[0]))

    def test_refused(self):
        os.mkdir(self.path("x.txt"))
        self.assert_one_message(self.draw("x.txt", SYSTEM).stderr, "x.txt", "Is a directory")
        self.assert_one_message(self.draw("no/x.txt", SYSTEM).stderr, "no/x.txt", "No such file")


class Svg(PictureTest):
    QUEEN, MARKED = "rgb(13.7%,12.2%,11%)", "rgb(78.4%,11.8%,11.8%)"

    def filled(self, data):
        """The colour and the points of every filled path."""
        root = xml.etree.ElementTree.fromstring(data)
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual(root.get("viewBox").split()[2], root.get("viewBox").split()[3])
        for path in root.iter("{http://www.w3.org/2000/svg}path"):
            colour = re.search(r"\bfill: *(rgb\([^)]*\))", path.get("style"))
            if colour:
                self.assertIsNone(path.get("transform"))
                # Only the last point of a curve: the path does not pass the others.
                ends = [numbers.split()[-2:] for numbers in
                        re.findall(r"[MLC]([-\d. ]+)", path.get("d"))]
                yield (colour[1].replace(" ", ""), [float(x) for x, _ in ends],
                       [float(y) for _, y in ends])

    def queens(self, data, n):
        """The squares of all queens, and of the marked queens."""
        paths = list(self.filled(data))
        _, xs, ys = paths[0]  # the board's ground
        left, top, size = min(xs), min(ys), (max(xs) - min(xs)) / n
        found = {self.QUEEN: [], self.MARKED: []}
        for colour, xs, ys in paths[1:]:
            squares = {(int((y - top) // size) + 1, int((x - left) // size) + 1)
                       for x, y in zip(xs, ys)}
            self.assertEqual(len(squares), 1, "a queen stands on one square")
            found[colour] += squares
        every = sorted(found[self.QUEEN] + found[self.MARKED])
        return [column for _, column in every], [row for row, _ in every], found[self.MARKED]

    def test_queens_stand_where_they_should(self):
        for columns in ((1,), (2, 4, 1, 3), solutions(8)[7], constructed(20), constructed(100),
                        constructed(1000)):
            with self.subTest(n=len(columns)):
                data = self.drawn(columns, "x.svg")
                on, rows, marked = self.queens(data, len(columns))
                self.assertEqual((tuple(on), rows, marked),
                                 (columns, list(range(1, len(columns) + 1)), []))

    def test_attack(self):
        columns = (1, 3, 4, 2)
        on, _, marked = self.queens(self.drawn(columns, "x.svg", WRONG), 4)
        self.assertEqual((tuple(on), marked), (columns, [(2, 3), (3, 4)]))

    def test_many_attacks(self):
        """Every queen of a pair is marked; few pairs have lines between them, many have none."""
        for columns in (tuple(range(1, 9)), (1, 1, 4, 2, 5), (1, 3, 5, 2, 4, 6, 6),
                        tuple(range(1, 11))):
            with self.subTest(columns=columns):
                data = self.drawn(columns, "x.svg", WRONG)
                pairs = attacks(columns)
                on, _, marked = self.queens(data, len(columns))
                self.assertEqual(tuple(on), columns)
                self.assertEqual(sorted(marked), [(row, columns[row - 1]) for row in
                                                  sorted({row for pair in pairs for row in pair})])
                lines = sum(len(re.findall(r"M[-\d. ]+L", path))
                            for path in re.findall(r'<path[^>]*stroke:rgb\(78[^>]*\bd="([^"]*)"',
                                                   data.decode()))
                self.assertEqual(lines, len(pairs) if len(pairs) <= 32 else 0)


class Png(PictureTest):
    def board_area(self, image):
        """Left, top and side of the area inside the frame."""
        squares = image.where(lambda colour: near(colour, LIGHT) or near(colour, DARK))
        left, right = min(x for x, _ in squares), max(x for x, _ in squares)
        top, bottom = min(y for _, y in squares), max(y for _, y in squares)
        self.assertEqual((right - left, top, bottom), (bottom - top, left, right))
        self.assertEqual(left, image.width - 1 - right)  # equal margins on both sides
        return left, top, right - left + 1

    def assert_shows(self, image, columns, is_queen):
        """Queens are in the middle of their squares, and only there; squares are light and dark."""
        n = len(columns)
        left, top, side = self.board_area(image)
        size = side // n
        self.assertEqual(side % n, 0)
        spots = {}
        for x, y in image.where(is_queen):
            self.assertTrue(left <= x < left + side and top <= y < top + side, (x, y))
            column, across = divmod(x - left, size)
            row, down = divmod(y - top, size)
            spots.setdefault((row + 1, column + 1), []).append((across, down))
        self.assertEqual(sorted(spots), [(row, column) for row, column in enumerate(columns, 1)])
        for spot in spots.values():
            middle = [1 for across, down in spot if size / 4 <= across < size * 3 / 4
                      and size / 4 <= down < size * 3 / 4]
            self.assertGreater(len(middle), size * size / 4 / 3)
        for row in range(n):
            for column in range(n):
                corner = image.at(left + column * size, top + row * size)
                self.assertTrue(near(corner, DARK if (row + column) % 2 else LIGHT), (row, column))

    def test_queens_stand_where_they_should(self):
        for columns in ((1,), (2, 4, 1, 3), solutions(8)[7], constructed(20), constructed(100)):
            with self.subTest(n=len(columns)):
                image = Image(self.drawn(columns, "x.png"))
                self.assertEqual(image.width, image.height)
                self.assert_shows(image, columns, lambda colour: max(colour) < 45)

    def test_attack(self):
        """Both queens are red, none is black; the red line between them stays on their squares."""
        image = Image(self.drawn((1, 1), "x.png", WRONG))
        self.assert_shows(image, (1, 1), lambda colour: near(colour, (200, 30, 30)))
        self.assertEqual(image.where(lambda colour: max(colour) < 45), [])

    def test_every_attacked_queen_is_red(self):
        """More pairs than have lines between them."""
        columns = tuple(range(1, 10))
        image = Image(self.drawn(columns, "x.png", WRONG))
        self.assert_shows(image, columns, lambda colour: near(colour, (200, 30, 30)))
        self.assertEqual(image.where(lambda colour: max(colour) < 45), [])

    def test_large(self):
        header = dict(chunks(self.drawn(constructed(1000), "x.png")))[b"IHDR"]
        width, height = struct.unpack_from(">2I", header)
        self.assertEqual(width, height)
        self.assertGreaterEqual(width, 3000)  # a square is more than a pixel or two


class Pdf(PictureTest):
    def test_begins_and_ends(self):
        for columns in ((1,), solutions(8)[0], constructed(100), constructed(1000)):
            with self.subTest(n=len(columns)):
                data = self.drawn(columns, "x.pdf")
                self.assertRegex(data, rb"\A%PDF-1\.\d\n")
                self.assertTrue(data.endswith(b"%%EOF\n"))
                self.assertEqual(len(re.findall(rb"/Type /Page\b", data)), 1)

    def test_square_page(self):
        width, height = re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]",
                                  self.drawn(solutions(8)[0], "x.pdf")).groups()
        self.assertEqual(width, height)

    def test_cross_reference(self):
        """Objects are where the file's table says, so a cut or padded file is noticed."""
        data = self.drawn(solutions(8)[0], "x.pdf")
        start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", data)[1])
        self.assertTrue(data[start:].startswith(b"xref\n"))
        offsets = [int(offset) for offset in re.findall(rb"(\d{10}) 00000 n", data[start:])]
        self.assertGreater(len(offsets), 3)
        for offset in offsets:
            self.assertRegex(data[offset:offset + 20], rb"\A\d+ 0 obj")


class Text(PictureTest):
    def test_board(self):
        for columns in ((1,), (2, 4, 1, 3), constructed(1000)):
            with self.subTest(n=len(columns)):
                self.assertEqual(self.drawn(columns, "x.txt").decode(), board(columns))

    def test_attack(self):
        self.assertEqual(self.drawn((1, 3, 4, 2), "x.txt", WRONG).decode(),
                         board((1, 3, 4, 2), (2, 3)))
        self.assertEqual(self.drawn((1, 2, 3, 4), "x.txt", WRONG).decode(),
                         board((1, 2, 3, 4), (1, 2, 3, 4)))


class Attack(PictureTest):
    def test_is_drawn_and_said(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                result = run("draw", "-o", self.path(f"x.{kind}"), stdin="1 3 4 2")
                self.assert_fails(WRONG, result, "row 2, column 3", "row 3, column 4", "diagonal")
                self.assertTrue(self.content(f"x.{kind}"))


class Refused(PictureTest):
    """Nothing is written, and an existing file stays as it was."""

    def assert_untouched(self, *named, arguments=(), stdin=""):
        for kind in KINDS:
            name = f"x.{kind}"
            command = ["draw", *arguments, "-o", self.path(name)]
            with self.subTest(kind=kind, arguments=arguments):
                self.assert_refused(command, *named, stdin=stdin)
                self.assertFalse(os.path.exists(self.path(name)))
                with open(self.path(name), "w") as file:
                    file.write("before")
                self.assert_refused(command, *named, stdin=stdin)
                self.assertEqual(self.content(name), b"before")
                os.remove(self.path(name))

    def test_too_large(self):
        self.assert_untouched("1001", "1 to 1000", stdin=line(constructed(1001)))

    def test_no_solution(self):
        self.assert_untouched("n = 3", "no solution", arguments=["3"])
        self.assert_untouched("'3'", "2 solutions", arguments=["4", "--solution", "3"])

    def test_no_placement(self):
        self.assert_untouched("'x'", stdin="1 x")
        self.assert_untouched("no placement")


class Failures(PictureTest):
    def assert_not_written(self, name, why):
        self.assert_fails(SYSTEM, run("draw", "4", "-o", name), f"'{name}'", "cannot be written",
                          why)

    def test_missing_folder(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.assert_not_written(self.path(f"no/x.{kind}"), "No such file")

    def test_folder_of_that_name(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                os.mkdir(self.path(f"x.{kind}"))
                self.assert_not_written(self.path(f"x.{kind}"), "Is a directory")

    def test_full_disk(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                os.symlink("/dev/full", self.path(f"x.{kind}"))
                self.assert_not_written(self.path(f"x.{kind}"), "No space left")

    def test_unwritable_folder(self):
        """Nobody may make files in /proc, not even root."""
        self.assert_not_written("/proc/x.svg", "")

    @unittest.skipIf(os.geteuid() == 0, "root may write every file")
    def test_unwritable_file(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                with open(self.path(f"x.{kind}"), "w"):
                    pass
                os.chmod(self.path(f"x.{kind}"), 0o444)
                self.assert_not_written(self.path(f"x.{kind}"), "Permission denied")

    def test_full_disk_and_an_attack(self):
        os.symlink("/dev/full", self.path("x.png"))
        result = run("draw", "-o", self.path("x.png"), stdin="1 1")
        self.assert_fails(SYSTEM, result, "No space left")

    def test_without_cairo(self):
        """The loader finds a file that is not Cairo: only pictures fail."""
        with open(self.path("libcairo.so.2"), "w"):
            pass
        env = {"LD_LIBRARY_PATH": self.folder}
        for kind in ("svg", "png", "pdf"):
            with self.subTest(kind=kind):
                result = run("draw", "4", "-o", self.path(f"x.{kind}"), env=env)
                self.assert_fails(SYSTEM, result, f"x.{kind}'", "libcairo")
                self.assertFalse(os.path.exists(self.path(f"x.{kind}")))
        self.assert_answers("", "draw", "4", "-o", self.path("x.txt"), env=env)
        self.assert_answers(board((2, 4, 1, 3)), "draw", "4", env=env)
        self.assert_answers("92\n", "8", env=env)
