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
PLOTTED = os.path.join(os.path.dirname(__file__), "plotted.py")
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

    def test_scaling_by_one_number_of_threads(self):
        self.assert_drawn(self.measured("scaling", 9, "-t", "1"))

    def test_scaling_of_several_sizes(self):
        text = self.assert_drawn(*(self.measured("scaling", n, "-t", "1") for n in (8, 9, 10)))
        for n in (8, 9, 10):
            self.assertIn(f"<!-- n = {n}, spread: -->", text)

    def test_one_size(self):
        for suite, bars in (("kernels", ["scalar64"]),
                            ("plans", ["cross", "rows 2", "rows 3"]),
                            ("methods", ["search", "join"])):
            with self.subTest(suite=suite):
                text = self.assert_drawn(self.measured(suite, 10))
                for word in ("seconds", *bars):
                    self.assertIn(f"<!-- {word} -->", text)
                self.assertRegex(text, "<!-- n = 10: .* (takes|times as fast as) ")

    def test_several_sizes(self):
        for suite, lines in (("kernels", ["scalar64"]), ("methods", ["textbook, 1 thread", "search", "join"])):
            with self.subTest(suite=suite):
                text = self.assert_drawn(*(self.measured(suite, n) for n in (10, 8, 9)))
                for word in ("n (rows of the board)", "nanoseconds per solution (log scale)", *lines):
                    self.assertIn(f"<!-- {word} -->", text)

    def test_growth(self):
        files = [self.measured("methods", n) for n in (8, 9, 10)]
        text = self.assert_drawn(*files, "--growth")
        self.assertRegex(text, "<!-- A board one larger takes .* times as long -->")
        self.assertIn("<!-- seconds (log scale) -->", text)
        self.assertEqual(text.count("<!-- x "), 2)  # from each board to the next

    def test_title(self):
        text = self.assert_drawn(self.measured("methods", 9), "--title", "Ways & <means>")
        self.assertIn("<!-- Ways &amp; &lt;means&gt; -->", text)
        self.assertNotIn("times as fast as", text)

    def test_machine_and_date(self):
        file = self.measured("methods", 9)
        with open(file) as stream:
            context = json.load(stream)["context"]
        text = " ".join(re.findall("<!-- (.*?) -->", self.assert_drawn(file)))
        cores = context["topology"]["cores"]
        self.assertIn(f"{cores} core{'' if cores == 1 else 's'}, "
                      f"{context['build'].split(',')[0]}, {context['date'][:10]}", text)

    def test_units_in_the_singular(self):
        file = self.measured("scaling", 9, "-t", "1")
        with open(file) as stream:
            document = json.load(stream)
        document["context"]["topology"]["cores"] = 1
        for entry in document["benchmarks"]:
            entry["repetitions"] = 1
        text = self.assert_drawn(self.written("one.json", json.dumps(document)))
        for word in ("1 thread", "1 core", "1 run"):
            self.assertRegex(text, rf"\b{word}\b")
            self.assertNotIn(word + "s", text)

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


class Frame(PlotTest):
    """All texts and marks lie where they can be read, and all axes have numbers."""

    def plotted(self, *calls):
        """Where everything lies in the pictures that plot.py draws with these arguments."""
        calls = [[*arguments, "--output", self.path("unwritten")] for arguments in calls]
        result = call([self.python, "-B", PLOTTED, SCRIPT], stdin=json.dumps(calls),
                      env=self.env)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        for arguments, plotted in zip(calls, json.loads(result.stdout), strict=True):
            with self.subTest(arguments=arguments):
                self.assert_readable(plotted)
                yield plotted

    def assert_readable(self, plotted):
        for text, box in plotted["texts"]:
            self.assert_inside(box, plotted["picture"], text)
        for what, box in plotted["marks"]:
            self.assert_inside(box, plotted["axes"], what)
        texts = plotted["texts"]
        for i, (text, box) in enumerate(texts):
            for other, other_box in texts[:i]:
                self.assertTrue(box[2] <= other_box[0] or other_box[2] <= box[0] or
                                box[3] <= other_box[1] or other_box[3] <= box[1],
                                f"{text!r} overlaps {other!r}")
        for axis in ("x", "y"):
            self.assertTrue(plotted[axis]["ticks"] and all(plotted[axis]["ticks"]), axis)

    def assert_inside(self, box, frame, what):
        slack = 0.5  # pixels
        self.assertTrue(frame[0] - slack <= box[0] and frame[1] - slack <= box[1] and
                        box[2] <= frame[2] + slack and box[3] <= frame[3] + slack,
                        f"{what!r}: {box} is not within {frame}")

    def assert_numbers(self, axis, least=2):
        self.assertTrue(axis["label"])
        self.assertGreaterEqual(len(axis["ticks"]), least)
        for tick in axis["ticks"]:
            self.assertRegex(tick, r"\A[\d.,]+\Z")

    def kept(self, suite, *sizes):
        return [os.path.join(MEASURED, f"{suite}-{n}.json") for n in sizes]

    def test_growth(self):
        calls = [[*self.kept("methods", *sizes), "--growth"]
                 for sizes in ((14, 15), (16, 17), (14, 15, 16, 17, 18))]
        for plotted in self.plotted(*calls):
            self.assert_numbers(plotted["x"])
            self.assert_numbers(plotted["y"])
        for plotted in self.plotted([*self.kept("methods", 16), "--growth"]):
            self.assertEqual(plotted["x"]["ticks"], ["16"])
            self.assert_numbers(plotted["y"])

    def test_costs(self):
        for plotted in self.plotted(*(self.kept("methods", *sizes)
                                      for sizes in ((16, 17), (14, 15, 16, 17, 18)))):
            self.assert_numbers(plotted["x"])
            self.assert_numbers(plotted["y"])

    def test_bars(self):
        for plotted in self.plotted(self.kept("methods", 14), self.kept("methods", 16),
                                    self.kept("kernels", 17)):
            self.assert_numbers(plotted["x"])

    def test_scaling(self):
        for plotted in self.plotted(self.kept("scaling", 17), self.kept("scaling", 17, 18)):
            self.assertEqual(plotted["x"]["ticks"], ["1", "2"])
            self.assert_numbers(plotted["y"])

    def test_scaling_on_a_large_machine(self):
        file = self.path("large.json")
        env = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:4 pu:2"}
        self.assertEqual(run("bench", "scaling", "8", "-q", "--repeat", "2", "-o", file,
                             env=env).returncode, DONE)
        for plotted in self.plotted([file]):
            self.assert_numbers(plotted["x"])
            self.assert_numbers(plotted["y"])

    def test_what_was_just_measured(self):
        """Short runs differ much, so their bars are long."""
        files = [self.measured("plans", n) for n in (7, 8, 9)]
        list(self.plotted(files, [*files, "--growth"], [*files, "--title", "many words " * 20]))

    def test_published(self):
        for plotted in self.plotted([AGAINST]):
            self.assert_numbers(plotted["x"], 5)
            self.assert_numbers(plotted["y"], 5)


class Published(PlotTest):
    """results/json/against.json: figures of the result files, as series."""

    def test_as_users_call_it(self):
        for arguments, code in (([AGAINST, "--output", self.path("called")], DONE),
                                (["none.json", "--output", self.path("none")], SYSTEM)):
            result = call([self.python, "-B", SCRIPT, *arguments], env=self.env)
            forked = self.plot(*arguments)
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (code, forked.stdout, forked.stderr))

    def test_series(self):
        text = self.assert_drawn(AGAINST)
        for word in ("seconds (log scale)", "textbook recursion", "nqueens, AVX-512"):
            self.assertIn(f"<!-- {word} -->", text)

    def test_every_figure_is_in_its_source(self):
        with open(AGAINST, encoding="utf-8") as stream:
            document = json.load(stream, parse_float=str, parse_int=str)
        for series in document["series"]:
            for point in series["points"]:
                with open(os.path.join(SOURCE, point["source"]), encoding="utf-8") as stream:
                    text = stream.read().replace(",", "")
                # 0.0070 and 0.932 (0.921 ...), but not the 31 of 314
                self.assertRegex(text, rf"(?<![\d.]){re.escape(point['seconds'])}(?![\d]|\.\d)")

    def test_several_machines(self):
        point = {"n": 8, "seconds": 1.5, "sample": False, "source": "a page"}
        series = [{"label": f"program {i}", "machine": f"machine {i}",
                   "points": [point, {**point, "n": 9, "sample": True}]} for i in (1, 2)]
        document = {"title": "One $title", "subtitle": "n", "caption": "c", "series": series}
        text = self.assert_drawn(self.written("two.json", json.dumps(document)))
        for word in ("machine 1", "machine 2", "program 1", "program 2"):
            self.assertIn(f"<!-- {word} -->", text)

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
