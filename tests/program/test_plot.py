"""scripts/plot.py: pictures of the files that `bench --output` writes, and of published figures.

Skipped if no Python has Matplotlib, which only this script needs."""
import json
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import DONE, SOURCE, SYSTEM, USAGE, ProgramTest, call, environment, run

SCRIPT = os.path.join(SOURCE, "scripts", "plot.py")
FORKED = os.path.join(os.path.dirname(__file__), "forked.py")
MEASURED = os.path.join(SOURCE, "results", "json")
AGAINST = os.path.join(MEASURED, "against.json")
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
        # Matplotlib would warn of a home that is not writable.
        cls.env = {"MPLCONFIGDIR": cls.folder}
        cls.forked = subprocess.Popen([cls.python, "-B", FORKED, SCRIPT], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, env=environment(cls.env), text=True)
        cls.addClassCleanup(cls.forked.communicate)

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
        """A call of the script, by forked.py, to save time."""
        self.forked.stdin.write(json.dumps(arguments) + "\n")
        self.forked.stdin.flush()
        return subprocess.CompletedProcess(arguments, *json.loads(self.forked.stdout.readline()))

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
        for word in ("threads", "times as fast as one thread", "n = 10, spread:", "ideal"):
            self.assertIn(f"<!-- {word} -->", text)

    def test_scaling_on_a_large_machine(self):
        file = self.path("large.json")
        env = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:2"}
        self.assertEqual(run("bench", "scaling", "8", "-q", "--repeat", "2", "-o", file,
                             env=env).returncode, DONE)
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        document["context"]["serial_share"] = 0.25  # so small a board may gain nothing
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(document, stream)
        text = self.assert_drawn(file)
        for series in ("spread", "compact", "smt-spread", "smt-compact"):
            self.assertIn(f"<!-- n = 8, {series}: -->", text)
        self.assertRegex(text, r"<!-- Amdahl's law, -->")
        self.assertRegex(text, r"<!-- n = 8 on \d+ threads: \S+ times as fast as on 1 -->|"
                               r"<!-- The time on one thread -->")

    def test_one_size(self):
        for suite, bars in (("kernels", ["scalar64"]),
                            ("plans", ["cross", "rows 2", "rows 3"]),
                            ("methods", ["search", "join"])):
            with self.subTest(suite=suite):
                text = self.assert_drawn(self.measured(suite, 10))
                for word in ("seconds", *bars):
                    self.assertIn(f"<!-- {word} -->", text)
                self.assertRegex(text, "<!-- n = 10: .* (takes|times as fast as) ")

    def test_growth(self):
        files = [self.measured("methods", n) for n in (8, 9, 10)]
        text = self.assert_drawn(*files, "--growth")
        self.assertRegex(text, "<!-- A board one larger takes .* times as long -->")
        self.assertIn("<!-- seconds (log scale) -->", text)
        self.assertEqual(text.count("<!-- x "), 2)  # from each board to the next

    def test_the_same_on_every_call(self):
        """A picture under version control changes only with its figures."""
        file = self.measured("methods", 9)
        self.assertEqual(self.assert_drawn(file), self.assert_drawn(file))


class Published(PlotTest):
    """results/json/against.json: figures of the result files, as series."""

    def test_as_users_call_it(self):
        for arguments, code in (([AGAINST, "--output", self.path("called")], DONE),
                                (["none.json", "--output", self.path("none")], SYSTEM)):
            result = call([self.python, "-B", SCRIPT, *arguments], env=self.env)
            forked = self.plot(*arguments)
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (code, forked.stdout, forked.stderr))

    def test_every_figure_is_in_its_source(self):
        with open(AGAINST, encoding="utf-8") as stream:
            document = json.load(stream, parse_float=str, parse_int=str)
        for series in document["series"]:
            for point in series["points"]:
                with open(os.path.join(SOURCE, point["source"]), encoding="utf-8") as stream:
                    text = stream.read().replace(",", "")
                # 0.0070 and 0.932 (0.921 ...), but not the 31 of 314
                self.assertRegex(text, rf"(?<![\d.]){re.escape(point['seconds'])}(?![\d]|\.\d)")

    def test_refused(self):
        good = {"title": "t", "subtitle": "s", "caption": "c",
                "series": [{"label": "a", "machine": "m", "points": [
                    {"n": 8, "seconds": 1, "sample": False, "source": "here"}]}]}
        self.assert_drawn(self.written("good.json", json.dumps(good)))
        for broken in ({"seconds": 0}, {"seconds": "x"}, {"n": None}, {"sample": 5}):
            bad = json.loads(json.dumps(good))
            bad["series"][0]["points"][0].update(broken)
            with self.subTest(broken=broken):
                file = self.written("broken.json", json.dumps(bad))
                result = self.plot(file, "--output", self.path("refused"))
                self.assert_failed(USAGE, result, "broken.json")
        result = self.plot(AGAINST, AGAINST, "--output", self.path("refused"))
        self.assertEqual((result.returncode, result.stdout), (USAGE, ""))


class Refused(PlotTest):
    def test_no_measurements(self):
        for text in ("", "no JSON", "[]", "{}", '{"context": {}, "benchmarks": []}',
                     '{"context": {"command": "plans"}, "benchmarks": []}', "\x00"):
            with self.subTest(text=text):
                file = self.written("bad.json", text)
                result = self.plot(file, "--output", self.path("refused"))
                self.assert_failed(USAGE, result, "bad.json", "bench")

    def test_without_matplotlib(self):
        folder = self.path("hidden")
        os.mkdir(folder)
        with open(os.path.join(folder, "matplotlib.py"), "w") as file:
            file.write("raise ModuleNotFoundError(name='matplotlib')\n")
        for arguments, code in ((["--help"], DONE), (["none.json", "--output", "x"], SYSTEM)):
            result = call([self.python, "-B", SCRIPT, *arguments], env={"PYTHONPATH": folder})
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertNotIn("matplotlib", result.stderr)
        result = call([self.python, "-B", SCRIPT, AGAINST, "--output", self.path("refused")],
                      env={"PYTHONPATH": folder})
        self.assert_failed(SYSTEM, result, "matplotlib")

    def test_missing(self):
        result = self.plot(self.path("none.json"), "--output", self.path("refused"))
        self.assert_failed(SYSTEM, result, "none.json")

    def test_unwritable(self):
        result = self.plot(self.measured("methods", 8), "--output", self.path("none/picture"))
        self.assert_failed(SYSTEM, result, "none/picture.svg")

    def test_usage(self):
        file = self.measured("methods", 8)
        for arguments in ([file], ["--output", self.path("refused")], []):
            with self.subTest(arguments=arguments):
                result = self.plot(*arguments)
                self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
