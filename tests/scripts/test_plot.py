# SPDX-License-Identifier: MIT
"""nqueens-plot, which is scripts/plot, draws the files of `bench --output`. These tests are skipped
if no Python has Matplotlib, which only the plot needs."""
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
        """Draws files into `picture.svg` and `picture.png` of the folder."""
        return call(
            [os.path.join(SOURCE, "scripts", "plot"), *arguments, "--output", self.path("picture")],
            # Matplotlib would warn of a home that is not writable.
            env={"MPLCONFIGDIR": self.folder, **env},
        )

    def measured(self, n, *options):
        """Makes a file of `bench` with these options. Returns its path."""
        file = self.path(f"{n}{options[-1]}")
        result = run("bench", str(n), "-q", "--repeat", "2", "-o", file, *options)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return file

    def test_pictures(self):
        """Both pictures can be read. Matplotlib writes each line of text into the SVG file as a
        comment, too."""
        for words, arguments in (
            (
                ["Speedup by threads", "ideal", "scalar64"],
                [self.measured(8, "--kernel", "all", "-t", "1-3")],
            ),
            (
                ["Cost by kernel", "n = 8, scalar64", "n = 9"],
                [self.measured(n, "-t", "1", "--kernel", "all") for n in (8, 9)],
            ),
            (["textbook recursion", "nqueens, AVX-512"], [AGAINST]),
        ):
            self.assertEqual(self.plot(*arguments), (DONE, "", ""))
            self.assertEqual(content(self.path("picture.png"))[:8], b"\x89PNG\r\n\x1a\n")
            self.assertTrue(xml.parse(self.path("picture.svg")).getroot().tag.endswith("}svg"))
            said = " ".join(re.findall("<!-- (.*?) -->", read(self.path("picture.svg")), re.DOTALL))
            for word in words:
                self.assertIn(word, said)

    def test_refused(self):
        """The last line of stderr says why, and there is no traceback."""
        write(self.path("bad.json"), '{"context": {}, "benchmarks": []}')
        write(self.path("matplotlib.py"), "raise ModuleNotFoundError(name='matplotlib')\n")
        for arguments, env, code, named in (
            ([self.path("bad.json")], {}, USAGE, "bad.json"),
            ([self.measured(8, "-t1"), AGAINST], {}, USAGE, "series"),
            ([AGAINST], {"PYTHONPATH": self.folder}, SYSTEM, "matplotlib"),
        ):
            result = self.plot(*arguments, **env)
            self.assertEqual(result[:2], (code, ""), result.stderr)
            self.assertNotIn("Traceback", result.stderr)
            self.assertIn(named, result.stderr.splitlines()[-1])
