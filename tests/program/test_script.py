"""scripts/nqueens builds the program if it is missing or old, and runs it.

The tests use a copy of the source tree."""
import os
import shutil
import tempfile
import time
import unittest

from program import DONE, SOURCE, SYSTEM, USAGE, ProgramTest, call, printed


def write(path, text, mode=0o644):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


class Script(ProgramTest):
    @classmethod
    def setUpClass(cls):
        """Copies what a build needs, into a folder whose name needs quoting, and builds."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = os.path.join(folder.name, "a folder's copy")
        for part in ("scripts", "src", "include", "tools", "completions", "man"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(cls.root, part))
        for part in ("meson.build", "meson_options.txt"):
            shutil.copy2(os.path.join(SOURCE, part), cls.root)
        for part in ("bench", "examples", "tests"):
            os.mkdir(os.path.join(cls.root, part))
            write(os.path.join(cls.root, part, "meson.build"), "")
        # The tests install nothing: they are skipped if a package is missing.
        tools = os.path.join(folder.name, "tools")
        os.mkdir(tools)
        for tool in ("apt-get", "sudo"):
            write(os.path.join(tools, tool), "#!/bin/sh\nexit 1\n", 0o755)
        cls.env = {"PATH": tools + os.pathsep + os.environ["PATH"]}
        cls.script = os.path.join(cls.root, "scripts", "nqueens")
        cls.first = cls.run_script("8")
        if cls.first.returncode == SYSTEM and "could not install" in cls.first.stderr:
            raise unittest.SkipTest("packages that the build needs are not installed")

    @classmethod
    def run_script(cls, *arguments, env=None, script=None, **how):
        how.setdefault("timeout", 200)
        return call([script or cls.script, *arguments], env={**cls.env, **(env or {})}, **how)

    def assert_prints(self, result, stdout):
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, stdout, ""))

    def test_first_call_builds_and_keeps_stdout_clean(self):
        self.assertEqual((self.first.returncode, self.first.stdout), (DONE, printed(8)),
                         self.first.stderr)
        self.assertIn("ninja", self.first.stderr)

    def test_second_call_only_runs(self):
        self.assert_prints(self.run_script("8", "5"), printed(8, 5))

    def test_from_any_folder(self):
        for folder in ("/", tempfile.gettempdir(), self.root, os.path.join(self.root, "src")):
            with self.subTest(folder=folder):
                self.assert_prints(self.run_script("8", cwd=folder), printed(8))

    def test_by_a_relative_path(self):
        for folder, script in ((self.root, "scripts/nqueens"), (self.root, "./scripts/nqueens"),
                               (os.path.dirname(self.script), "./nqueens")):
            for env in ({}, {"CDPATH": self.root}):
                with self.subTest(script=script, env=env):
                    result = self.run_script("8", script=script, cwd=folder, env=env)
                    self.assert_prints(result, printed(8))

    def test_arguments_streams_and_exit_code_are_the_programs(self):
        self.assert_prints(self.run_script("-", stdin="4 8"), printed(4, 8))
        self.assert_fails(USAGE, self.run_script("8 9", ""), "'8 9'")
        self.assert_fails(USAGE, self.run_script(""), "''")

    def test_changed_source_is_built(self):
        main = os.path.join(self.root, "src", "cli", "main.c")
        with open(main) as file:
            good = file.read()
        later = time.time() + 2
        write(main, good + "#error broken on purpose\n")
        os.utime(main, (later, later))
        self.assertEqual(self.run_script("8").stdout, "")
        self.assertEqual(self.run_script("8").returncode, SYSTEM)
        write(main, good)
        result = self.run_script("8")
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(8)), result.stderr)
        self.assert_prints(self.run_script("8"), printed(8))
