# SPDX-License-Identifier: MIT
"""The project as `meson install` leaves it, in a temporary folder."""
import json
import os
import re
import shutil
import tempfile

from program import DONE, SOURCE, ProgramTest, call, read

BUILD = os.environ["NQUEENS_BUILD"]

# C11 and C++11.
CLIENT = r"""
#include <nqueens.h>
#include <stdio.h>

static bool go_on(const nq_progress *progress, void *context) {
    return progress != context;
}

int main(void) {
    nq_options options = NQ_OPTIONS_INIT;
    options.progress = go_on;
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(8, &options, &result);
    printf("%s %d %s\n", nq_version(), (int)result.solutions, nq_status_text(status));
    return status == NQ_OK ? 0 : 1;
}
"""


def succeed(*command, **how):
    """Runs a command that must not fail. Returns its stdout."""
    result = call(command, **how)
    assert result.returncode == DONE, (command, result.stdout + result.stderr)
    return result.stdout


def introspected(what, folder=BUILD):
    """What Meson knows of a build folder: its targets, tests or build options."""
    return json.loads(succeed("meson", "introspect", f"--{what}", folder))


def copy_tree(folder, *parts):
    """Copies parts of the source tree, and what it takes to configure them."""
    for part in parts:
        shutil.copytree(os.path.join(SOURCE, part), os.path.join(folder, part))
    for part in ("meson.build", "meson_options.txt"):
        shutil.copy2(os.path.join(SOURCE, part), folder)


def exported_functions():
    """The functions that the header declares."""
    code = re.sub(r"/\*.*?\*/", " ", read(os.path.join(SOURCE, "include", "nqueens.h")), flags=re.S)
    return re.findall(r"^NQ_API [^;]*?(\w+)\([^;]*\);", code, re.M)


class Tree:
    """The project, installed below a folder that stands for the root of the file system."""

    def __init__(self, root):
        options = {row["name"]: row["value"] for row in introspected("buildoptions")}
        self.root, self.prefix = root, root + options["prefix"]
        self.bin, self.lib, self.man, self.data = (
            os.path.join(self.prefix, options[name])
            for name in ("bindir", "libdir", "mandir", "datadir"))
        succeed("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", root)

    def environment(self, static=False):
        """static: the loader does not find the shared library."""
        return {"PKG_CONFIG_PATH": os.path.join(self.lib, "pkgconfig"),
                "PKG_CONFIG_SYSROOT_DIR": self.root,
                "LD_LIBRARY_PATH": None if static else self.lib}

    def compile(self, source, program, *how, compiler="cc", static=False):
        """Compiles a client and links it with the shared or the static library."""
        package = "nqueens-static" if static else "nqueens"
        flags = succeed("pkg-config", "--cflags", "--libs", package, env=self.environment())
        return call([compiler, *how, "-Wall", "-Wextra", "-Werror", "-pedantic", source, "-o", program,
                     *flags.split()])

    def run(self, *command, static=False, **how):
        return call(list(command), env=self.environment(static), **how)


class InstalledTest(ProgramTest):
    """Tests of an installed tree, with a folder beside it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.tree = folder.name, Tree(os.path.join(folder.name, "root"))

    def path(self, name):
        return os.path.join(self.folder, name)
