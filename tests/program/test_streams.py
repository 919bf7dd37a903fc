"""The output on stdout, on stderr, and as JSON documents."""
import csv
import io
import re
import subprocess

from program import (DONE, FUNDAMENTAL, PATIENCE, PROGRAM, TOTALS, USAGE, ProgramTest, document, documents,
                     environment, printed, run)

SOURCES = {name: f"https://oeis.org/{name}" for name in ("A000170", "A002562", "A032522", "A033148")}


class Text(ProgramTest):
    def test_time_goes_to_stderr(self):
        """Short lines, without what has no meaning: no depth of plan cross, no rate of no work."""
        time = r"\d\.\d{3} s(?: \(\d\.\d{3} s to plan\))?, \d+ threads? \(\d+ bound\), verified\n"
        for options, way in (([], r"search, plan cross, kernel \w+"),
                             (["--plan", "rows"], r"search, plan rows, depth [23], kernel \w+"),
                             (["--method", "colours"], r"colours, plan orbits, kernel \w+")):
            result = run("10", "--time", *options)
            self.assertEqual(result[:2], (DONE, printed(10)))
            self.assertRegex(result.stderr, rf"\Anqueens: n = 10: {time}nqueens: n = 10: method {way}\n"
                                            r"nqueens: n = 10: \d+ units, [1-9]\d* "
                                            r"(nodes|completions), \d\.\d{3}e\+\d\d \1/s\n\Z")
        self.assertNotRegex(run("0", "2", "--time").stderr, "/s|depth")

    def test_verify(self):
        for options, sizes in ((("--from", "3", "--to", "11"), range(3, 12)), (("--to", "1"), range(2)),
                               (("--from", "15"), [15]), (("--from", "16", "-q"), [16])):
            result = run("verify", *options, "-t", "2")
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            head, *rows = [line.split() for line in result.stdout.splitlines()]
            self.assertEqual(head, ["n", "solutions", "classes", "seconds", "verdict"])
            self.assertEqual([[*row[:3], row[4]] for row in rows],
                             [[str(n), str(TOTALS[n]), str([1, *FUNDAMENTAL][n]), "verified"] for n in sizes])

    def test_tables_in_other_formats(self):
        for command, rows in ((["verify", "--from", "3", "--to", "11"], 9), (["table"], 28),
                              (["info", "-t", "2"], 11)):
            found = list(csv.DictReader(io.StringIO(run(*command, "--format", "csv").stdout), strict=True))
            self.assertGreaterEqual(len(found), rows)
            lines = [line
                     for line in run(*command, "--format=markdown").stdout.splitlines() if line.startswith("|")]
            for line, row in zip(lines[2:], found, strict=True):
                cells = [cell.strip().replace("\\", "").strip("-") for cell in line[1:-1].split(" | ")]
                for cell, (title, value) in zip(cells, row.items(), strict=True):
                    if title != "seconds":  # of another run
                        self.assertEqual(cell, value)

    def test_info_tells_what_a_count_would_use(self):
        """Kernels and crossover, as counts show them."""
        kernels, kernel, method = (re.search(rf"^{name}: +(.*)$", run("info").stdout, re.M)[1]
                                   for name in ("kernels", "kernel", "method"))
        self.assertEqual(kernel, document("8")["kernel"])
        self.assertEqual(re.sub(r" \(not on this CPU\)", "", kernels).split(),
                         [entry["name"] for entry in document("info")["kernels"]])
        last, first = map(int, re.fullmatch(r"search to n = (\d+), colours from n = (\d+)", method).groups())
        self.assertEqual(last + 1, first)
        for n, used in ((last, "search"), (first, "colours")):
            self.assertEqual(document(str(n))["method"], used)
        for name, shown in (("scalar64", "scalar64"), ("scalr64", "none; .*'scalr64'.*scalar64")):
            self.assertRegex(run("info", env={"NQUEENS_KERNEL": name}).stdout, rf"\nkernel: +{shown}")


class Json(ProgramTest):
    def assert_counted(self, stdout, *sizes):
        """A document a line, one for each of these sizes."""
        self.assertEqual([(r["n"], r["solutions"], r["verdict"]) for r in documents(stdout)],
                         [(n, str(TOTALS[n]), "verified") for n in sizes])

    def test_a_line_for_each_size(self):
        for arguments, stdin, sizes in (("8 0 11", "", [8, 0, 11]), ("-", "8 11\n0 5", [8, 11]), ("-", "", []),
                                        ("4 4 --time", "", [4, 4]), ("8 -q", "", [8]),
                                        ("verify --from 2 --to 9", "", range(2, 10))):
            result = run(*arguments.split(), "--json", stdin=stdin)
            self.assertEqual((result.returncode, result.stderr == ""), (DONE, "--time" not in arguments))
            self.assert_counted(result.stdout, *sizes)

    def test_members(self):
        found, info = document("10", "-t", "1"), document("info", "-t", "3")
        self.assertEqual((found["threads"], len(info["threads"])), (1, 3))
        for name in ("nodes", "units"):
            self.assertRegex(found[name], r"\A\d+\Z")
        for name in ("method", "plan", "kernel", "version"):
            self.assertIsInstance(found[name], str)
        self.assertGreaterEqual(found["seconds"], found["plan_seconds"])
        for name in ("version", "build", "cpu", "features"):
            self.assertIsInstance(info[name], str)
        self.assertEqual([n for entry in info["defaults"]["methods"]
                          for n in range(entry["from"], entry["to"] + 1)], list(range(29)))

    def test_each_line_is_printed_when_its_count_is_done(self):
        """A reader gets the first answer before it sends the second size."""
        for options in ([], ["--json"]):
            with subprocess.Popen([PROGRAM, "-", *options], stdin=subprocess.PIPE, bufsize=0,
                                  stdout=subprocess.PIPE, env=environment()) as process:
                for n in (6, 9):
                    process.stdin.write(b"%d\n" % n)
                    line = process.stdout.readline().decode()
                    self.assert_counted(line, n) if options else self.assertEqual(line, printed(n))
                process.stdin.close()
                self.assertEqual((process.wait(timeout=PATIENCE), process.stdout.read()), (DONE, b""))

    def test_counts_before_a_bad_word_on_stdin_are_printed(self):
        result = run("-", "--json", stdin="4 8 x")
        self.assertEqual(result.returncode, USAGE)
        self.assert_one_message(result.stderr, "'x'", "28")
        self.assert_counted(result.stdout, 4, 8)

    def test_table(self):
        """The same as in words; numbers are as published."""
        table, text = document("table"), run("table").stdout
        self.assertEqual(table["sources"], SOURCES)
        self.assertTrue(all(source in text for source in SOURCES.values()))
        rows = [[str(row["n"]), *(row.get(name, "-") for name in SOURCES)] for row in table["totals"]]
        lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(lines[1:], rows)
        self.assertEqual([row[1:3] for row in rows[1:28]], [[str(TOTALS[n]), str(FUNDAMENTAL[n - 1])]
                                                            for n in range(1, 28)])
        self.assertEqual((len(rows), rows[28][1:3], rows[12][3:]), (64, ["-", "-"], ["80", "8"]))
