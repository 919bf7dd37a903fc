# SPDX-License-Identifier: MIT
"""`meson install`: which files it installs, and that other projects can build with them, or with
nqueens as a subproject."""
import json
import os
import re
import shutil
import tempfile

from program import (
    BUILD,
    DONE,
    SOURCE,
    FolderTest,
    ProgramTest,
    build_options,
    call,
    printed,
    read,
    run,
    succeed,
    write,
)

# A program that is both C11 and C++11.
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


def symbols(*arguments):
    """Returns the global symbols that nm lists with these arguments."""
    rows = [line.split() for line in succeed("nm", "--defined-only", *arguments).splitlines()]
    return {row[-1] for row in rows if len(row) == 3}


def declared():
    """Returns the functions that the header declares."""
    code = re.sub(r"/\*.*?\*/", " ", read(os.path.join(SOURCE, "include", "nqueens.h")), flags=re.S)
    return set(re.findall(r"^NQ_API [^;]*?(\w+)\([^;]*\);", code, re.M))


class Installed(ProgramTest):
    """The project is installed below a folder that takes the place of the root of the file
    system."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.root = os.path.join(cls.folder, "root")
        options = build_options()
        cls.prefix = cls.root + options["prefix"]
        cls.program = os.path.join(cls.prefix, options["bindir"], "nqueens")
        cls.lib = os.path.join(cls.prefix, options["libdir"])
        succeed("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", cls.root)
        project = read(os.path.join(BUILD, "meson-info", "intro-projectinfo.json"))
        cls.version = json.loads(project)["version"]
        cls.soname = "libnqueens.so." + cls.version.split(".")[0]
        cls.env = {"PKG_CONFIG_PATH": f"{cls.lib}/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": cls.root}

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_all_files_are_installed_and_no_others(self):
        """No tests, no tools of the build, and no files outside the prefix are installed. From
        version 1.2 on, Meson also installs compiled modules of Python."""
        names = set()
        for folder, _, files in os.walk(self.root):
            for name in files:
                self.assertTrue((folder + "/").startswith(self.prefix + "/"), name)
                self.assertRegex(
                    name,
                    r"(nqueens(-mpi|-plot)?|_nqueens|nqueens\.(h|pc|1|fish)|"
                    r"nqueens-([a-z]+\.1|static\.pc)|libnqueens\.(a|so[\d.]*)|"
                    r"__init__\.(py|cpython-.*\.pyc)|py\.typed|_nqueens\.cpython-.*\.so)\Z",
                )
                names.add(os.path.join(os.path.basename(folder), name))
        self.assertLessEqual(
            {
                "bin/nqueens",
                "bin/nqueens-plot",
                "include/nqueens.h",
                "pkgconfig/nqueens.pc",
                "pkgconfig/nqueens-static.pc",
                "man1/nqueens.1",
                "man1/nqueens-plot.1",
                "completions/nqueens",
                "site-functions/_nqueens",
                "vendor_completions.d/nqueens.fish",
            },
            names,
        )
        self.assertEqual("bin/nqueens-mpi" in names, "man1/nqueens-mpi.1" in names)
        self.assertEqual(succeed(self.program, "8"), printed(8))
        self.assertNotIn("RUNPATH", succeed("readelf", "-d", self.program))

    def test_shared_library(self):
        """Two links lead to the library, one for the linker and one with the major version, which
        programs load. The library's symbols are those that the header declares."""
        real = os.path.join(self.lib, f"libnqueens.so.{self.version}")
        self.assertEqual(
            re.findall(r"SONAME.*\[(.*)\]", succeed("readelf", "-d", real)), [self.soname]
        )
        for name in ("libnqueens.so", self.soname):
            self.assertTrue(os.path.samefile(os.path.join(self.lib, name), real))
        self.assertEqual(
            symbols("-D", real), {"NQUEENS_1.0", *(name + "@@NQUEENS_1.0" for name in declared())}
        )

    def test_names_in_the_static_library_meet_no_others(self):
        """The names are those of public functions, or they begin with a prefix of the library.
        OpenMP puts its own prefix before the names of locks."""
        names = symbols("--extern-only", os.path.join(self.lib, "libnqueens.a"))
        own = {name for name in names if name.startswith(("nqi_", ".gomp_critical_user_nqi_"))}
        self.assertEqual(names - own, declared())
        self.assertGreater(len(own), 20)

    def run_client(self, program, static=False):
        """Runs a program that uses the library. static: whether it must run without the
        shared library, which the loader then does not find."""
        libraries = re.findall(r"NEEDED.*\[(.*nqueens.*)\]", succeed("readelf", "-d", program))
        self.assertEqual(libraries, [] if static else [self.soname])
        return call([program], env={} if static else {"LD_LIBRARY_PATH": self.lib})

    def test_clients_in_any_language(self):
        program, version = self.path("client"), run("--version").stdout.split()[1]
        for end, compiler, standards in (
            (".c", "cc", ("c11", "gnu17")),
            (".cc", "g++", ("c++11", "c++20")),
        ):
            write(program + end, CLIENT)
            for standard in standards:
                for package in ("nqueens", "nqueens-static"):
                    flags = succeed(
                        "pkg-config", "--cflags", "--libs", package, env=self.env
                    ).split()
                    warnings = ("-Wall", "-Wextra", "-Werror", "-pedantic")
                    files = (program + end, "-o", program)
                    succeed(compiler, f"-std={standard}", *warnings, *files, *flags)
                    self.assertEqual(
                        self.run_client(program, static=package != "nqueens"),
                        (DONE, f"{version} 92 done\n", ""),
                    )

    def test_first_program_of_the_page(self):
        """docs/library.md begins with this program, and README.md has a shorter one."""
        program = self.path("first")
        flags = succeed("pkg-config", "--cflags", "--libs", "nqueens-static", env=self.env).split()
        for page in ("docs/library.md", "README.md"):
            write(
                program + ".c", read(os.path.join(SOURCE, page)).split("```c\n")[1].split("```")[0]
            )
            succeed("cc", "-Wall", "-Wextra", "-Werror", program + ".c", "-o", program, *flags)
            self.assertEqual(succeed(program), printed(16))

    def test_one_kind_of_library_can_be_installed_alone(self):
        build, program = self.path("build"), self.path("alone")
        write(program + ".c", CLIENT)
        succeed(
            "meson",
            "setup",
            build,
            SOURCE,
            "-Dprogram=false",
            "-Dtests=disabled",
            "--buildtype=debug",
        )
        shared = {"libnqueens.so", self.soname, f"libnqueens.so.{self.version}"}
        for kind, pages, libraries in (
            ("static", {"nqueens.pc", "nqueens-static.pc"}, {"libnqueens.a"}),
            ("shared", {"nqueens.pc"}, shared),
        ):
            root = self.path(kind)
            succeed("meson", "configure", build, f"-Ddefault_library={kind}")
            succeed("meson", "install", "-C", build, "--destdir", root)
            lib = os.path.join(root, "usr/local/lib")
            self.assertEqual(set(os.listdir(os.path.join(lib, "pkgconfig"))), pages)
            found = {name for name in os.listdir(lib) if re.search(r"\.(a|so)\b", name)}
            self.assertEqual(found, libraries)
            flags = succeed(
                "pkg-config",
                "--cflags",
                "--libs",
                "nqueens",
                env={"PKG_CONFIG_PATH": f"{lib}/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": root},
            )
            succeed("cc", program + ".c", "-o", program, *flags.split())
            self.assertEqual(self.run_client(program, static=kind == "static")[0], DONE)


class Subproject(FolderTest):
    def test_of_a_client(self):
        """The project is a subproject as docs/library.md says. It is built without downloads,
        without Jansson, which only the program needs, and without an installed library."""
        root, build = self.path("client"), self.path("client/build")
        copied, client = os.path.join(root, "subprojects", "nqueens"), os.path.join(build, "client")
        for part in ("src", "include", "man", "tools"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(copied, part))
        for part in ("meson.build", "meson_options.txt"):
            shutil.copy2(os.path.join(SOURCE, part), copied)
        documented = (
            read(os.path.join(SOURCE, "docs", "library.md")).split("```meson\n")[1].split("```")[0]
        )
        write(
            os.path.join(root, "meson.build"),
            "project('client', 'c', meson_version: '>=1.0.1', default_options: "
            "['c_std=c11', 'werror=true'])\n" + documented,
        )
        write(os.path.join(root, "client.c"), CLIENT)
        log = succeed(
            "meson",
            "setup",
            build,
            root,
            "--force-fallback-for=nqueens",
            "--buildtype=debug",
            "--wrap-mode=nodownload",
            "-Dnqueens:default_library=static",
        )
        self.assertIn("Dependency nqueens", log)
        self.assertNotRegex(log, "(?i)jansson|criterion|WARNING")
        self.assertNotIn("warning:", succeed("ninja", "-C", build, "client"))
        self.assertRegex(succeed(client), r"\A\S+ 92 done\n\Z")
        self.assertNotIn("libnqueens.so.", succeed("readelf", "-d", client))
