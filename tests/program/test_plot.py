"""scripts/plot.py: pictures of the files that `bench --output` writes, and of published figures.

Skipped if no Python has Matplotlib, which only this script needs."""
import json
import os
import re
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import DONE, SOURCE, SYSTEM, USAGE, ProgramTest, call, run

SCRIPT = os.path.join(SOURCE, "scripts", "plot.py")
AGAINST = os.path.join(SOURCE, "results", "json", "against.json")


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

    def measured(self, suite, n, *options, **how):
        """Runs a bench and returns its file."""
        file = self.path(f"{suite}-{n}.json")
        result = run("bench", suite, str(n), "--quiet", "--repeat", "2", "-o", file, *options, **how)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return file

    def written(self, name, document):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(document if isinstance(document, str) else json.dumps(document))
        return self.path(name)

    def plot(self, *arguments, env=None):
        # Matplotlib would warn of a home that is not writable.
        return call([self.python, "-B", SCRIPT, *arguments], env={"MPLCONFIGDIR": self.folder, **(env or {})})

    def assert_drawn(self, words, *arguments):
        """An SVG and a PNG file are written. Matplotlib writes each text of an SVG picture as outlines, and as a
        comment beside them: each of these words, which are patterns, is one."""
        result = self.plot(*arguments, "--output", self.path("picture"))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, "", ""))
        with open(self.path("picture.png"), "rb") as file:
            png = file.read()
        self.assertEqual((png[:8], png[-8:-4]), (b"\x89PNG\r\n\x1a\n", b"IEND"))
        self.assertTrue(xml.parse(self.path("picture.svg")).getroot().tag.endswith("}svg"))
        with open(self.path("picture.svg"), encoding="utf-8") as file:
            text = file.read()
        for word in words:
            self.assertRegex(text, rf"<!-- {word} -->")
        return text

    def assert_failed(self, code, result, *named):
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        last = result.stderr.splitlines()[-1]
        for word in named:
            self.assertIn(word, last)


class Pictures(PlotTest):
    def test_scaling(self):
        env = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:2"}
        self.assert_drawn(["threads", "ideal", *(f"n = 8, {series}:" for series in (
            "spread", "compact", "smt-spread", "smt-compact"))], self.measured("scaling", 8, env=env))

    def test_one_size(self):
        """The same on every call: a picture under version control changes only with its figures."""
        for suite, bars in (("kernels", ["scalar64"]), ("methods", ["search", "join"])):
            file = self.measured(suite, 10)
            text = self.assert_drawn(["seconds", *bars, "n = 10: .* (takes|times as fast as) .*"], file)
            self.assertEqual(text, self.assert_drawn([], file))

    def test_several_sizes(self):
        files = [self.measured("methods", n) for n in (8, 9, 10)]
        self.assert_drawn([r"nanoseconds per solution \(log scale\)", "textbook, 1 thread", "search", "join"], *files)
        text = self.assert_drawn(["A board one larger takes .* times as long"], *files, "--growth")
        self.assertEqual(text.count("<!-- x "), 2)  # from each board to the next

    def test_published(self):
        self.assert_drawn([r"seconds \(log scale\)", "textbook recursion", "nqueens, AVX-512"], AGAINST)


class Published(PlotTest):
    def test_every_figure_is_in_its_source(self):
        with open(AGAINST, encoding="utf-8") as stream:
            document = json.load(stream, parse_float=str, parse_int=str)
        for series in document["series"]:
            for point in series["points"]:
                with open(os.path.join(SOURCE, point["source"]), encoding="utf-8") as stream:
                    text = stream.read().replace(",", "")
                # 0.0070 and 0.932 (0.921 ...), but not the 31 of 314
                self.assertRegex(text, rf"(?<![\d.]){re.escape(point['seconds'])}(?![\d]|\.\d)")


class Refused(PlotTest):
    def test_no_measurements(self):
        with open(AGAINST, encoding="utf-8") as stream:
            document = json.load(stream)
        document["series"][0]["points"][0]["seconds"] = "x"
        for text in ("", "no JSON", "[]", "{}", '{"context": {"command": "plans"}, "benchmarks": []}', document):
            result = self.plot(self.written("bad.json", text), "--output", self.path("refused"))
            self.assert_failed(USAGE, result, "bad.json")

    def test_files(self):
        file = self.measured("methods", 8)
        for arguments, code, named in (
                ([self.path("none.json"), "--output", self.path("refused")], SYSTEM, "none.json"),
                ([file, "--output", self.path("none/picture")], SYSTEM, "none/picture.svg"),
                ([file, self.measured("plans", 8), "--output", self.path("refused")], USAGE, "methods, plans"),
                ([file], USAGE, "--output"), (["--output", self.path("refused")], USAGE, "")):
            self.assert_failed(code, self.plot(*arguments), named)
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("refused")])

    def test_without_matplotlib(self):
        os.mkdir(self.path("hidden"))
        self.written("hidden/matplotlib.py", "raise ModuleNotFoundError(name='matplotlib')\n")
        env = {"PYTHONPATH": self.path("hidden")}
        self.assertEqual(self.plot("--help", env=env).returncode, DONE)
        self.assert_failed(SYSTEM, self.plot(AGAINST, "--output", self.path("refused"), env=env), "matplotlib")
