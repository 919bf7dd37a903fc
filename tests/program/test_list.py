"""`list`: all solutions, in order, in three formats."""
import json

from processes import ProcessTest
from program import DONE, FUNDAMENTAL, PATIENCE, TOTALS, ProgramTest, run
from solutions import board, class_of, is_solution, line, solutions


def text(placements):
    return "".join(line(columns) + "\n" for columns in placements)


def boards(placements):
    """The boards of these placements, with empty lines between them."""
    return "\n".join(map(board, placements))


def representatives(n):
    """The first solution of each class, and the size of the class."""
    sized = [(columns, class_of(columns)) for columns in solutions(n)]
    return [(columns, len(images)) for columns, images in sized if columns == min(images)]


class ListTest(ProgramTest):
    def listed(self, *arguments):
        """The lines of a list."""
        result = run("list", *arguments)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertRegex(result.stdout, r"\A([^\n]*\n)*\Z")
        return result.stdout.splitlines()

    def document(self, *arguments):
        result = run("list", *arguments)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertTrue(result.stdout.endswith("}\n"))
        return json.loads(result.stdout)


class Columns(ListTest):
    def test_all_against_brute_force(self):
        """n = 2 and 3 print nothing; n = 0 prints one placement, which is an empty line."""
        for n in range(9):
            with self.subTest(n=n):
                self.assert_answers(text(solutions(n)), "list", str(n))
                self.assert_answers(text(solutions(n)), "list", str(n), "--format", "columns")

    def test_larger_ones(self):
        """The list has as many different solutions as there are, so it has all of them."""
        for n in range(9, 12):
            with self.subTest(n=n):
                listed = [tuple(map(int, row.split())) for row in self.listed(str(n))]
                self.assertEqual(len(listed), TOTALS[n])
                self.assertTrue(all(map(is_solution, listed)))
                self.assertTrue(all(one < next_one for one, next_one in zip(listed, listed[1:])))

    def test_largest_board(self):
        """The largest board prints its first solutions at once."""
        listed = [tuple(map(int, row.split())) for row in self.listed("28", "--limit", "100")]
        self.assertEqual(len(listed), 100)
        self.assertTrue(all(len(columns) == 28 and is_solution(columns) for columns in listed))
        self.assertEqual(listed, sorted(set(listed)))


class Limit(ListTest):
    def test_is_the_beginning(self):
        every = self.listed("8")
        for limit in (1, 2, 91, 92):
            with self.subTest(limit=limit):
                self.assertEqual(self.listed("8", "--limit", str(limit)), every[:limit])

    def test_beyond_the_total(self):
        for limit in ("93", str(2**32), str(2**64 - 1)):
            with self.subTest(limit=limit):
                self.assertEqual(len(self.listed("8", f"--limit={limit}")), 92)

    def test_no_number_that_fits(self):
        for limit in ("0", "-1", "x", "", "1x", "+1", " 1", "1e3", "0x1", str(2**64), "9" * 30):
            with self.subTest(limit=limit):
                self.assert_refused(["list", "8", "--limit", limit], "--limit", f"'{limit}'", "1")


class Board(ListTest):
    def test_all(self):
        for n in range(1, 8):
            with self.subTest(n=n):
                self.assert_answers(boards(solutions(n)), "list", str(n), "--format", "board")


class Json(ListTest):
    def test_all(self):
        for n in range(9):
            with self.subTest(n=n):
                expected = {"n": n, "solutions": [{"columns": list(columns)}
                                                  for columns in solutions(n)]}
                self.assertEqual(self.document(str(n), "--json"), expected)

    def test_no_other_format(self):
        for form in ("board", "columns"):
            with self.subTest(form=form):
                self.assert_refused(["list", "6", "--json", "--format", form],
                                    f"'--json' does not go with '--format {form}'")


class Fundamental(ListTest):
    def test_columns(self):
        for n in range(1, 9):
            with self.subTest(n=n):
                expected = "".join(f"{line(columns)} # class of {size}\n"
                                   for columns, size in representatives(n))
                self.assert_answers(expected, "list", str(n), "--fundamental")

    def test_json(self):
        for n in range(9):
            with self.subTest(n=n):
                document = self.document(str(n), "--fundamental", "--json")
                self.assertEqual(document["n"], n)
                self.assertEqual([(tuple(entry["columns"]), entry["class_size"])
                                  for entry in document["solutions"]], representatives(n))

    def test_sizes_sum_to_the_total(self):
        for n in range(9, 13):
            with self.subTest(n=n):
                rows = [row.split(" # class of ") for row in self.listed(str(n), "--fundamental")]
                self.assertEqual(len(rows), FUNDAMENTAL[n - 1])
                self.assertEqual(sum(int(size) for _, size in rows), TOTALS[n])
                listed = [tuple(map(int, columns.split())) for columns, _ in rows]
                self.assertEqual(listed, sorted(set(listed)))
                self.assertTrue(all(map(is_solution, listed)))


class Readers(ProcessTest):
    """A reader may stop at any time: that is no error."""

    def test_of_a_list_without_end(self):
        for options in ([], ["--json"], ["--fundamental"], ["--format=board"]):
            with self.subTest(options=options):
                process = self.launch("list", "20", *options)
                self.assertNotEqual(process.stdout.readline(), b"")
                process.stdout.close()
                self.assertEqual(process.wait(timeout=PATIENCE), DONE)
                self.assertEqual(process.stderr.read(), b"")


class Memory(ProcessTest):
    def peak_after(self, lines, *arguments):
        """The peak memory of a list until so many lines were read, in KB. It is read while the
        program waits for its reader: the figure of wait4 would include Python's memory."""
        process = self.launch("list", *arguments)
        for _ in range(lines):
            process.stdout.readline()
        with open(f"/proc/{process.pid}/status") as status:
            return next(int(entry.split()[1]) for entry in status if entry.startswith("VmHWM"))

    def test_does_not_grow(self):
        """These lines take 51 MB."""
        little = self.peak_after(1, "12")
        self.assertLess(self.peak_after(1000000, "20"), little + 4096)


class BadInput(ProgramTest):
    def test_no_size(self):
        for arguments in (["list"], ["list", "--"], ["list", "--json"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(arguments, "list", "0", "28")

    def test_several_sizes(self):
        self.assert_refused(["list", "4", "5"], "list", "'5'", "one N")
        self.assert_refused(["list", "4", "-"], "list", "'-'", "one N")
