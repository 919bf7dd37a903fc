"""Programs compiled with one version of the header run with libraries of another one.

The later version is made here: a copy of the library whose options and results have a member
more."""
import os
import re
import tempfile

from installed import BUILD, copy_tree, succeed
from program import SOURCE, FolderTest, read, write

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


def rewrite(path, *changes):
    text = read(path)
    for pattern, replacement in changes:
        text, times = re.subn(pattern, replacement, text)
        assert times == 1, (path, pattern)
    write(path, text)


class Growth(FolderTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tree, build = (os.path.join(folder.name, name) for name in ("tree", "build"))
        copy_tree(tree, "src", "include", "man")
        header, library = os.path.join(tree, "include"), os.path.join(tree, "src", "library")
        rewrite(os.path.join(tree, "meson.build"), (r"(?s)# Another project that builds.*", ""))
        rewrite(os.path.join(header, "nqueens.h"),
                (r"\n\} nq_options;", r"\n    uint64_t later;\n} nq_options;"),
                (r"\n\} nq_result;", r"\n    uint64_t later;\n} nq_result;"))
        rewrite(os.path.join(library, "sized.c"), (r"(== SIZE_TO\(nq_options,) \w+", r"\1 later"))
        rewrite(os.path.join(library, "count.c"), (r"(found, SIZE_TO\(nq_result,) \w+", r"\1 later"))
        succeed("meson", "setup", build, tree, "-Dprogram=false", "-Dtests=disabled", "-Dmpi=disabled",
                "--buildtype=debug")
        succeed("ninja", "-C", build)
        cls.now = os.path.join(SOURCE, "include"), os.path.join(BUILD, "src")
        cls.later = header, os.path.join(build, "src")

    def answer(self, header, library, *how):
        write(self.path("client.c"), CLIENT)
        succeed("cc", "-std=c11", *how, self.path("client.c"), "-o", self.path("client"), f"-I{header[0]}",
                f"-L{header[1]}", "-lnqueens")
        return succeed(self.path("client"), env={"LD_LIBRARY_PATH": library[1]})

    def test_an_old_program_with_a_longer_library(self):
        self.assertEqual(self.answer(self.now, self.later), "0 92 2 known")

    def test_a_new_program_with_a_shorter_library(self):
        self.assertEqual(self.answer(self.later, self.now, "-DLATER"), "0 92 2 known later 0, then 2")
