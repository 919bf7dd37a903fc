# SPDX-License-Identifier: MIT
"""scripts/compare, which tells what became slower, and scripts/plot, which draws the files of `bench --output`.
The latter is skipped if no Python has Matplotlib, which only it needs."""
import os
import re
import xml.etree.ElementTree as xml

from program import DONE, SOURCE, SYSTEM, USAGE, FolderTest, call, content, read, run, write

SLOWER = 1
AGAINST = os.path.join(SOURCE, "results", "json", "against.json")


class ScriptTest(FolderTest):
    def script(self, name, *arguments, **env):
        return call([os.path.join(SOURCE, "scripts", name), *arguments], cwd=self.folder, env=env)

    def file(self, name, text, mode=0o644):
        write(self.path(name), text, mode)
        return self.path(name)

    def assert_failed(self, code, result, *named):
        """The last line of stderr says why; there is no traceback."""
        self.assertEqual(result[:2], (code, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        for word in named:
            self.assertIn(word, result.stderr.splitlines()[-1])


class Compare(ScriptTest):
    def program(self, name, line):
        """A shell script that stands for a build."""
        return self.file(name, f"#!/bin/sh\n{line}\necho 92\n", 0o755)

    def compare(self, old, new, *options):
        return self.script("compare", old, new, "--rounds", "6", "--case", "8", *options)

    def test_programs_are_run_in_turns(self):
        run_once = f'test "$*" = "8 --quiet" || exit 9; echo $0 >>{self.path("log")}; '
        quick, slow = self.program("quick", run_once), self.program("slow", run_once + "sleep 0.1")
        # Every second run is slow: of old and new in turns.
        noise = run_once + f"test $(($(wc -l <{self.path('log')}) % 2)) = 1 || sleep 0.1"
        noisy, alike = self.program("noisy", noise), self.program("alike", noise)
        for old, new, options, code, said in (
                (noisy, alike, [], DONE, "no change"), (quick, slow, [], SLOWER, "SLOWER"),
                (slow, quick, [], DONE, "faster"), (quick, slow, ["--over", "100000"], DONE, "allowed")):
            write(self.path("log"), "")
            result = self.compare(old, new, *options)
            self.assertEqual((result.returncode, result.stderr), (code, ""))
            self.assertIn(said, result.stdout)
            order = [name == old for name in read(self.path("log")).split()]
            self.assertEqual(order, [True, False, *[True, False, False, True] * 3])


class Plot(ScriptTest):
    def setUp(self):
        super().setUp()
        if "needs the Python module" in self.plot(AGAINST).stderr:
            self.skipTest("no Python here has Matplotlib")

    def plot(self, *arguments, **env):
        # Matplotlib would warn of a home that is not writable.
        return self.script("plot", *arguments, "--output", self.path("picture"), MPLCONFIGDIR=self.folder, **env)

    def measured(self, suite, n, **how):
        result = run("bench", suite, str(n), "-q", "--repeat", "2", "-o", self.path(f"{suite}{n}"), **how)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return self.path(f"{suite}{n}")

    def drawn(self, *arguments):
        """The texts of the picture. Matplotlib writes each line as a comment, too."""
        self.assertEqual(self.plot(*arguments), (DONE, "", ""))
        return " ".join(re.findall("<!-- (.*?) -->", read(self.path("picture.svg")), re.DOTALL))

    def test_pictures(self):
        """SVG and PNG, the same on every call: a picture under version control changes only with its figures."""
        machine = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:2"}
        for words, arguments in (
                (["threads", "ideal", "spread"], [self.measured("scaling", 8, env=machine)]),
                (["scalar64"], [self.measured("kernels", n) for n in (8, 9)]),
                (["textbook recursion", "nqueens, AVX-512"], [AGAINST])):
            pictures = []
            for _ in range(2):
                said = self.drawn(*arguments)
                pictures.append(read(self.path("picture.svg")))
            self.assertEqual(content(self.path("picture.png"))[:8], b"\x89PNG\r\n\x1a\n")
            self.assertTrue(xml.parse(self.path("picture.svg")).getroot().tag.endswith("}svg"))
            self.assertEqual(*pictures)
            for word in words:
                self.assertIn(word, said)

    def test_refused(self):
        for text in ("", "[]", '{"context": {"command": "plans"}, "benchmarks": []}'):
            self.assert_failed(USAGE, self.plot(self.file("bad.json", text)), "bad.json")
        files = self.measured("kernels", 8), self.measured("scaling", 8)
        self.assert_failed(USAGE, self.plot(*files), "kernels, scaling")
        self.file("matplotlib.py", "raise ModuleNotFoundError(name='matplotlib')\n")
        self.assert_failed(SYSTEM, self.plot(AGAINST, PYTHONPATH=self.folder), "matplotlib")
