"""scripts/plot.py: pictures of the files that `bench --output` writes, and of published figures.

Skipped if no Python has Matplotlib, which only this script needs."""
import json
import os
import re
import unittest
import xml.etree.ElementTree as xml

from program import DONE, SOURCE, SYSTEM, USAGE, FolderTest, call, content, read, run, write

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


class Plot(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.python = python_that_plots()
        if cls.python is None:
            raise unittest.SkipTest("no Python here has Matplotlib")

    def measured(self, suite, n, **how):
        """Runs a bench and returns its file."""
        file = self.path(f"{suite}-{n}.json")
        result = run("bench", suite, str(n), "--quiet", "--repeat", "2", "-o", file, **how)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return file

    def plot(self, *arguments, name="picture", **env):
        # Matplotlib would warn of a home that is not writable.
        return call([self.python, "-B", SCRIPT, *arguments, "--output", self.path(name)],
                    env={"MPLCONFIGDIR": self.folder, **env})

    def assert_drawn(self, words, *arguments):
        """An SVG and a PNG file are written. Matplotlib writes each text of an SVG picture as outlines, and as
        a comment beside them: each of these words, which are patterns, is one."""
        self.assertEqual(self.plot(*arguments), (DONE, "", ""))
        png = content(self.path("picture.png"))
        self.assertEqual((png[:8], png[-8:-4]), (b"\x89PNG\r\n\x1a\n", b"IEND"))
        self.assertTrue(xml.parse(self.path("picture.svg")).getroot().tag.endswith("}svg"))
        text = read(self.path("picture.svg"))
        for word in words:
            self.assertRegex(text, rf"<!-- {word} -->")
        return text

    def assert_failed(self, code, result, named):
        self.assertEqual(result[:2], (code, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertIn(named, result.stderr.splitlines()[-1])
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("picture")])

    def test_scaling(self):
        env = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:2"}
        self.assert_drawn(["threads", "ideal", *(f"n = 8, {series}:" for series in (
            "spread", "compact", "smt-spread", "smt-compact"))], self.measured("scaling", 8, env=env))

    def test_one_size(self):
        """The same on every call: a picture under version control changes only with its figures."""
        for suite, bars in (("kernels", ["scalar64"]), ("methods", ["search", "colours"])):
            file = self.measured(suite, 10)
            text = self.assert_drawn(["seconds", *bars, "n = 10: .* (takes|times as fast as|overlap).*"], file)
            self.assertEqual(text, self.assert_drawn([], file))

    def test_several_sizes(self):
        files = [self.measured("methods", n) for n in (8, 9, 10)]
        self.assert_drawn([r"nanoseconds per solution \(log scale\)", "textbook, 1 thread", "search", "colours"],
                          *files)
        text = self.assert_drawn(["A board one larger takes .* times as long"], *files, "--growth")
        self.assertEqual(text.count("<!-- x "), 2)  # from each board to the next

    def test_published(self):
        self.assert_drawn([r"seconds \(log scale\)", "textbook recursion", "nqueens, AVX-512"], AGAINST)

    def test_every_published_figure_is_in_its_source(self):
        for series in json.loads(read(AGAINST), parse_float=str, parse_int=str)["series"]:
            for point in series["points"]:
                text = read(os.path.join(SOURCE, point["source"])).replace(",", "")
                # 0.0070 and 0.932 (0.921 ...), but not the 31 of 314
                self.assertRegex(text, rf"(?<![\d.]){re.escape(point['seconds'])}(?![\d]|\.\d)")

    def test_refused(self):
        document, bad = json.loads(read(AGAINST)), self.path("bad.json")
        document["series"][0]["points"][0]["seconds"] = "x"
        for text in ("", "[]", "{}", '{"context": {"command": "plans"}, "benchmarks": []}',
                     json.dumps(document)):
            write(bad, text)
            self.assert_failed(USAGE, self.plot(bad), "bad.json")
        file, other = self.measured("methods", 8), self.measured("plans", 8)
        self.assert_failed(SYSTEM, self.plot(self.path("none.json")), "none.json")
        self.assert_failed(SYSTEM, self.plot(file, name="none/picture"), "none/picture.svg")
        self.assert_failed(USAGE, self.plot(file, other), "methods, plans")
        self.assert_failed(USAGE, self.plot(), "")

    def test_without_matplotlib(self):
        write(self.path("matplotlib.py"), "raise ModuleNotFoundError(name='matplotlib')\n")
        self.assertEqual(self.plot("--help", PYTHONPATH=self.folder).returncode, DONE)
        self.assert_failed(SYSTEM, self.plot(AGAINST, PYTHONPATH=self.folder), "matplotlib")
