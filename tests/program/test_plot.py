"""scripts/plot.py: pictures of the files that `bench --output` writes.

Skipped if no Python has Matplotlib, which only this script needs."""
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import DONE, SOURCE, SYSTEM, USAGE, ProgramTest, call, run

SCRIPT = os.path.join(SOURCE, "scripts", "plot.py")
PNG = b"\x89PNG\r\n\x1a\n"


def python_that_plots():
    """The Python that scripts/plot would find; None: there is none."""
    for python in ("python3", "/usr/bin/python3"):
        try:
            if call([python, "-c", "import matplotlib"]).returncode == 0:
                return python
        except FileNotFoundError:
            pass
    return None


class PlotTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.python = python_that_plots()
        if cls.python is None:
            raise unittest.SkipTest("no Python here has Matplotlib")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def measured(self, suite, n, *options):
        """Runs a bench and returns its file."""
        file = self.path(f"{suite}-{n}.json")
        result = run("bench", suite, str(n), "--quiet", "--repeat", "2", "-o", file, *options)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return file

    def written(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def plot(self, *arguments):
        # Matplotlib would warn of a home that is not writable.
        return call([self.python, "-B", SCRIPT, *arguments], env={"MPLCONFIGDIR": self.folder})

    def assert_drawn(self, *arguments, name="picture"):
        """Both files are written. Returns the content of the SVG file."""
        files = [self.path(name + end) for end in (".svg", ".png")]
        for file in files:
            if os.path.exists(file):
                os.remove(file)
        result = self.plot(*arguments, "--output", self.path(name))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, "", ""))
        with open(files[1], "rb") as file:
            png = file.read()
        self.assertEqual((png[:8], png[12:16], png[-8:-4]), (PNG, b"IHDR", b"IEND"))
        self.assertTrue(xml.parse(files[0]).getroot().tag.endswith("}svg"))
        with open(files[0], encoding="utf-8") as file:
            return file.read()

    def assert_failed(self, code, result, *named):
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        last = result.stderr.splitlines()[-1]
        self.assertRegex(last, r"\Aplot: .")
        for word in named:
            self.assertIn(word, last)


class Pictures(PlotTest):
    """Matplotlib writes each text of an SVG picture as outlines, and as a comment beside them."""

    def test_scaling(self):
        text = self.assert_drawn(self.measured("scaling", 10))
        for word in ("Speedup by threads", "n = 10, spread", "ideal"):
            self.assertIn(f"<!-- {word} -->", text)

    def test_scaling_on_a_large_machine(self):
        file = self.path("large.json")
        env = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:2"}
        self.assertEqual(run("bench", "scaling", "8", "-q", "--repeat", "2", "-o", file,
                             env=env).returncode, DONE)
        text = self.assert_drawn(file)
        for series in ("spread", "compact", "smt-spread", "smt-compact"):
            self.assertIn(f"<!-- n = 8, {series} -->", text)
        self.assertRegex(text, r"<!-- Amdahl, \S+ % serial -->")

    def test_scaling_by_one_number_of_threads(self):
        self.assert_drawn(self.measured("scaling", 9, "-t", "1"))

    def test_scaling_of_several_sizes(self):
        text = self.assert_drawn(*(self.measured("scaling", n, "-t", "1") for n in (8, 9, 10)))
        for n in (8, 9, 10):
            self.assertIn(f"<!-- n = {n}, spread -->", text)

    def test_one_size(self):
        for suite, title, bars in (("kernels", "Kernels", ["scalar64"]),
                                   ("plans", "Plans", ["cross", "rows 2", "rows 3"]),
                                   ("methods", "Methods", ["search", "join"])):
            with self.subTest(suite=suite):
                text = self.assert_drawn(self.measured(suite, 10))
                for word in (title, "seconds for n = 10, median", *bars):
                    self.assertIn(f"<!-- {word} -->", text)

    def test_several_sizes(self):
        for suite, lines in (("kernels", ["scalar64"]), ("methods", ["search", "join"])):
            with self.subTest(suite=suite):
                text = self.assert_drawn(*(self.measured(suite, n) for n in (10, 8, 9)))
                for word in ("nanoseconds per solution, median", "textbook, one thread", *lines):
                    self.assertIn(f"<!-- {word} -->", text)

    def test_versus(self):
        peer = ("--peer", "test {n} && echo 724")
        self.assertIn("<!-- Programs -->", self.assert_drawn(self.measured("versus", 10, *peer)))

    def test_growth(self):
        files = [self.measured("methods", n) for n in (8, 9, 10)]
        text = self.assert_drawn(*files, "--growth")
        self.assertIn("<!-- Time by board -->", text)
        self.assertRegex(text, r"<!-- seconds, \d+ threads, median -->")
        self.assertEqual(text.count("<!-- x "), 2)  # from each board to the next

    def test_title(self):
        text = self.assert_drawn(self.measured("methods", 9), "--title", "Ways & <means>")
        self.assertIn("<!-- Ways &amp; &lt;means&gt; -->", text)
        self.assertNotIn("<!-- Methods -->", text)

    def test_machine_and_date(self):
        file = self.measured("methods", 9)
        with open(file) as stream:
            context = json.load(stream)["context"]
        self.assertIn(f"{context['topology']['cores']} cores, {context['build'].split(',')[0]}, "
                      f"{context['date'][:10]}", self.assert_drawn(file))

    def test_the_same_on_every_call(self):
        """A picture under version control changes only with its figures."""
        file = self.measured("methods", 9)
        self.assertEqual(self.assert_drawn(file), self.assert_drawn(file))

    def test_name_with_an_end(self):
        file = self.measured("methods", 9)
        for end in (".svg", ".png"):
            with self.subTest(end=end):
                result = self.plot(file, "--output", self.path(f"named{end[1:]}{end}"))
                self.assertEqual((result.returncode, result.stderr), (DONE, ""))
                for written in (".svg", ".png"):
                    self.assertTrue(os.path.exists(self.path(f"named{end[1:]}{written}")))

    def test_boards_without_solutions(self):
        """There is no cost per solution."""
        result = self.plot(self.measured("methods", 2), "--output", self.path("none"))
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assert_drawn(*(self.measured("methods", n) for n in (3, 4, 5)))

    def test_versus_with_dollars(self):
        peer = ("--peer", "b=724; test {n} && echo $a_$b 724")
        self.assert_drawn(self.measured("versus", 10, *peer))

    def test_growth_by_many_labels(self):
        files = [self.measured("scaling", n, "-t", "1") for n in range(3, 12)]
        self.assert_drawn(*files, "--growth")

    def test_unknown_suite(self):
        with open(self.measured("methods", 8)) as file:
            document = json.load(file)
        document["context"]["command"] = "nope"
        file = self.written("nope.json", json.dumps(document))
        result = self.plot(file, "--output", self.path("nope"))
        self.assertEqual((result.returncode, result.stdout), (USAGE, ""))


class Refused(PlotTest):
    def test_no_measurements(self):
        for text in ("", "no JSON", "[]", "{}", '{"context": {}, "benchmarks": []}',
                     '{"context": {"command": "plans"}, "benchmarks": []}', "\x00"):
            with self.subTest(text=text):
                file = self.written("bad.json", text)
                result = self.plot(file, "--output", self.path("refused"))
                self.assert_failed(USAGE, result, "bad.json", "bench")

    def test_missing(self):
        result = self.plot(self.path("none.json"), "--output", self.path("refused"))
        self.assert_failed(SYSTEM, result, "none.json")

    def test_files_of_several_suites(self):
        result = self.plot(self.measured("methods", 8), self.measured("plans", 8), "--output",
                           self.path("refused"))
        self.assert_failed(USAGE, result, "methods, plans")

    def test_unwritable(self):
        result = self.plot(self.measured("methods", 8), "--output", self.path("none/picture"))
        self.assert_failed(SYSTEM, result, "none/picture.svg")

    def test_nothing_is_written_then(self):
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("refused")])

    def test_usage(self):
        file = self.measured("methods", 8)
        for arguments in ([file], ["--output", self.path("refused")], []):
            with self.subTest(arguments=arguments):
                result = self.plot(*arguments)
                self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
