"""`meson install`: the installed files, and that other projects can build with them."""
import os
import re
import tempfile

from examples import FOLDER, NAMES, ExampleTest
from installed import BUILD, Tree, exported_functions, option
from program import DONE, SOURCE, ProgramTest, call, printed

C_CLIENT = r"""
#include <nqueens.h>
#include <stdio.h>

int main(void) {
    nq_result result = NQ_RESULT_INIT;
    int columns[NQ_MAX_N];
    nq_status status = nq_count_solutions(8, NULL, &result);
    if (status == NQ_OK && nq_construct_solution(20, columns) == NQ_OK)
        status = nq_check_placement(20, columns, NULL);
    printf("%s %d %s\n", nq_version(), (int)result.solutions, nq_status_text(status));
    return status == NQ_OK ? 0 : 1;
}
"""

CPP_CLIENT = r"""
#include <nqueens.h>

#include <iostream>
#include <vector>

int main() {
    nq_options options{};
    options.size = sizeof options;
    int calls = 0;
    options.threads = 1;
    options.progress_context = &calls;
    options.progress = [](const nq_progress *, void *context) {
        ++*static_cast<int *>(context);
        return true;
    };
    nq_result result{};
    result.size = sizeof result;
    nq_status status = nq_count_solutions(8, &options, &result);
    std::vector<int> columns(20);
    if (status == NQ_OK && nq_construct_solution(20, columns.data()) == NQ_OK)
        status = nq_check_placement(20, columns.data(), nullptr);
    std::cout << nq_version() << ' ' << result.solutions << ' ' << nq_status_text(status) << '\n';
    return status == NQ_OK ? 0 : 1;
}
"""


class Installed(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.tree = Tree(os.path.join(folder.name, "root")).install()
        with open(os.path.join(BUILD, "meson-info", "intro-projectinfo.json")) as file:
            cls.version = re.search(r'"version": "([\d.]+)"', file.read())[1]
        cls.soname = "libnqueens.so." + cls.version.split(".")[0]

    def path(self, name):
        return os.path.join(self.folder, name)


class Files(Installed):
    def test_what_is_there(self):
        """No tests, no tools of the build, and no files outside the prefix are installed."""
        names, prefix = set(), option("prefix").lstrip("/") + "/"
        for folder, _, files in os.walk(self.tree.root):
            for name in files:
                self.assertTrue(os.path.relpath(os.path.join(folder, name), self.tree.root).startswith(prefix), name)
                self.assertRegex(name, r"(nqueens(-mpi|-plot)?|_nqueens|nqueens\.(h|pc|1|fish)|"
                                       r"nqueens-([a-z]+\.1|static\.pc)|libnqueens\.(3|a|so[\d.]*))\Z")
                names.add(os.path.join(os.path.basename(folder), name))
        self.assertLessEqual({
            "bin/nqueens", "bin/nqueens-plot", "include/nqueens.h", "pkgconfig/nqueens.pc", "pkgconfig/nqueens-static.pc",
            "man1/nqueens.1", "man1/nqueens-count.1", "man3/libnqueens.3", "completions/nqueens",
            "site-functions/_nqueens", "vendor_completions.d/nqueens.fish"}, names)
        self.assertEqual("bin/nqueens-mpi" in names, "man1/nqueens-mpi.1" in names)

    def test_program(self):
        program = os.path.join(self.tree.bin, "nqueens")
        self.assertEqual(call([program, "8"]).stdout, printed(8))
        self.assertEqual(call([program, "--version"]).stdout, f"nqueens {self.version}\n")
        self.assertNotIn("RUNPATH", call(["readelf", "-d", program]).stdout)

    def test_shared_library(self):
        """PROGRAM -> libnqueens.so.MAJOR -> libnqueens.so.VERSION. It shows what the header declares."""
        real = os.path.join(self.tree.lib, f"libnqueens.so.{self.version}")
        self.assertEqual(re.findall(r"SONAME.*\[(.*)\]", call(["readelf", "-d", real]).stdout), [self.soname])
        for name in ("libnqueens.so", self.soname):
            self.assertTrue(os.path.samefile(os.path.join(self.tree.lib, name), real))
        listing = call(["nm", "-D", "--defined-only", real]).stdout
        self.assertEqual({line.split()[-1] for line in listing.splitlines()},
                         {"NQUEENS_1.0", *(name + "@@NQUEENS_1.0" for name in exported_functions())})

    def test_names_in_the_static_library_meet_no_others(self):
        """Public functions, and the library's own with a prefix; the lock is OpenMP's name."""
        file = os.path.join(self.tree.lib, "libnqueens.a")
        listing = call(["nm", "--defined-only", "--extern-only", file]).stdout
        symbols = [line.split()[-1] for line in listing.splitlines() if len(line.split()) == 3]
        own = {name for name in symbols if name.startswith(("nqi_", ".gomp_critical_user_nqi_"))}
        self.assertEqual(set(symbols) - own, set(exported_functions()))
        self.assertGreater(len(own), 20)


class Clients(Installed, ExampleTest):
    def assert_built(self, source, program, *how, **more):
        result = self.tree.compile(source, program, *how, **more)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_languages(self):
        for end, text, standards in ((".c", C_CLIENT, ("c11", "gnu17")), (".cc", CPP_CLIENT, ("c++11", "c++20"))):
            source, program = self.path("client" + end), self.path("client")
            with open(source, "w") as file:
                file.write(text)
            for standard in standards:
                with self.subTest(standard=standard):
                    self.assert_built(source, program, f"-std={standard}", compiler="cc" if end == ".c" else "g++")
                    result = self.tree.run(program)
                    self.assertEqual((result.returncode, result.stdout, result.stderr),
                                     (DONE, f"{self.version} 92 done\n", ""))

    def program(self, name):
        return self.path(name)

    def test_examples(self):
        """With the shared library and with the static one."""
        for static in (False, True):
            self.settings = self.tree.environment(static)
            for name in NAMES:
                self.assert_built(os.path.join(FOLDER, name + ".c"), self.program(name), "-std=c17", static=static)
                libraries = re.findall(r"NEEDED.*\[(.*nqueens.*)\]", call(["readelf", "-d", self.program(name)]).stdout)
                self.assertEqual(libraries, [] if static else [self.soname])
            self.assert_all()


class Documented(Installed):
    """The commands of README, tutorial and manual that link a client."""

    def commands(self, file, client):
        with open(os.path.join(SOURCE, *file)) as stream:
            text = stream.read().replace("\\-", "-")
        return re.findall(rf"\$ (cc {client} .*pkg-config.*)", text)

    def assert_links(self, command, where):
        result = call(["sh", "-c", command], cwd=where, env=self.tree.environment())
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), command)

    def test_readme_and_tutorial(self):
        os.symlink(FOLDER, self.path("examples"))
        links = self.commands(["README.md"], "examples/progress.c")
        self.assertEqual(len(links), 2)
        for command in links + self.commands(["docs", "tutorial.md"], "examples/progress.c"):
            with self.subTest(command=command):
                self.assert_links(command, self.folder)
                result = self.tree.run("./progress", "12", cwd=self.folder,
                                       static="nqueens-static" in command)
                self.assertEqual((result.returncode, result.stdout), (DONE, printed(12)))

    def test_manual(self):
        with open(os.path.join(SOURCE, "man", "libnqueens.3.in")) as file:
            client = re.search(r"(?s)\.Sh EXAMPLES\n\.Bd.*?\n(.*?)\.Ed", file.read())[1]
        with open(self.path("count.c"), "w") as file:
            file.write(client.replace("\\en", "\\n"))
        links = self.commands(["man", "libnqueens.3.in"], "count.c")
        self.assertEqual(len(links), 2)
        for command in links:
            with self.subTest(command=command):
                self.assert_links(command, self.folder)
                result = self.tree.run("./a.out", cwd=self.folder,
                                       static="nqueens-static" in command)
                self.assertEqual((result.returncode, result.stdout), (DONE, printed(16)))
