# SPDX-License-Identifier: MIT
"""nqueens-plot, which is scripts/plot, draws the files of `bench --output`. Skipped if no Python has Matplotlib,
which only it needs."""
import os
import re
import xml.etree.ElementTree as xml

from program import DONE, SOURCE, SYSTEM, USAGE, FolderTest, call, content, read, run, write

AGAINST = os.path.join(SOURCE, "results", "json", "against.json")


class Plot(FolderTest):
    def setUp(self):
        super().setUp()
        if "needs the Python module" in self.plot(AGAINST).stderr:
            self.skipTest("no Python here has Matplotlib")

    def plot(self, *arguments, **env):
        # Matplotlib would warn of a home that is not writable.
        return call([os.path.join(SOURCE, "scripts", "plot"), *arguments, "--output", self.path("picture")],
                    env={"MPLCONFIGDIR": self.folder, **env})

    def measured(self, suite, n, **how):
        result = run("bench", suite, str(n), "-q", "--repeat", "2", "-o", self.path(f"{suite}{n}"), **how)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return self.path(f"{suite}{n}")

    def test_pictures(self):
        """SVG, in which Matplotlib writes each line of text as a comment, too, and PNG."""
        machine = {"HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:2"}
        for words, arguments in (
                (["threads", "ideal", "spread"], [self.measured("scaling", 8, env=machine)]),
                (["scalar64"], [self.measured("kernels", n) for n in (8, 9)]),
                (["textbook recursion", "nqueens, AVX-512"], [AGAINST])):
            self.assertEqual(self.plot(*arguments), (DONE, "", ""))
            self.assertEqual(content(self.path("picture.png"))[:8], b"\x89PNG\r\n\x1a\n")
            self.assertTrue(xml.parse(self.path("picture.svg")).getroot().tag.endswith("}svg"))
            said = " ".join(re.findall("<!-- (.*?) -->", read(self.path("picture.svg")), re.DOTALL))
            for word in words:
                self.assertIn(word, said)

    def test_refused(self):
        """The last line of stderr says why; there is no traceback."""
        write(self.path("bad.json"), '{"context": {"command": "plans"}, "benchmarks": []}')
        write(self.path("matplotlib.py"), "raise ModuleNotFoundError(name='matplotlib')\n")
        files = self.measured("kernels", 8), self.measured("scaling", 8)
        for arguments, env, code, named in (
                ([self.path("bad.json")], {}, USAGE, "bad.json"), (files, {}, USAGE, "kernels, scaling"),
                ([AGAINST], {"PYTHONPATH": self.folder}, SYSTEM, "matplotlib")):
            result = self.plot(*arguments, **env)
            self.assertEqual(result[:2], (code, ""), result.stderr)
            self.assertNotIn("Traceback", result.stderr)
            self.assertIn(named, result.stderr.splitlines()[-1])
