"""The library without the program: as a subproject of another Meson project, and by itself."""
import json
import os
import shutil
import tempfile

from installed import BUILD
from program import DONE, SOURCE, ProgramTest, call

CLIENT = r"""
#include <nqueens.h>
#include <stdio.h>

int main(void) {
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(8, NULL, &result);
    printf("%d\n", (int)result.solutions);
    return status == NQ_OK ? 0 : 1;
}
"""

PROJECT = "project('client', 'c', meson_version: '>=1.0.1', default_options: ['c_std=c11', 'werror=true'])\n"


def readme(language):
    """The block of README's section about subprojects that is in this language."""
    with open(os.path.join(SOURCE, "README.md")) as file:
        section = file.read().split("### As a Meson subproject\n")[1]
    return section.split(f"```{language}\n")[1].split("```")[0]


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


class Subproject(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = os.path.join(folder.name, "client")
        ours = os.path.join(cls.root, "subprojects", "nqueens")
        for part in ("src", "include", "man", "tools"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(ours, part))
        for part in ("meson.build", "meson_options.txt"):
            shutil.copy2(os.path.join(SOURCE, part), ours)
        write(os.path.join(cls.root, "subprojects", "nqueens.wrap"), readme("ini"))
        write(os.path.join(cls.root, "meson.build"), PROJECT + readme("meson"))
        write(os.path.join(cls.root, "client.c"), CLIENT)

    def build(self, name, *options):
        """Builds the client without downloads and without an installed library."""
        folder = os.path.join(self.root, name)
        # Only the program needs Jansson: the library builds without them.
        setup = call(["meson", "setup", folder, self.root, "--force-fallback-for=nqueens",
                      "--buildtype=debug", "--wrap-mode=nodownload", *options])
        self.assertEqual(setup.returncode, 0, setup.stdout + setup.stderr)
        self.assertNotRegex(setup.stdout, "(?i)jansson|criterion|WARNING")
        built = call(["ninja", "-C", folder, "client"])
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertNotIn("warning:", built.stdout)
        return folder, setup.stdout

    def assert_counts(self, folder):
        result = call([os.path.join(folder, "client")])
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, "92\n", ""))
        return call(["readelf", "-d", os.path.join(folder, "client")]).stdout

    def test_shared(self):
        folder, log = self.build("shared")
        self.assertIn("Dependency nqueens", log)
        self.assertIn("libnqueens.so.", self.assert_counts(folder))
        targets = json.loads(call(["meson", "introspect", "--targets", folder]).stdout)
        programs = [row["name"] for row in targets if row["type"] == "executable"]
        self.assertEqual(programs, ["client"])

    def test_static(self):
        folder, _ = self.build("static", "-Dnqueens:default_library=static")
        self.assertNotIn("libnqueens.so.", self.assert_counts(folder))


class Alone(ProgramTest):
    def library_tests(self, folder):
        tests = json.loads(call(["meson", "introspect", "--tests", folder]).stdout)
        return {row["name"] for row in tests
                if row["name"].startswith(("unit-", "partition-", "kernels-", "matchers-", "engines-"))
                }, len(tests)

    def test_has_the_tests_of_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            setup = call(["meson", "setup", folder, SOURCE, "-Dprogram=false", "-Dtests=enabled"])
            self.assertEqual(setup.returncode, 0, setup.stdout + setup.stderr)
            self.assertNotRegex(setup.stdout, "(?i)jansson|pytest")
            listed = call(["meson", "test", "-C", folder, "--no-rebuild", "--setup=all", "--list"]).stdout
            alone, number = self.library_tests(folder)
        self.assertEqual(len(alone), number)
        self.assertTrue(alone.issubset(listed.split()))
        # These are parts of the program.
        self.assertEqual(alone, self.library_tests(BUILD)[0] - {"unit-program"})
