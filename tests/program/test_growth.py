"""Programs compiled with one version of the header run with libraries of another one.

The later version is made here: a copy of the library whose options and results have a member
more."""
import os
import re
import shutil
import tempfile

from installed import BUILD
from program import DONE, SOURCE, ProgramTest, call

CLIENT = r"""
#include <nqueens.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    nq_options options = NQ_OPTIONS_INIT;
    struct {
        nq_result result;
        unsigned char guard[64];
    } got = {NQ_RESULT_INIT, {0}};
    memset(&got, 0xa5, sizeof got);
    got.result.size = sizeof got.result;
    options.threads = 2;
    nq_status status = nq_count_solutions(8, &options, &got.result);
    printf("%d %d %d %s", status, (int)got.result.solutions, got.result.threads,
           got.result.kernel != NULL ? "known" : "none");
    for (size_t i = 0; i < sizeof got.guard; i++)
        if (got.guard[i] != 0xa5)
            printf(" guard");
#ifdef LATER
    options.later = 1;
    status = nq_count_solutions(8, &options, &got.result);
    printf(" later %d, then %d", (int)got.result.later, status);
#endif
    return 0;
}
"""


def rewrite(folder, path, *changes):
    path = os.path.join(folder, *path)
    with open(path) as file:
        text = file.read()
    for pattern, replacement in changes:
        text, times = re.subn(pattern, replacement, text)
        assert times == 1, (path, pattern)
    with open(path, "w") as file:
        file.write(text)


class Growth(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, tree = folder.name, os.path.join(folder.name, "tree")
        for part in ("src", "include", "man"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(tree, part))
        for part in ("meson.build", "meson_options.txt"):
            shutil.copy2(os.path.join(SOURCE, part), tree)
        rewrite(tree, ("meson.build",), (r"(?s)# Another project that builds.*", ""))
        rewrite(tree, ("include", "nqueens.h"),
                (r"\n\} nq_options;", r"\n    uint64_t later;\n} nq_options;"),
                (r"\n\} nq_result;", r"\n    uint64_t later;\n} nq_result;"))
        rewrite(tree, ("src", "library", "sized.c"), (r"(== SIZE_TO\(nq_options,) \w+", r"\1 later"))
        rewrite(tree, ("src", "library", "count.c"), (r"(found, SIZE_TO\(nq_result,) \w+", r"\1 later"))
        build = os.path.join(tree, "build")
        for command in (["meson", "setup", build, tree, "-Dprogram=false", "-Dtests=disabled",
                         "-Dmpi=disabled", "--buildtype=debug"], ["ninja", "-C", build]):
            result = call(command)
            assert result.returncode == 0, result.stdout + result.stderr
        cls.now = os.path.join(SOURCE, "include"), os.path.join(BUILD, "src")
        cls.later = os.path.join(tree, "include"), os.path.join(build, "src")

    def answer(self, header, library, *how):
        source, client = (os.path.join(self.folder, name) for name in ("client.c", "client"))
        with open(source, "w") as file:
            file.write(CLIENT)
        result = call(["cc", "-std=c11", *how, source, "-o", client, f"-I{header[0]}",
                       f"-L{header[1]}", "-lnqueens"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = call([client], env={"LD_LIBRARY_PATH": library[1]})
        self.assertEqual(result.returncode, DONE)
        return result.stdout

    def test_an_old_program_with_a_longer_library(self):
        self.assertEqual(self.answer(self.now, self.later), "0 92 2 known")

    def test_a_new_program_with_a_shorter_library(self):
        self.assertEqual(self.answer(self.later, self.now, "-DLATER"),
                         "0 92 2 known later 0, then 2")
