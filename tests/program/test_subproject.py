# SPDX-License-Identifier: MIT
"""The library without the program, as a subproject of another Meson project."""
import os
import tempfile

from installed import copy_tree, introspected, succeed
from program import DONE, SOURCE, ProgramTest, call, read, write

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


def documented():
    """What the page says of the client's meson.build."""
    return read(os.path.join(SOURCE, "docs", "subproject.md")).split("```meson\n")[1].split("```")[0]


class Subproject(ProgramTest):
    def test_static(self):
        """The client is built without downloads, without Jansson, which only the program needs, and without an
        installed library."""
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, "client")
            copy_tree(os.path.join(root, "subprojects", "nqueens"), "src", "include", "man", "tools")
            write(os.path.join(root, "meson.build"), PROJECT + documented())
            write(os.path.join(root, "client.c"), CLIENT)
            build, client = os.path.join(root, "build"), os.path.join(root, "build", "client")
            log = succeed("meson", "setup", build, root, "--force-fallback-for=nqueens", "--buildtype=debug",
                          "--wrap-mode=nodownload", "-Dnqueens:default_library=static")
            self.assertIn("Dependency nqueens", log)
            self.assertNotRegex(log, "(?i)jansson|criterion|WARNING")
            self.assertNotIn("warning:", succeed("ninja", "-C", build, "client"))
            self.assertEqual(call([client]), (DONE, "92\n", ""))
            self.assertNotIn("libnqueens.so.", succeed("readelf", "-d", client))
            self.assertEqual([row["name"] for row in introspected("targets", build)
                              if row["type"] == "executable"], ["client"])
