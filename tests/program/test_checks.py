"""The scripts that add up tests: a failure, a crash or a missing run never passes for a success."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PATIENCE, SOURCE, USAGE

SCRIPTS = os.path.join(SOURCE, "scripts")


def suite(name, *lines, result="OK"):
    return {"name": f"nqueens:unit / {name}", "stdout": "\n".join(lines), "result": result}


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def assert_says(self, code, last_line, *command):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                timeout=PATIENCE, check=False)
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1:]), (code, last_line),
                         result.stdout + result.stderr)
        return result.stdout + result.stderr


class Suites(ScriptTest):
    def assert_sum(self, passed, failed, suites, *names):
        log = os.path.join(self.folder, "log")
        if suites is not None:
            with open(log, "w", encoding="utf-8") as stream:
                stream.writelines(json.dumps(one) + "\n" for one in suites)
        return self.assert_says(int(failed > 0 or passed == 0), [f"{passed} passed, {failed} failed"],
                                sys.executable, os.path.join(SCRIPTS, "summarise-tests"), log, *names)

    def test_cases(self):
        said = self.assert_sum(2, 1, [suite("a", "# all well", "ok 1 - one", "# found 3", "not ok 2 - two",
                                            "ok three"),
                                      suite("b", "ok 1 # SKIP no disk")])
        self.assertIn("failed: nqueens:unit / a two\n# found 3\n", said)
        self.assertNotIn("all well", said)
        self.assertIn("1 skipped\n", said)
        self.assert_sum(1, 0, [suite("a", "ok 1 - one", "# not ok", "not okay")])

    def test_cases_of_pytest(self):
        said = self.assert_sum(1, 2, [suite("a", "collecting ... collected 4 items", "",
                                            "program/test_a.py::A::test_1 PASSED   [ 25%]",
                                            "program/test_a.py::A::test_2 FAILED   [ 50%]",
                                            "program/test_a.py::B::test_1 ERROR    [ 75%]",
                                            "program/test_a.py::B::test_2 SKIPPED (no disk) [100%]",
                                            "E   1 != 2",
                                            "FAILED program/test_a.py::A::test_2 - 1 != 2",
                                            result="FAIL")])
        self.assertIn("failed: nqueens:unit / a A::test_2\n", said)
        self.assertIn("E   1 != 2\n", said)
        self.assertIn("1 skipped\n", said)

    def test_crash(self):
        for result in ("FAIL", "TIMEOUT", "ERROR"):
            self.assert_sum(1, 1, [suite("a", "ok 1", result=result)])

    def test_not_run(self):
        self.assert_sum(1, 0, [suite("a", "ok 1")], "a", "--option=b")
        self.assertIn("failed: b was not run", self.assert_sum(1, 1, [suite("a", "ok 1")], "a", "b"))

    def test_nothing_built(self):
        self.assert_sum(0, 1, None)

    def test_nothing_tested(self):
        self.assert_sum(0, 0, [suite("a", "ok 1 # SKIP")])


class Checks(ScriptTest):
    """A copy of scripts/test, with made-up checks beside it."""

    def check(self, name, *lines, code=0):
        path = os.path.join(self.folder, "scripts", "checks", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines) +
                         f"exit {code}\n")
        os.chmod(path, 0o755)

    def assert_sum(self, passed, failed, *names):
        script = shutil.copy(os.path.join(SCRIPTS, "test"), os.path.join(self.folder, "scripts"))
        return self.assert_says(int(failed > 0 or passed == 0),
                                [f"{passed} passed, {failed} failed"], script, *names)

    def test_all_pass(self):
        self.check("a", "12 passed, 0 failed")
        self.check("b", "3 passed, 0 failed", "4 passed, 0 failed")  # the last line is the sum
        self.assertRegex(self.assert_sum(16, 0, "a", "b"), r"(?m)^a +12 passed +0 failed +\d+ s$")

    def test_one_fails(self):
        self.check("a", "12 passed, 2 failed", code=1)
        self.check("b", "3 passed, 0 failed")
        self.assert_sum(15, 2, "a", "b")

    def test_crash(self):
        self.check("a", "ok 1")
        self.check("b", "ok 1", code=139)
        self.check("c", "5 passed, 0 failed", code=1)
        self.assert_sum(5, 3, "a", "b", "c")
        self.assert_sum(0, 1, "a")

    def test_nothing_tested(self):
        self.check("a", "0 passed, 0 failed")
        self.assert_sum(0, 0, "a")

    def test_unknown(self):
        result = subprocess.run([os.path.join(SCRIPTS, "test"), "suites", "bogus"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                timeout=PATIENCE, check=False)
        self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
        self.assertRegex(result.stderr, r"\Atest: no check is called 'bogus'; there are: .*\bsuites\b.*\n\Z")
