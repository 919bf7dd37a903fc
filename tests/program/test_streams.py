"""The output on stdout, on stderr, and as JSON documents."""
import csv
import io
import json
import os
import re
import subprocess

from program import (DONE, FUNDAMENTAL, HALF_TURN, PATIENCE, PROGRAM, QUARTER_TURN, TOTALS, USAGE,
                     ProgramTest, documents, environment, printed, run)

SOURCES = {name: f"https://oeis.org/{name}"
           for name in ("A000170", "A002562", "A032522", "A033148")}


class StreamsTest(ProgramTest):
    def assert_known(self, rows):
        """The rows of the table: n, all solutions, solutions up to symmetry, and solutions with
        half-turn and with quarter-turn symmetry. None: not known."""
        numbers, totals, classes, half, quarter = zip(*rows)
        self.assertEqual(numbers, tuple(range(len(rows))))
        unknown = len(rows) - len(TOTALS)
        self.assertEqual(totals, (*TOTALS, *[None] * unknown))
        self.assertEqual(classes, (None, *FUNDAMENTAL, *[None] * unknown))
        self.assertEqual(half[:15], (None, *HALF_TURN))
        self.assertEqual(quarter[:15], (None, *QUARTER_TURN))
        for n, a, c, s, q in rows[2:28]:
            self.assertEqual((a + s + 2 * q) % 8, 0)
            self.assertEqual((a + s + 2 * q) // 8, c)
        # Known for larger n than totals. With quarter-turn symmetry, queens come in fours but for
        # the one in the middle, and each four can be mirrored by itself.
        self.assertEqual((half.index(None, 1), len(rows)), (33, 64))
        for n, _, _, s, q in rows[2:]:
            self.assertEqual(q % 2**(n // 4) if n % 4 < 2 else q, 0)
            self.assertLessEqual(q, q if s is None else s)


class Text(StreamsTest):
    def test_stdout_is_the_number_and_stderr_is_empty(self):
        self.assert_answers("92\n", "8")
        self.assert_answers("92\n", "8", "--quiet")
        self.assert_answers("92\n", "8", "--progress", "never")
        self.assert_answers("92\n", "8", "--progress", "auto")

    def test_time_goes_to_stderr(self):
        """Short lines, without what has no meaning: no depth of plan cross, no rate of no work."""
        threads = r"\d+ threads? \(\d+ bound\)"
        time = rf"\d\.\d{{3}} s(?: \(\d\.\d{{3}} s to plan\))?, {threads}, verified\n"
        for options, way in (([], r"search, plan cross, kernel \w+"),
                             (["--plan", "rows"], r"search, plan rows, depth [23], kernel \w+"),
                             (["--method", "join"], r"join, plan halves, kernel \w+")):
            with self.subTest(options=options):
                result = run("10", "--time", *options)
                self.assertEqual((result.returncode, result.stdout), (DONE, printed(10)))
                self.assertRegex(result.stderr, rf"\Anqueens: n = 10: {time}"
                                                rf"nqueens: n = 10: method {way}\n"
                                                r"nqueens: n = 10: \d+ units, [1-9]\d* "
                                                r"(nodes|pairs), \d\.\d{3}e\+\d\d \1/s\n\Z")
                for line in result.stderr.splitlines():
                    self.assertLess(len(line), 80)

    def test_verify(self):
        result = run("verify", "--from", "3", "--to", "11", "-t", "2")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        head, *rows = [line.split() for line in result.stdout.splitlines()]
        self.assertEqual(head, ["n", "solutions", "classes", "seconds", "verdict"])
        self.assertEqual([[n, total, classes, verdict] for n, total, classes, _, verdict in rows],
                         [[str(n), str(TOTALS[n]), str(FUNDAMENTAL[n - 1]), "verified"]
                          for n in range(3, 12)])
        for row in rows:
            self.assertRegex(row[3], r"\A\d+\.\d{3}\Z")

    def test_table(self):
        result = run("table")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        rows = [line.split() for line in result.stdout.splitlines() if not line.startswith("#")]
        self.assert_known([[None if number == "-" else int(number) for number in row]
                           for row in rows[1:]])
        for source in SOURCES.values():
            self.assertIn(source, result.stdout)

    def test_tables_in_other_formats(self):
        for command, rows in ((["verify", "--from", "3", "--to", "11"], 9), (["table"], 28),
                              (["info", "-t", "2"], 12)):
            with self.subTest(command=command):
                found = list(csv.DictReader(io.StringIO(
                    run(*command, "--format", "csv").stdout), strict=True))
                self.assertGreaterEqual(len(found), rows)
                lines = [line for line in run(*command, "--format=markdown").stdout.splitlines()
                         if line.startswith("|")]
                self.assertEqual(len(lines), 2 + len(found))
                for line, row in zip(lines[2:], found):
                    cells = [cell.strip().replace("\\", "").strip("-") for cell in line[1:-1].split(" | ")]
                    self.assertEqual(len(cells), len(row))
                    for cell, (title, value) in zip(cells, row.items()):
                        if title != "seconds":  # of another run
                            self.assertEqual(cell, value)

    def test_info_tells_what_a_count_would_use(self):
        """Kernel, crossovers and memory limit, as counts show them."""
        kernel, method, memory = (re.search(rf"^{name}: +(.*)$", run("info").stdout, re.M)[1]
                                  for name in ("kernel", "method", "memory"))
        self.assertEqual(kernel.split(", ")[0], json.loads(run("8", "--json").stdout)["kernel"])
        last, first = map(int, re.match(r"search to n = (\d+), join from n = (\d+)", method).groups())
        self.assertEqual(last + 1, first)
        for n, used in ((first - 1, "search"), (first, "join")):
            if n < 19:  # quickly counted
                self.assertEqual(json.loads(run(str(n), "--json").stdout)["method"], used)
        self.assertRegex(memory, r"\Aat most \S+ [MG]B \(--memory\)\Z")


class Json(StreamsTest):
    def document(self, *arguments, **how):
        result = run(*arguments, "--json", **how)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertTrue(result.stdout.endswith("\n"))
        return json.loads(result.stdout)

    def assert_results(self, arguments, *sizes, **how):
        """A document a line, one for each of these sizes."""
        result = run(*arguments, "--json", **how)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assert_counted(result.stdout, *sizes)

    def assert_counted(self, stdout, *sizes):
        self.assertEqual([(r["n"], r["solutions"], r["verdict"]) for r in documents(stdout)],
                         [(n, str(TOTALS[n]), "verified") for n in sizes])

    def test_a_line_for_each_size(self):
        """One form, however many sizes there are."""
        self.assert_results(["10"], 10)
        self.assert_results(["8", "0", "11"], 8, 0, 11)
        self.assert_results(["4", "4"], 4, 4)

    def test_each_line_is_printed_when_its_count_is_done(self):
        """A reader gets the first document before it sends the second size."""
        with subprocess.Popen([PROGRAM, "-", "--json"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, env=environment()) as process:
            for n in (6, 9):
                process.stdin.write(b"%d\n" % n)
                process.stdin.flush()
                self.assert_counted(process.stdout.readline().decode(), n)
            process.stdin.close()
            self.assertEqual((process.wait(timeout=PATIENCE), process.stdout.read()), (DONE, b""))

    def test_what_was_asked_for_is_what_was_used(self):
        document = self.document("10", "--plan", "rows", "--depth", "3", "--kernel", "scalar64",
                                 "--method", "search")
        self.assertEqual([document[name] for name in ("method", "plan", "depth", "kernel")],
                         ["search", "rows", 3, "scalar64"])

    def test_bad_word_on_stdin(self):
        """The counts before it are printed."""
        self.assert_refused(["-", "--json"], "'x'", "28", stdin="x 4")
        result = run("-", "--json", stdin="4 8 x")
        self.assertEqual(result.returncode, USAGE)
        self.assert_one_message(result.stderr, "'x'", "28")
        self.assert_counted(result.stdout, 4, 8)

    def test_verify(self):
        self.assert_results(["verify", "--from", "2", "--to", "9"], *range(2, 10))
        self.assert_results(["verify", "--from", "5", "--to", "5"], 5)

    def test_table(self):
        document = self.document("table")
        self.assertEqual(document["sources"], SOURCES)
        for row in document["totals"]:
            self.assertLessEqual(row.keys(), {"n", *SOURCES})
            for name in row.keys() - {"n"}:
                self.assertIsInstance(row[name], str)
        self.assert_known([[row["n"], *(int(row[name]) if name in row else None
                                        for name in SOURCES)] for row in document["totals"]])

    def test_info(self):
        document = self.document("info", "-t", "3")
        self.assertIn({"name": "scalar64", "runs_here": True}, document["kernels"])
        self.assertEqual(len(document["threads"]), 3)
        self.assertEqual(document["topology"]["pus"], len(os.sched_getaffinity(0)))
        defaults = document["defaults"]
        self.assertIn(defaults["kernel"], [kernel["name"] for kernel in document["kernels"]])
        self.assertEqual([entry["method"] for entry in defaults["methods"]], ["search", "join"])
        self.assertEqual([n for entry in defaults["methods"]
                          for n in range(entry["from"], entry["to"] + 1)], list(range(29)))
        self.assertGreater(int(defaults["memory_limit"]), 0)
        for name in ("version", "build"):
            self.assertRegex(document[name], r"\S")
        for name in ("cpu", "features"):  # not known everywhere
            self.assertIsInstance(document[name], str)
