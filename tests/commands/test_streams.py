# SPDX-License-Identifier: MIT
"""What the program writes to stdout and to stderr, in each format."""
import csv
import os
import subprocess

from ledgers import LedgerTest, rewrite
from program import DONE, TOTALS, ProcessTest, ProgramTest, document, documents, printed, run

# The sequences of OEIS in the columns of `table`, with their addresses.
SOURCES = {
    name: f"https://oeis.org/{name}" for name in ("A000170", "A002562", "A032522", "A033148")
}


def csv_rows(*arguments):
    """Runs the program with --format=csv. Returns the rows. The first one has the titles."""
    return list(csv.reader(run(*arguments, "--format=csv").stdout.splitlines()))


def csv_records(*arguments):
    """Runs the program with --format=csv. Returns a dict for each row, whose keys are the
    titles."""
    return list(csv.DictReader(run(*arguments, "--format=csv").stdout.splitlines()))


def without_column(number, rows):
    return [row[:number] + row[number + 1 :] for row in rows]


class Text(ProgramTest):
    def test_time_goes_to_stderr(self):
        """The lines are short. They leave out numbers without a meaning, such as a rate if there
        was no work."""
        time = r"\d\.\d{3} s(?: \(\d\.\d{3} s to plan\))?, \d+ threads? \(\d+ bound\)"
        for options, way in (
            ([], r"colours, kernel \w+"),
            (["--method", "search"], "search, kernel scalar64"),
        ):
            result = run("10", "--time", *options)
            self.assertEqual(result[:2], (DONE, printed(10)))
            self.assertRegex(
                result.stderr,
                rf"\Anqueens: n = 10: {time}, verified\n"
                rf"nqueens: n = 10: method {way}\n"
                r"nqueens: n = 10: \d+ units, "
                r"[1-9]\d* (nodes|completions), \d\.\d{3}e\+\d\d \1/s\n\Z",
            )
        self.assertNotRegex(run("0", "2", "--time", "--method", "search").stderr, "/s")

    def test_verify_prints_a_line_for_each_size(self):
        """`verify` prints a line for each size, as text and as CSV. Both have the same cells,
        except for the seconds in the fourth column."""
        titles = ["n", "solutions", "classes", "seconds", "verdict"]
        classes = {total["n"]: total.get("A002562") for total in document("table")["totals"]}
        for arguments, sizes in (
            ([], range(16)),
            (["0..1"], range(2)),
            (["16", "-q"], [16]),
            (["4..6"], range(4, 7)),
            (["5"], [5]),
        ):
            result = run("verify", *arguments)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            text_rows = [line.split() for line in result.stdout.splitlines()]
            expected = [titles[:3] + titles[4:]]
            for n in sizes:
                # A002562 begins with n = 1; the empty board is one class, too.
                expected.append([str(n), str(TOTALS[n]), classes[n] or "1", "verified"])
            self.assertEqual(without_column(3, text_rows), expected)
            self.assertEqual(without_column(3, csv_rows("verify", *arguments)), expected)


class Outside(LedgerTest):
    def test_names_have_no_power_over_the_terminal(self):
        """Control characters in the name of a ledger, and in the names that it holds, are shown as
        escapes. tests/*/refused.txt has names that are arguments."""
        name = os.fsdecode(b"\303(\377\033]0;owned\a\302\2332J\r")
        shown_name = r"\xc3(\xff\x1b]0;owned\x07\xc2\x9b2J\x0d"
        ledger = self.make_part(12, self.path(name), "1/2")
        self.assertEqual(self.shown(ledger)["ledger"], self.path(shown_name))
        rewrite(ledger, lambda unit: unit._replace(solutions=unit.solutions + 1, kernel="\033"))
        text = run("ledger", "audit", ledger).stdout
        self.assertIn(self.path(shown_name), text)
        self.assertIn(r"recorded_kernel \x1b, ", text)
        self.assertTrue(text.replace("\n", "").isprintable(), text)


class Formats(ProcessTest):
    def test_a_line_for_each_size(self):
        """With --json each count is a document on a line of its own."""
        for arguments, stdin, sizes in (
            ("8 0 11", "", [8, 0, 11]),
            ("-", "8 11\n0 5", [8, 11]),
            ("- -q", "0", []),
            ("4 4 --time", "", [4, 4]),
            ("8 -q", "", [8]),
            ("verify 2..9", "", range(2, 10)),
        ):
            result = run(*arguments.split(), "--json", stdin=stdin)
            self.assertEqual(result.returncode, DONE)
            self.assertEqual(result.stderr == "", "--time" not in arguments)
            counts = documents(result.stdout)
            self.assertEqual([count["n"] for count in counts], list(sizes))
            for count in counts:
                self.assert_has(count, solutions=str(TOTALS[count["n"]]), verdict="verified")

    def test_each_line_is_printed_when_its_count_is_done(self):
        """A reader gets the first answer before it sends the second size."""
        for options, has_titles in (
            ([], False),
            (["--json"], False),
            (["--format=csv"], True),
        ):
            process = self.launch("-", *options, stdin=subprocess.PIPE, bufsize=0)
            for n in (6, 9):
                process.stdin.write(b"%d\n" % n)
                if has_titles and n == 6:
                    self.assertIn(b"solutions", process.stdout.readline())
                self.assertRegex(process.stdout.readline().decode(), rf"\b{TOTALS[n]}\b")
            self.assertEqual(self.end(process), (DONE, "", ""))

    def test_csv_has_the_numbers_of_json(self):
        """Each row of CSV has the numbers of the JSON document for the same count."""
        for options in ([], ["--fundamental"]):
            records = csv_records("12..14", "8", *options)
            counts = documents(run("12..14", "8", "--json", *options).stdout)
            self.assertEqual(len(records), len(counts))
            for record, count in zip(records, counts):
                self.assert_has(
                    record,
                    n=str(count["n"]),
                    solutions=count["solutions"],
                    completions=count.get("completions", ""),
                    nodes=count.get("nodes", ""),
                    classes=count.get("fundamental"),
                    verdict=count["verdict"],
                )
                self.assertGreater(float(record["seconds"]), 0)

    def test_table_has_the_same_numbers_in_all_formats(self):
        """Text, CSV and JSON of `table` have the same numbers. What is not known is missing in
        JSON, empty in CSV and a dash in text."""
        table = document("table")
        text = run("table").stdout
        rows = csv_rows("table")
        self.assertEqual(table["sources"], SOURCES)
        for address in SOURCES.values():
            self.assertIn(address, text)
        expected = [["n", *SOURCES]]
        for total in table["totals"]:
            expected.append([str(total["n"])] + [total.get(name, "") for name in SOURCES])
        self.assertEqual(rows, expected)
        text_rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(text_rows, [[cell or "-" for cell in row] for row in rows])

    def test_table_has_the_published_numbers(self):
        records = csv_records("table")
        self.assertEqual(len(records), 64)
        for n, total in enumerate(TOTALS):
            self.assert_has(records[n], n=str(n), A000170=str(total))
        self.assert_has(records[12], n="12", A002562="1787", A032522="80", A033148="8")
        self.assert_has(records[28], n="28", A000170="", A002562="")
