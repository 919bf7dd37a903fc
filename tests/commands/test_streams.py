# SPDX-License-Identifier: MIT
"""The output on stdout, on stderr, and in each format."""
import csv
import os
import subprocess

from ledgers import LedgerTest, rewrite
from program import DONE, TOTALS, ProcessTest, ProgramTest, document, documents, printed, run

SOURCES = {
    name: f"https://oeis.org/{name}" for name in ("A000170", "A002562", "A032522", "A033148")
}


def rows(*arguments):
    """Those of CSV."""
    return list(csv.reader(run(*arguments, "--format=csv").stdout.splitlines()))


class Text(ProgramTest):
    def test_time_goes_to_stderr(self):
        """Short lines, without what has no meaning, such as a rate of no work."""
        time = r"\d\.\d{3} s(?: \(\d\.\d{3} s to plan\))?, \d+ threads? \(\d+ bound\), verified\n"
        for options, way in (
            ([], r"colours, kernel \w+"),
            (["--method", "search"], "search, kernel scalar64"),
        ):
            result = run("10", "--time", *options)
            self.assertEqual(result[:2], (DONE, printed(10)))
            self.assertRegex(
                result.stderr,
                rf"\Anqueens: n = 10: {time}nqueens: n = 10: method {way}\n"
                r"nqueens: n = 10: \d+ units, [1-9]\d* "
                r"(nodes|completions), \d\.\d{3}e\+\d\d \1/s\n\Z",
            )
        self.assertNotRegex(run("0", "2", "--time", "--method", "search").stderr, "/s")

    def test_verify(self):
        classes = {row["n"]: row.get("A002562") for row in document("table")["totals"]}
        for options, sizes in (
            ((), range(16)),
            (("0..1",), range(2)),
            (("16", "-q"), [16]),
            (("4..6",), range(4, 7)),
            (("5",), [5]),
        ):
            result = run("verify", *options)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            expected = [
                ["n", "solutions", "classes", "verdict"],
                *([str(n), str(TOTALS[n]), classes[n] or "1", "verified"] for n in sizes),
            ]
            for found in [line.split() for line in result.stdout.splitlines()], rows(
                "verify", *options
            ):
                self.assertEqual([row[:3] + row[4:] for row in found], expected)


class Outside(LedgerTest):
    def test_names_have_no_power_over_the_terminal(self):
        """Those of a ledger and in it. Arguments: refused.txt."""
        odd, shown = (
            os.fsdecode(b"\303(\377\033]0;owned\a\302\2332J\r"),
            r"\xc3(\xff\x1b]0;owned\x07\xc2\x9b2J\x0d",
        )
        ledger = self.make_part(12, self.path(odd), "1/2")
        self.assertEqual(self.shown(ledger)["ledger"], self.path(shown))
        rewrite(ledger, lambda unit: unit._replace(solutions=unit.solutions + 1, kernel="\033"))
        text = run("ledger", "audit", ledger).stdout
        self.assertIn(self.path(shown), text)
        self.assertIn(r"recorded_kernel \x1b, ", text)
        self.assertTrue(text.replace("\n", "").isprintable(), text)


class Formats(ProcessTest):
    def test_a_line_for_each_size(self):
        for arguments, stdin, sizes in (
            ("8 0 11", "", [8, 0, 11]),
            ("-", "8 11\n0 5", [8, 11]),
            ("- -q", "0", []),
            ("4 4 --time", "", [4, 4]),
            ("8 -q", "", [8]),
            ("verify 2..9", "", range(2, 10)),
        ):
            result = run(*arguments.split(), "--json", stdin=stdin)
            self.assertEqual(
                (result.returncode, result.stderr == ""), (DONE, "--time" not in arguments)
            )
            self.assertEqual(
                [
                    (found["n"], found["solutions"], found["verdict"])
                    for found in documents(result.stdout)
                ],
                [(n, str(TOTALS[n]), "verified") for n in sizes],
            )

    def test_each_line_is_printed_when_its_count_is_done(self):
        """A reader gets the first answer before it sends the second size."""
        for options, titles in (([], 0), (["--json"], 0), (["--format=csv"], 1)):
            process = self.launch("-", *options, stdin=subprocess.PIPE, bufsize=0)
            for n, lines in ((6, titles + 1), (9, 1)):
                process.stdin.write(b"%d\n" % n)
                line = [process.stdout.readline().decode() for _ in range(lines)][-1]
                self.assertRegex(line, rf"\b{TOTALS[n]}\b")
            self.assertEqual(self.end(process), (DONE, "", ""))

    def test_counts_as_csv(self):
        """As JSON has them."""
        for options in ((), ("--fundamental",)):
            titles, *found = rows("12..14", "8", *options)
            counts = documents(run("12..14", "8", "--json", *options).stdout)
            for row, count in zip([dict(zip(titles, row)) for row in found], counts, strict=True):
                self.assert_has(
                    row,
                    n=str(count["n"]),
                    solutions=count["solutions"],
                    completions=count.get("completions", ""),
                    nodes=count.get("nodes", ""),
                    classes=count.get("fundamental"),
                    verdict=count["verdict"],
                )
                self.assertGreater(float(row["seconds"]), 0)

    def test_table(self):
        """What is not known is empty in CSV. Numbers are as published."""
        table, text, cells = document("table"), run("table").stdout, rows("table")
        self.assertEqual(table["sources"], SOURCES)
        self.assertTrue(all(source in text for source in SOURCES.values()))
        self.assertEqual(
            cells,
            [
                ["n", *SOURCES],
                *(
                    [str(row["n"]), *(row.get(name, "") for name in SOURCES)]
                    for row in table["totals"]
                ),
            ],
        )
        lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(lines, [[cell or "-" for cell in row] for row in cells])
        self.assertEqual([row[1] for row in cells[1:29]], [str(total) for total in TOTALS])
        self.assertEqual(
            (len(cells), cells[29][1:3], cells[13][2:]), (65, ["", ""], ["1787", "80", "8"])
        )
