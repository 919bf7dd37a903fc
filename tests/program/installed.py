"""The project as `meson install` leaves it, in a temporary folder."""
import json
import os
import re
import subprocess

from program import SOURCE, call

BUILD = os.environ["NQUEENS_BUILD"]


def option(name):
    """The value of one of the build folder's options."""
    command = ["meson", "introspect", "--buildoptions", BUILD]
    options = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return next(row["value"] for row in options if row["name"] == name)


def header():
    with open(os.path.join(SOURCE, "include", "nqueens.h")) as file:
        return file.read()


def exported_functions():
    """The functions that the header declares."""
    code = re.sub(r"/\*.*?\*/", " ", header(), flags=re.S)
    return re.findall(r"^NQ_API [^;]*?(\w+)\([^;]*\);", code, re.M)


class Tree:
    """An installed tree, below a folder that stands for the root of the file system."""

    def __init__(self, root):
        self.root = root
        self.prefix = root + option("prefix")
        self.bin = os.path.join(self.prefix, option("bindir"))
        self.lib = os.path.join(self.prefix, option("libdir"))
        self.include = os.path.join(self.prefix, option("includedir"))
        self.man = os.path.join(self.prefix, option("mandir"))
        self.data = os.path.join(self.prefix, option("datadir"))

    def install(self):
        command = ["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", self.root]
        result = call(command)
        if result.returncode != 0:
            raise AssertionError(result.stdout + result.stderr)
        return self

    def environment(self, static=False):
        """static: the loader does not find the shared library."""
        return {"PKG_CONFIG_PATH": os.path.join(self.lib, "pkgconfig"),
                "PKG_CONFIG_SYSROOT_DIR": self.root,
                "LD_LIBRARY_PATH": None if static else self.lib}

    def flags(self, *options, package="nqueens"):
        """pkg-config's flags to compile and link."""
        result = call(["pkg-config", *options, package], env=self.environment())
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return result.stdout.split()

    def compile(self, source, program, *how, compiler="cc", static=False):
        """Compiles a client and links it with the shared or the static library."""
        flags = self.flags("--cflags", "--libs", package="nqueens-static" if static else "nqueens")
        return call([compiler, *how, "-Wall", "-Wextra", "-Werror", "-pedantic", source, "-o",
                     program, *flags])

    def run(self, *command, static=False, **how):
        return call(list(command), env=self.environment(static), **how)
