"""`ledger export`, `verify` and `import`: results that others can check."""
import hashlib
import json
import os
import re
import shutil
import stat
import unittest

from ledger_rows import change_job, falsify_unit, job_of, opened, put, rows
from ledgers import MANY_UNITS, LedgerTest, content, write
from program import (DONE, PROGRAM, SOURCE, SYSTEM, TOTALS, USAGE, WRONG, call, run, through_shell)

HEAD = ["n", "method", "plan", "plan_version", "depth", "units", "recorded", "solutions"]
FIRST_UNIT = 10  # the index of its line


def signed(lines):
    """The text of these lines with the checksum of docs/ledger.md behind them."""
    text = "".join(line + "\n" for line in lines)
    return text + f"sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


class ExportTest(LedgerTest):
    def export(self, ledger, *options):
        result = run("ledger", "export", ledger, *options)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return result.stdout

    def lines(self, n=10, *options):
        """The lines of the export of a complete count, without the checksum."""
        return self.export(self.make(n, self.path(), *options)).splitlines()[:-1]

    def verify(self, text):
        return run("ledger", "verify", "-", stdin=text)


class Export(ExportTest):
    def test_text(self):
        """All that docs/ledger.md says about it, computed anew."""
        for n, options in ((0, ()), (2, ()), (10, MANY_UNITS), (12, ("--method", "join"))):
            with self.subTest(n=n, options=options):
                ledger = self.make(n, self.path(str(n)), *options)
                text = self.export(ledger)
                lines = text.splitlines()
                self.assertEqual(signed(lines[:-1]), text)
                self.assertEqual(lines[0], "nqueens ledger export 1")
                shown = self.shown(ledger)
                shown.update(recorded=shown["units_done"])
                self.assertEqual(lines[1:9], [f"{name} {shown[name]}" for name in HEAD])
                self.assertEqual(lines[9], "unit weight solutions work kernel")
                units = [line.split(" ") for line in lines[FIRST_UNIT:-1]]
                self.assertEqual([(int(u[0]), int(u[2]), int(u[3]), u[4]) for u in units],
                                 [row[:4] for row in rows(ledger, "unit")])
                self.assertEqual(sum(int(u[1]) * int(u[2]) for u in units), TOTALS[n])

    @unittest.skipIf(shutil.which("bc") is None, "no bc")
    def test_with_standard_tools(self):
        """The calls that docs/ledger.md shows."""
        with open(os.path.join(SOURCE, "docs", "ledger.md"), encoding="utf-8") as stream:
            checksum, total = re.findall(r"^    \$ ((?:head|awk) .*n8\.txt \|.*)$", stream.read(), re.M)
        for n in (8, 11):
            text = self.export(self.make(n, self.path(str(n)), *MANY_UNITS))
            write(self.path("n8.txt"), text.encode())
            result = call(["sh", "-c", checksum], cwd=self.folder)
            self.assertEqual(f"sha256 {result.stdout.split()[0]}", text.splitlines()[-1])
            result = call(["sh", "-c", total], cwd=self.folder)
            self.assertEqual(result.stdout, f"{TOTALS[n]}\n")

    def test_to_a_file(self):
        ledger, output = self.make(9, self.path()), self.path("export")
        for before in (None, b"old"):
            if before is not None:
                write(output, before)
                os.chmod(output, 0o640)
            self.assertEqual(self.export(ledger, "--output", output), "")
            self.assertEqual(content(output).decode(), self.export(ledger))
        self.assertEqual(stat.S_IMODE(os.stat(output).st_mode), 0o640)
        self.assertEqual(sorted(os.listdir(self.folder)), ["export", "ledger"])

    def test_incomplete(self):
        """A message says how much is in it."""
        ledger = self.make_part(10, self.path(), "1/2")
        shown = self.shown(ledger)
        result = run("ledger", "export", ledger)
        self.assertEqual(result.returncode, DONE)
        self.assert_one_message(result.stderr,
                                f"holds {shown['units_done']} of {shown['units']} units")
        quiet = run("ledger", "export", ledger, "--quiet")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (DONE, result.stdout, ""))
        found = self.verify(result.stdout)
        self.assertEqual((found.returncode, found.stderr), (DONE, ""))
        self.assertIn(f"{shown['units_done']} of {shown['units']} units", found.stdout)
        self.assertIn(f"{shown['solutions']} (so far", found.stdout)

    def test_without_units(self):
        ledger = self.make_part(6, self.path(), "12/12")
        text = self.export(ledger, "--quiet")
        self.assertEqual(len(text.splitlines()), FIRST_UNIT + 1)
        self.assertEqual(self.verify(text).returncode, DONE)

    def test_wrong_total(self):
        """It is written all the same, and the exit code tells."""
        ledger = self.make(10, self.path())
        falsify_unit(ledger)
        result = run("ledger", "export", ledger)
        self.assertEqual(result.returncode, WRONG)
        self.assert_one_message(result.stderr, str(TOTALS[10]))
        found = self.verify(result.stdout)
        self.assertEqual(found.returncode, WRONG)
        self.assertIn("(WRONG)", found.stdout)
        self.assert_one_message(found.stderr, str(TOTALS[10]))

    def test_odd_kernel(self):
        """A ledger from elsewhere may name any; the text stays one that can be read."""
        ledger = self.make(8, self.path())
        row = list(rows(ledger, "unit")[0][:-1])
        for kernel, shown in (("a b\n", "a?b?"), ("", "?"), ("é", "??")):
            row[3] = kernel
            with opened(ledger) as database:
                put(database, "unit", job_of(ledger), row)
            text = self.export(ledger)
            self.assertTrue(text.splitlines()[FIRST_UNIT].endswith(f" {shown}"), text)
            self.assertEqual(self.verify(text).returncode, DONE)

    def test_refused(self):
        ledger = self.make(8, self.path())
        self.assert_refused(["ledger", "export"], "expected one FILE")
        self.assert_refused(["ledger", "export", ledger, ledger], "expected one FILE")
        other = self.make(8, self.path("other"))
        for output in (ledger, other):
            before = content(output)
            self.assert_refused(["ledger", "export", ledger, "--output", output], "is a ledger")
            self.assertEqual(content(output), before)
        self.assert_refused(["ledger", "export", ledger, "--json"], "does not accept '--json'")
        self.assert_right(8, ledger)
        self.assert_fails(SYSTEM, run("ledger", "export", self.path("none")), "No such file")
        self.assert_fails(SYSTEM, through_shell('"$@" > /dev/full', "ledger", "export", ledger),
                          "No space left")
        self.assert_fails(SYSTEM, run("ledger", "export", ledger, "-o", self.path("no/export")),
                          "No such file")

    def test_damaged_or_other_ledger(self):
        ledger, output = self.make(10, self.path()), self.path("export")
        with opened(ledger) as database:
            database.execute("UPDATE unit SET host = 'x' WHERE id = (SELECT max(id) FROM unit)")
        self.assert_fails(SYSTEM, run("ledger", "export", ledger), "damaged")
        self.assert_fails(SYSTEM, run("ledger", "export", ledger, "-o", output), "damaged")
        other = self.make(8, self.path("other"))
        change_job(other, 4, 99)
        self.assert_fails(USAGE, run("ledger", "export", other), "version 99")


class Verify(ExportTest):
    def assert_damaged(self, text, line, *named, code=SYSTEM):
        """The message names the line; an import leaves no ledger."""
        name = f"line {line}:" if line else "not an export"
        self.assert_fails(code, self.verify(text), "/dev/stdin", name, *named)
        self.assert_fails(code, run("ledger", "import", "-", "-o", self.path("no"), stdin=text),
                          name, *named)
        self.assertFalse(os.path.exists(self.path("no")))

    def changed(self, lines, place, line):
        return signed([*lines[:place], *([line] if line is not None else []), *lines[place + 1:]])

    def test_json(self):
        text = self.export(self.make(12, self.path()))
        write(self.path("export"), text.encode())
        result = run("ledger", "verify", self.path("export"), "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        found, shown = json.loads(result.stdout), self.shown(self.path())
        self.assertEqual(found.pop("export"), self.path("export"))
        self.assertEqual(found.pop("unchecked"), [])
        self.assertEqual(found, {key: shown[key] for key in found})

    def test_head(self):
        lines = self.lines()
        for place, line, *named in (
                (0, "nqueens ledger export 2", "'2'", "knows format 1"),
                (0, "nqueens ledger export 01", "'01'"),
                (1, "n 29", "n '29'", "0 to 28"), (1, "n -1", "n '-1'"), (1, "n 8x", "'8x'"),
                (1, "n 08", "'08'"), (1, "n", "'n'", "expected 'n'"), (1, "n ", "n ''"),
                (1, "n 8 ", "'8 '"), (1, "m 8", "'m 8'", "expected 'n'"), (1, "n 8\r", "8"),
                (2, "method", "expected 'method'"), (2, "method a b", "'a b'"),
                (2, "method " + "x" * 16, "at most 15"), (3, "plan \x1b[31m", "\\x1b[31m"),
                (4, "plan_version 2147483648", "2147483647"), (5, "depth 29", "0 to 28"),
                (6, "units x", "'x'"), (6, "units 2147483648", "0 to 2147483647"),
                (6, "units 9223372036854775807", "0 to 2147483647"),
                (7, "recorded 999999", "'999999'"), (8, "solutions 18446744073709551616", "0 to"),
                (9, "unit weight", "expected 'unit weight solutions work kernel'"),
                (2, None, "expected 'method'")):
            with self.subTest(line=line):
                self.assert_damaged(self.changed(lines, place, line), place + 1, *named)

    def test_units(self):
        lines = self.lines(10, *MANY_UNITS)
        units = int(lines[6].split(" ")[1])
        last = len(lines)
        words = lines[FIRST_UNIT + 3].split(" ")
        for changes, *named in (
                ({0: str(units)}, f"unit {units}", f"has {units} units"), ({0: "2"}, "after unit 2"),
                ({0: "1"}, "unit 1 after unit 2"), ({0: "-3"}, "unit '-3'", "expected a whole number"),
                ({1: "77"}, "weight 77", f"its weight is {words[1]}"), ({1: "x"}, "weight 'x'"),
                ({2: "9223372036854775808"}, "solutions '9223372036854775808'",
                 "0 to 9223372036854775807"),
                ({2: "007"}, "solutions '007'"), ({2: ""}, "solutions ''"),
                ({2: "y" * 80}, f"solutions '{'y' * 60}'"), ({3: "1e3"}, "work '1e3'"),
                ({4: ""}, "kernel ''", "at most 64 characters"), ({4: "a b"}, "kernel 'a b'"),
                ({4: "x" * 65}, "kernel 'x"), ({4: "x" * 300}, "more than 255 bytes"),
                ({4: "x\0y"}, "NUL"), ({4: "é"}, "kernel 'é'")):
            with self.subTest(changes=changes):
                line = " ".join(changes.get(i, word) for i, word in enumerate(words))
                self.assert_damaged(self.changed(lines, FIRST_UNIT + 3, line), FIRST_UNIT + 4,
                                    *named)
        solutions = int(lines[8].split(" ")[1])
        words[2] = str(int(words[2]) + 1)
        changed = self.changed(lines, FIRST_UNIT + 3, " ".join(words))
        self.assert_damaged(changed, last + 1, f"add up to {solutions + int(words[1])}",
                            str(solutions))
        for order in ([5, 4], [4, 4]):
            swapped = [*lines[:14], *(lines[i + FIRST_UNIT] for i in order), *lines[16:]]
            self.assert_damaged(signed(swapped), FIRST_UNIT + 6, "unit 4 after unit")
        self.assert_damaged(signed(lines[:-1]), last, f"{units - 1} units", f"the {units} of")

    def test_overflow(self):
        """Sums that leave 64 bits are no sums: exit code 1, as for a count."""
        lines = self.lines(10)
        words = lines[FIRST_UNIT + 1].split(" ")
        words[2] = "9223372036854775807"
        self.assertGreater(int(words[1]), 2)
        self.assert_damaged(self.changed(lines, FIRST_UNIT + 1, " ".join(words)), FIRST_UNIT + 2,
                            "unit 1", "64 bits", code=WRONG)

    def test_checksum(self):
        lines = self.lines()
        text, last = signed(lines), len(lines) + 1
        wrong = text[:-2] + ("0" if text[-2] != "0" else "1") + "\n"
        self.assert_damaged(wrong, last, "the lines above have", text.splitlines()[-1])
        self.assert_damaged(text.replace(" avx", " AVX").replace(" scalar", " SCALAR"), last,
                            "the lines above have")
        self.assert_damaged(text + "\n", last + 1, "expected the end")
        self.assert_damaged(text + "x", last + 1, "cut short")
        self.assert_damaged(text.upper(), None)

    def test_cut_short(self):
        """Wherever it ends too early; the last byte, a line's end, counts as well."""
        text = signed(self.lines(8))
        for length in range(len(text)):
            result = self.verify(text[:length])
            self.assert_fails(SYSTEM, result, "/dev/stdin")
            self.assertRegex(result.stderr, "line|not an export")

    def test_every_changed_byte_is_found(self):
        text = signed(self.lines(6)).encode()
        for place in range(len(text)):
            damaged = bytearray(text)
            damaged[place] ^= 1 << place % 8
            write(self.path("damaged"), damaged)
            result = run("ledger", "verify", self.path("damaged"))
            self.assertIn(result.returncode, (SYSTEM, WRONG), damaged)
            self.assertEqual(result.stdout, "")

    def test_foreign(self):
        for text in ("", "\n", "x", "\0" * 1000, "x" * 100000, "n 8\n"):
            self.assert_damaged(text, None)
        ledger = self.make(8, self.path())
        self.assert_fails(SYSTEM, run("ledger", "verify", ledger), ledger, "not an export")
        self.assert_fails(SYSTEM, run("ledger", "verify", self.path("none")), "No such file")
        self.assert_fails(SYSTEM, run("ledger", "verify", self.folder), "Is a directory")
        self.assert_refused(["ledger", "verify"], "expected one EXPORT")

    def test_of_another_version(self):
        """Its weights and its total cannot be checked; the rest can."""
        lines = self.lines()
        lines[4] = "plan_version 99"
        for options in ((), ("--json",)):
            found = run("ledger", "verify", "-", *options, stdin=signed(lines))
            self.assertEqual(found.returncode, USAGE)
            self.assert_one_message(found.stderr, "/dev/stdin", "weights", "total", "not checked",
                                    "plan cross, version 99")
        self.assertEqual(json.loads(found.stdout)["unchecked"], ["weights", "total"])
        lines[3] = "plan diagonal"
        found = self.verify(signed(lines))
        self.assertEqual(found.returncode, USAGE)
        self.assertIn("plan diagonal", found.stdout)
        self.assertIn("not checked", found.stdout)
        lines[8] = "solutions 5"
        self.assert_damaged(signed(lines), len(lines) + 1, "expected the 5")

    def test_what_is_unchecked(self):
        """A total that nobody knows is no failure."""
        self.make_part(10, self.path("part"), "1/2")
        for ledger, unchecked in ((self.make(10, self.path("all")), []),
                                  (self.path("part"), ["total"])):
            text = self.export(ledger, "--quiet")
            result = run("ledger", "verify", "-", "--json", stdin=text)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            self.assertEqual(json.loads(result.stdout)["unchecked"], unchecked)

    def test_impossible_number_of_units(self):
        lines = self.lines()
        units = int(lines[6].split(" ")[1])
        lines[6] = f"units {units + 1}"
        self.assert_fails(SYSTEM, self.verify(signed(lines)), f"units {units + 1}", f"has {units}")


class Import(ExportTest):
    def imported(self, text, name="imported"):
        result = run("ledger", "import", "-", "--output", self.path(name), stdin=text)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return result.stdout

    def test_there_and_back(self):
        for n, options in ((2, ()), (11, MANY_UNITS), (12, ("--method", "join"))):
            with self.subTest(n=n):
                text = self.export(self.make(n, self.path(f"a{n}"), *options))
                self.assertIn("(verified)", self.imported(text, f"b{n}"))
                self.assertEqual(self.export(self.path(f"b{n}")), text)
                self.assert_right(n, self.path(f"b{n}"))

    def test_audit(self):
        """Each unit is given to another kernel than the one that the export names."""
        self.imported(self.export(self.make(11, self.path(), "--kernel", "scalar64")))
        result = run("ledger", "audit", "--sample", "100%", self.path("imported"))
        self.assertEqual(result.returncode, DONE)
        self.assertIn("all as recorded", result.stdout)
        falsify_unit(self.path("imported"))
        self.assertEqual(run("ledger", "audit", "--sample", "100%",
                             self.path("imported")).returncode, WRONG)

    def test_continued_and_merged(self):
        for i in (1, 2):
            self.make_part(11, self.path(str(i)), f"{i}/2")
            self.imported(self.export(self.path(str(i)), "--quiet"), f"from {i}")
        shown = self.shown(self.path("from 1"))
        self.assertEqual((shown["runs"], shown["seconds"], shown["remaining"]), (0, 0, None))
        self.assertEqual([host["name"] for host in shown["hosts"]], ["(imported)"])
        result = run("ledger", "merge", *map(self.path, ("1", "from 1", "from 2")), "--output",
                     self.path("all"))
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assert_right(11, self.path("all"))
        self.assert_right(11, self.path("from 2"))

    def test_wrong_total(self):
        """The ledger is written, so that an audit can find the wrong unit."""
        falsify_unit(self.make(10, self.path()))
        text = run("ledger", "export", self.path()).stdout
        result = run("ledger", "import", "-", "-o", self.path("imported"), stdin=text)
        self.assertEqual(result.returncode, WRONG)
        self.assert_one_message(result.stderr, str(TOTALS[10]))
        self.assertIn("WRONG", result.stdout)

    def test_refused(self):
        text = self.export(self.make(8, self.path()))
        self.assert_refused(["ledger", "import", "-"], "--output")
        self.assert_refused(["ledger", "import", "-o", "x"], "expected one EXPORT")
        result = run("ledger", "import", "-", "-o", self.path(), stdin=text)
        self.assert_fails(SYSTEM, result, self.path(), "already exists")
        result = run("ledger", "import", "-", "-o", self.path("none/x"), stdin=text)
        self.assert_fails(SYSTEM, result, self.path("none/x"))
        self.assert_right(8, self.path())

    def test_of_another_version(self):
        lines = self.lines()
        lines[4] = "plan_version 99"
        self.imported(signed(lines))
        self.assertFalse(self.shown(self.path("imported"))["current"])

    def test_many_units(self):
        """More than the buffers hold, through pipes, of a version that has so many."""
        count, lines = 20000, self.lines()
        lines[4:9] = ["plan_version 99", "depth 0", f"units {2 * count}", f"recorded {count}",
                      f"solutions {sum(8 * i for i in range(count))}"]
        lines[FIRST_UNIT:] = [f"{2 * i} 8 {i} {i * i} some-kernel" for i in range(count)]
        text = signed(lines)
        self.assertGreater(len(text), 1 << 18)
        self.imported(text)
        self.assertEqual([row[:4] for row in rows(self.path("imported"), "unit")],
                         [(2 * i, i, i * i, "some-kernel") for i in range(count)])

    def test_through_pipes(self):
        ledger = self.make(16, self.path(), *MANY_UNITS)
        result = call(["sh", "-c", '"$1" ledger export "$2" | "$1" ledger verify -', "sh", PROGRAM,
                       ledger])
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertIn(f"{TOTALS[16]} (verified)", result.stdout)
