"""Programs run with libraries of earlier and later versions, whose structs are shorter or longer.

A later version is made here: a copy of the header with a member at the end of every struct that
may grow, and a copy of the library built with it."""
import os
import re
import shutil
import tempfile

from installed import BUILD, header
from ledger_rows import falsify_unit
from program import DONE, SOURCE, ProgramTest, call, run

CLIENT = os.path.join(SOURCE, "tests", "program", "growth.c")
NEVER = {"nq_attack"}  # grows
STRUCT = re.compile(r"^typedef struct (nq_\w+) \{\n(.*?)^\} \1;", re.M | re.S)
KNOWN = re.compile(r"\bSIZE_TO\((nq_\w+), (\w+)\)")


def last_members():
    """The last member of every struct of the header."""
    found = {}
    for name, members in STRUCT.findall(re.sub(r"/\*.*?\*/", "", header(), flags=re.S)):
        found[name] = re.findall(r"(\w+)(?:\[\w+\])*;", members)[-1]
    return found


def sources():
    for folder, _, names in os.walk(os.path.join(SOURCE, "src")):
        for name in names:
            if name.endswith(".c"):
                yield os.path.join(folder, name)


def rewrite(path, pattern, replacement):
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(re.sub(pattern, replacement, text))


class LastMembers(ProgramTest):
    def test_all_are_written(self):
        """The library knows its structs up to their last members. A new member must be named
        there."""
        last = last_members()
        self.assertGreater(len(last), 15)
        written = set()
        for path in sources():
            with open(path) as file:
                for name, member in KNOWN.findall(file.read()):
                    self.assertEqual(member, last[name], f"{path}: {name}")
                    written.add(name)
        self.assertEqual(written, set(last) - NEVER - {"nq_options"})


class Growth(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.now = {"include": os.path.join(SOURCE, "include"), "lib": os.path.join(BUILD, "src")}
        cls.later = cls.make_later()
        cls.falsified = cls.path("falsified")
        assert run("10", "--method", "search", "--ledger", cls.falsified).returncode == DONE
        for place in (0, 1, 2):
            falsify_unit(cls.falsified, place=place, solutions=5)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def make_later(cls):
        """A library with longer structs. Returns where its header and its file are."""
        tree, build = cls.path("tree"), cls.path("build")
        for part in ("src", "include", "man", "tools", "examples", "tests"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(tree, part))
        for part in ("meson.build", "meson_options.txt"):
            shutil.copy2(os.path.join(SOURCE, part), tree)
        grown = "|".join(set(last_members()) - NEVER)
        rewrite(os.path.join(tree, "include", "nqueens", "nqueens.h"), rf"(?m)^\}} ({grown});",
                r"    unsigned char later[40];\n} \1;")
        for path in sources():
            rewrite(os.path.join(tree, os.path.relpath(path, SOURCE)), KNOWN,
                    r"SIZE_TO(\1, later)")
        for command in (["meson", "setup", build, tree, "-Dprogram=false", "-Dtests=disabled",
                         "-Dmpi=disabled", "--buildtype=debug"],
                        ["ninja", "-C", build]):
            result = call(command)
            if result.returncode != 0:
                raise AssertionError(result.stdout + result.stderr)
        return {"include": os.path.join(tree, "include"), "lib": os.path.join(build, "src")}

    def compile(self, name, version, *how):
        result = call(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", *how, CLIENT,
                       "-o", self.path(name), f"-I{version['include']}", f"-L{version['lib']}",
                       "-lnqueens"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return self.path(name)

    def answers(self, client, library):
        """What a client prints with a version of the library."""
        ledger = tempfile.mkdtemp(dir=self.folder)
        result = call([client, os.path.join(ledger, "ledger"), self.falsified],
                      env={"LD_LIBRARY_PATH": library["lib"]})
        self.assertEqual((result.returncode, result.stderr), (DONE, ""), result.stdout)
        self.assertIn("count: 0 12 14200 1 join halves scalar64 2\n", result.stdout)
        self.assertIn("bad: 1 99 n = 99: expected 0 to 28\n", result.stdout)
        self.assertRegex(result.stdout, r"audit: 15 \d+ 3\ndifference: 5 ")
        self.assertIn(", faults: 0\n", result.stdout)
        return result.stdout

    def test_an_old_program_with_a_longer_library(self):
        client = self.compile("old", self.now)
        self.assertEqual(self.answers(client, self.later), self.answers(client, self.now))

    def test_a_new_program_with_a_shorter_library(self):
        client = self.compile("new", self.later, "-DLATER")
        self.assertRegex(self.answers(client, self.now),
                         r"unknown option: the option at byte \d+ of \d+ is not zero")
