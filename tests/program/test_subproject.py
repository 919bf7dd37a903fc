# SPDX-License-Identifier: MIT
"""The library without the program, as a subproject of another Meson project."""
import os
import tempfile

from installed import CLIENT, copy_tree, introspected, succeed
from program import SOURCE, ProgramTest, read, write

PROJECT = "project('client', 'c', meson_version: '>=1.0.1', default_options: ['c_std=c11', 'werror=true'])\n"


def documented():
    """What the page says of the client's meson.build."""
    return read(os.path.join(SOURCE, "docs", "subproject.md")).split("```meson\n")[1].split("```")[0]


class Subproject(ProgramTest):
    def test_static(self):
        """The client is built without downloads, without Jansson, which only the program needs, and without an
        installed library. Later builds ask for the version again, and do nothing if it is the same."""
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, "client")
            copied = os.path.join(root, "subprojects", "nqueens")
            copy_tree(copied, "src", "include", "man", "tools")
            write(os.path.join(copied, "tools", "version"), '#!/bin/sh\ncat "${0%/*}/now"\n', 0o755)
            write(os.path.join(copied, "tools", "now"), '#define NQ_BUILT_VERSION "1.0.1"\n')
            write(os.path.join(root, "meson.build"), PROJECT + documented())
            write(os.path.join(root, "client.c"), CLIENT)
            build, client = os.path.join(root, "build"), os.path.join(root, "build", "client")
            log = succeed("meson", "setup", build, root, "--force-fallback-for=nqueens", "--buildtype=debug",
                          "--wrap-mode=nodownload", "-Dnqueens:default_library=static")
            self.assertIn("Dependency nqueens", log)
            self.assertNotRegex(log, "(?i)jansson|criterion|WARNING")
            self.assertNotIn("warning:", succeed("ninja", "-C", build, "client"))
            self.assertEqual(succeed(client), "1.0.1 92 done\n")
            self.assertNotRegex(succeed("ninja", "-C", build, "client"), "Compiling|Linking")
            write(os.path.join(copied, "tools", "now"), '#define NQ_BUILT_VERSION "1.0.2"\n')
            succeed("ninja", "-C", build, "client")
            self.assertEqual(succeed(client), "1.0.2 92 done\n")
            self.assertNotIn("libnqueens.so.", succeed("readelf", "-d", client))
            self.assertEqual([row["name"] for row in introspected("targets", build)
                              if row["type"] == "executable"], ["client"])
