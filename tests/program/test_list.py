"""`list`: all solutions, in order, in three formats."""
from program import DONE, FUNDAMENTAL, PATIENCE, TOTALS, ProcessTest, ProgramTest, document, run, through_shell
from solutions import board, class_of, is_solution, line, representatives, solutions


class Small(ProgramTest):
    """All against brute force: n = 2 and 3 print nothing; n = 0 prints one placement, an empty line."""

    def test_all(self):
        for n in range(9):
            expected = solutions(n)
            text = "".join(line(columns) + "\n" for columns in expected)
            for options in ([], ["--format", "columns"], ["--limit", str(2**64 - 1)]):
                self.assert_answers(text, "list", str(n), *options)
            self.assertEqual(document("list", str(n)), {"n": n, "solutions": [{"columns": list(columns)}
                                                                              for columns in expected]})
            if 0 < n < 8:
                self.assert_answers("\n".join(map(board, expected)), "list", str(n), "--format", "board")

    def test_limit(self):
        expected = solutions(7)[:39]
        self.assert_answers("\n".join(map(board, expected)), "list", "7", "--limit=39", "--format=board")
        listed = document("list", "7", "--limit=39", "--format", "json")["solutions"]
        self.assertEqual([tuple(entry["columns"]) for entry in listed], expected)
        self.assert_answers(line(expected[0]) + "\n", "list", "7", "--limit", "1")

    def test_classes(self):
        for n in range(9):
            expected = [(columns, len(class_of(columns))) for columns in representatives(n)]
            if n > 0:
                self.assert_answers("".join(f"{line(columns)} # class of {size}\n"
                                            for columns, size in expected),
                                    "list", str(n), "--fundamental")
            listed = document("list", str(n), "--fundamental")["solutions"]
            self.assertEqual([(tuple(entry["columns"]), entry["class_size"]) for entry in listed], expected)
        self.assert_answers("\n".join(f"# class of {size}\n{board(columns)}" for columns, size in expected),
                            "list", "8", "--fundamental", "--format=board")


class Large(ProgramTest):
    def listed(self, *arguments):
        """The solutions and their comments; solutions are right and in order."""
        rows = [row.split(" # class of ") for row in run("list", *arguments).stdout.splitlines()]
        columns = [tuple(map(int, row[0].split())) for row in rows]
        self.assertTrue(all(len(one) == int(arguments[0]) and is_solution(one) for one in columns))
        self.assertEqual(columns, sorted(set(columns)))
        return rows

    def test_numbers(self):
        """A list with as many different solutions as there are has all of them."""
        self.assertEqual(len(self.listed("10")), TOTALS[10])
        classes = self.listed("11", "--fundamental")
        self.assertEqual((len(classes), sum(int(size) for _, size in classes)), (FUNDAMENTAL[10], TOTALS[11]))
        self.assertEqual(len(self.listed("28", "--limit", "100")), 100)  # at once


class Readers(ProcessTest):
    """A reader may stop at any time: that is no error."""

    def test_of_a_list_without_end(self):
        for options in ([], ["--json"], ["--fundamental"], ["--format=board"]):
            process = self.launch("list", "20", *options)
            self.assertNotEqual(process.stdout.readline(), b"")
            process.stdout.close()
            self.assertEqual((process.wait(timeout=PATIENCE), process.stderr.read()), (DONE, b""))
        result = through_shell('trap "" PIPE; { "$@"; echo $? >&2; } | head -n 1', "list", "12")
        self.assertEqual(result[1:], ("1 3 5 8 10 12 6 11 2 7 9 4\n", "0\n"))

    def test_memory_does_not_grow(self):
        """The peak is read while the program waits for its reader, after 1 and after many lines (10 MB)."""
        peaks = []
        for lines, n in ((1, "12"), (200000, "20")):
            process = self.launch("list", n)
            for _ in range(lines):
                process.stdout.readline()
            with open(f"/proc/{process.pid}/status") as status:
                peaks.append(next(int(entry.split()[1]) for entry in status if entry.startswith("VmHWM")))
        self.assertLess(peaks[1], peaks[0] + 4096)


class BadInput(ProgramTest):
    def test_refused(self):
        self.assert_each_refused(("list", "list", "0", "28"), ("list 4 5", "list", "'5'", "one N"),
                                 ("list 4 -", "'-'", "one N"),
                                 ("list 6 --json --format board", "'--json'", "board'"))
