# SPDX-License-Identifier: MIT
"""`meson install`: the installed files, and that other projects can build with them."""
import json
import os
import re

from installed import BUILD, CLIENT, InstalledTest, exported_functions, succeed
from program import DONE, SOURCE, printed, read, run, write

FOLDER = os.path.join(SOURCE, "examples")


def symbols(*arguments):
    """The last column of what nm lists of global symbols."""
    rows = [line.split() for line in succeed("nm", "--defined-only", *arguments).splitlines()]
    return {row[-1] for row in rows if len(row) == 3}


class Installed(InstalledTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.version = json.loads(read(os.path.join(BUILD, "meson-info", "intro-projectinfo.json")))["version"]
        cls.soname = "libnqueens.so." + cls.version.split(".")[0]


class Files(Installed):
    def test_what_is_there(self):
        """No tests, no tools of the build, and no files outside the prefix are installed. Meson compiles
        Python's modules from version 1.2 on."""
        names = set()
        for folder, _, files in os.walk(self.tree.root):
            for name in files:
                self.assertTrue((folder + "/").startswith(self.tree.prefix + "/"), name)
                self.assertRegex(name, r"(nqueens(-mpi|-plot)?|_nqueens|nqueens\.(h|pc|1|fish)|"
                                       r"nqueens-([a-z]+\.1|static\.pc)|libnqueens\.(a|so[\d.]*)|"
                                       r"__init__\.(py|cpython-.*\.pyc)|py\.typed|_nqueens\.cpython-.*\.so)\Z")
                names.add(os.path.join(os.path.basename(folder), name))
        self.assertLessEqual({
            "bin/nqueens", "bin/nqueens-plot", "include/nqueens.h", "pkgconfig/nqueens.pc",
            "pkgconfig/nqueens-static.pc", "man1/nqueens.1",
            "completions/nqueens", "site-functions/_nqueens", "vendor_completions.d/nqueens.fish"}, names)
        self.assertEqual("bin/nqueens-mpi" in names, "man1/nqueens-mpi.1" in names)

    def test_program(self):
        program = os.path.join(self.tree.bin, "nqueens")
        self.assertEqual(succeed(program, "8"), printed(8))
        self.assertNotIn("RUNPATH", succeed("readelf", "-d", program))

    def test_shared_library(self):
        """PROGRAM -> libnqueens.so.MAJOR -> libnqueens.so.VERSION. It shows what the header declares."""
        real = os.path.join(self.tree.lib, f"libnqueens.so.{self.version}")
        self.assertEqual(re.findall(r"SONAME.*\[(.*)\]", succeed("readelf", "-d", real)), [self.soname])
        for name in ("libnqueens.so", self.soname):
            self.assertTrue(os.path.samefile(os.path.join(self.tree.lib, name), real))
        self.assertEqual(symbols("-D", real), {"NQUEENS_1.0", *(name + "@@NQUEENS_1.0"
                                                                for name in exported_functions())})

    def test_names_in_the_static_library_meet_no_others(self):
        """Public functions, and the library's own with a prefix; the lock is OpenMP's name."""
        names = symbols("--extern-only", os.path.join(self.tree.lib, "libnqueens.a"))
        own = {name for name in names if name.startswith(("nqi_", ".gomp_critical_user_nqi_"))}
        self.assertEqual(names - own, set(exported_functions()))
        self.assertGreater(len(own), 20)


class Clients(Installed):
    def assert_built(self, source, program, *how, **more):
        result = self.tree.compile(source, program, *how, **more)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_languages(self):
        program, version = self.path("client"), run("--version").stdout.split()[1]
        for end, compiler, standards in ((".c", "cc", ("c11", "gnu17")), (".cc", "g++", ("c++11", "c++20"))):
            write(program + end, CLIENT)
            for standard in standards:
                self.assert_built(program + end, program, f"-std={standard}", compiler=compiler)
                self.assertEqual(self.tree.run(program), (DONE, f"{version} 92 done\n", ""))

    def test_examples_with_the_shared_library_and_with_the_static_one(self):
        for static in (False, True):
            for name in sorted(name[:-2] for name in os.listdir(FOLDER) if name.endswith(".c")):
                self.assert_built(os.path.join(FOLDER, name + ".c"), self.path(name), "-std=c17", static=static)
                libraries = re.findall(r"NEEDED.*\[(.*nqueens.*)\]", succeed("readelf", "-d", self.path(name)))
                self.assertEqual(libraries, [] if static else [self.soname])
            result = self.tree.run(self.path("progress"), "12", static=static)
            self.assertEqual(result[:2], (DONE, printed(12)), result.stderr)

    def test_commands_of_readme(self):
        os.symlink(FOLDER, self.path("examples"))
        commands = re.findall(r"\$ (cc examples/progress\.c .*pkg-config.*)", read(os.path.join(SOURCE, "README.md")))
        self.assertEqual(len(commands), 2)
        for command in commands:
            self.assertEqual(self.tree.run("sh", "-c", command, cwd=self.folder), (0, "", ""), command)
            result = self.tree.run("./progress", "12", cwd=self.folder, static="nqueens-static" in command)
            self.assertEqual(result[:2], (DONE, printed(12)), command)
