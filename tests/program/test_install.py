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


def needed(file):
    """The shared libraries that a file needs."""
    return re.findall(r"NEEDED.*\[(.*)\]", call(["readelf", "-d", file]).stdout)


class Installed(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.tree = Tree(os.path.join(folder.name, "root")).install()
        with open(os.path.join(BUILD, "meson-info", "intro-projectinfo.json")) as file:
            cls.version = re.search(r'"version": "([\d.]+)"', file.read())[1]
        cls.answer = f"{cls.version} 92 done\n"

    def path(self, name):
        return os.path.join(self.folder, name)


class Files(Installed):
    def test_all_are_there(self):
        for file in (os.path.join(self.tree.bin, "nqueens"),
                     os.path.join(self.tree.include, "nqueens.h"),
                     os.path.join(self.tree.lib, "libnqueens.a"),
                     os.path.join(self.tree.lib, "libnqueens.so"),
                     os.path.join(self.tree.lib, "pkgconfig", "nqueens.pc"),
                     os.path.join(self.tree.lib, "pkgconfig", "nqueens-static.pc"),
                     os.path.join(self.tree.man, "man1", "nqueens.1"),
                     os.path.join(self.tree.man, "man3", "libnqueens.3"),
                     os.path.join(self.tree.man, "man1", "nqueens-count.1"),
                     os.path.join(self.tree.data, "bash-completion", "completions", "nqueens"),
                     os.path.join(self.tree.data, "zsh", "site-functions", "_nqueens"),
                     os.path.join(self.tree.data, "fish", "vendor_completions.d",
                                  "nqueens.fish")):
            with self.subTest(file=file):
                self.assertTrue(os.path.isfile(file))

    def test_nothing_else_is(self):
        """No tests, no tools of the build, and no files outside the prefix are installed."""
        names = []
        for folder, _, files in os.walk(self.tree.root):
            names += [os.path.relpath(os.path.join(folder, name), self.tree.root)
                      for name in files]
        known = r"(nqueens(-mpi|-plot)?|_nqueens|nqueens\.(h|pc|1|fish)|nqueens-([a-z]+\.1|static\.pc)" \
                r"|libnqueens\.(3|a|so[\d.]*))\Z"
        prefix = option("prefix").lstrip("/") + "/"
        for name in names:
            self.assertTrue(name.startswith(prefix), name)
            self.assertRegex(os.path.basename(name), known)

    def test_program(self):
        program = os.path.join(self.tree.bin, "nqueens")
        result = call([program, "8"])
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(8)))
        self.assertEqual(call([program, "--version"]).stdout, f"nqueens {self.version}\n")
        self.assertNotIn("RUNPATH", call(["readelf", "-d", program]).stdout)


class Library(Installed):
    def test_soname_and_links(self):
        """PROGRAM -> libnqueens.so.MAJOR -> libnqueens.so.VERSION"""
        real = f"libnqueens.so.{self.version}"
        soname = "libnqueens.so." + self.version.split(".")[0]
        file = os.path.join(self.tree.lib, real)
        self.assertEqual(re.findall(r"SONAME.*\[(.*)\]", call(["readelf", "-d", file]).stdout),
                         [soname])
        self.assertFalse(os.path.islink(file))
        for name in ("libnqueens.so", soname):
            link = os.path.join(self.tree.lib, name)
            self.assertTrue(os.path.islink(link))
            self.assertEqual(os.path.basename(os.path.realpath(link)), real)

    def test_shows_what_the_header_declares(self):
        file = os.path.join(self.tree.lib, "libnqueens.so")
        listing = call(["nm", "-D", "--defined-only", file]).stdout
        symbols = [line.split()[-1] for line in listing.splitlines()]
        versions = [symbol for symbol in symbols if symbol.startswith("NQUEENS_")]
        self.assertEqual(versions, ["NQUEENS_1.0"])
        self.assertEqual(sorted(set(symbols) - set(versions)),
                         sorted(name + "@@NQUEENS_1.0" for name in exported_functions()))
        self.assertGreater(len(symbols), 10)

    def test_names_in_the_static_library_meet_no_others(self):
        """Public functions, and the library's own with a prefix; the lock is OpenMP's name."""
        file = os.path.join(self.tree.lib, "libnqueens.a")
        listing = call(["nm", "--defined-only", "--extern-only", file]).stdout
        symbols = [line.split()[-1] for line in listing.splitlines() if len(line.split()) == 3]
        own = {name for name in symbols
               if name.startswith(("nqi_", ".gomp_critical_user_nqi_"))}
        self.assertEqual(set(symbols) - own, set(exported_functions()))
        self.assertGreater(len(own), 20)


class PkgConfig(Installed):

    def test_a_static_link_is_told_what_it_needs(self):
        for library, options in (("-l:libnqueens.a", {"package": "nqueens-static"}),
                                 ("-lnqueens", {})):
            flags = self.tree.flags("--libs", *([] if options else ["--static"]), **options)
            for flag in (library, "-lhwloc", "-lsqlite3", "-lxxhash", "-lm", "-fopenmp"):
                self.assertIn(flag, flags)


class Clients(Installed):
    def build(self, name, source, *how, **more):
        path = self.path(name)
        with open(path, "w") as file:
            file.write(source)
        result = self.tree.compile(path, path + ".out", *how, **more)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return path + ".out"

    def assert_answers_so(self, program, **how):
        result = self.tree.run(program, **how)
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (DONE, self.answer, ""))

    def test_c(self):
        for standard in ("c11", "c17", "gnu17"):
            with self.subTest(standard=standard):
                program = self.build(f"{standard}.c", C_CLIENT, f"-std={standard}")
                soname = "libnqueens.so." + self.version.split(".")[0]
                self.assertEqual([name for name in needed(program) if "nqueens" in name],
                                 [soname])
                self.assert_answers_so(program)

    def test_cpp(self):
        for standard in ("c++11", "c++17", "c++20"):
            with self.subTest(standard=standard):
                program = self.build(f"{standard}.cc", CPP_CLIENT, f"-std={standard}",
                                     compiler="g++")
                self.assert_answers_so(program)


class Examples(Installed, ExampleTest):
    def program(self, name):
        return self.path(self.kind + name)

    def assert_work(self, kind, static=False):
        self.kind, self.settings = kind, self.tree.environment(static)
        for name in NAMES:
            result = self.tree.compile(os.path.join(FOLDER, name + ".c"), self.program(name),
                                       "-std=c17", static=static)
            self.assertEqual((result.returncode, result.stderr), (0, ""), name)
        self.assert_all()

    def test_with_the_shared_library(self):
        self.assert_work("shared-")

    def test_with_the_static_library(self):
        self.assert_work("static-", static=True)


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
