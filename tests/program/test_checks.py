"""The scripts that add up tests: a failure, a crash or a run of nothing never passes for a success."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from program import PATIENCE, SOURCE

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
    def assert_sum(self, passed, failed, skipped, suites):
        log = os.path.join(self.folder, "log")
        if suites is not None:
            with open(log, "w", encoding="utf-8") as stream:
                stream.writelines(json.dumps(one) + "\n" for one in suites)
        return self.assert_says(int(failed > 0 or passed == 0),
                                [f"{passed} passed, {failed} failed, {skipped} skipped"],
                                sys.executable, os.path.join(SCRIPTS, "summarise-tests"), log)

    def test_cases(self):
        said = self.assert_sum(2, 1, 1, [suite("a", "# all well", "ok 1 - one", "# found 3", "not ok 2 - two",
                                            "ok three"),
                                      suite("b", "ok 1 # SKIP no disk")])
        self.assertIn("failed: nqueens:unit / a two\n# found 3\n", said)
        self.assertNotIn("all well", said)
        self.assertIn("skipped: 1 case: no disk\n", said)
        self.assert_sum(1, 0, 0, [suite("a", "ok 1 - one", "# not ok", "not okay")])

    def test_a_check_adds_up_its_own_cases(self):
        said = self.assert_sum(5, 2, 3, [suite("a", "ok 1", "ok 2", "not ok 3", "# why",
                                               "4 passed, 2 failed, 3 skipped", result="FAIL"),
                                         suite("b", "ok 1")])
        self.assertIn("# why\n", said)

    def test_what_criterion_says_after_a_case(self):
        said = self.assert_sum(1, 2, 0, [suite("a", "not ok - one", "  ---", "  - x.c:1: why",
                                               "not ok - two", "  - x.c:2: because", "ok - three",
                                               result="FAIL")])
        self.assertIn("failed: nqueens:unit / a one\n  ---\n  - x.c:1: why\n", said)
        self.assertEqual(said.count("why"), 1)
        self.assertIn("two\n  - x.c:2: because\n", said)

    def test_crash(self):
        for result in ("FAIL", "TIMEOUT", "ERROR"):
            self.assert_sum(1, 1, 0, [suite("a", "ok 1", result=result)])

    def test_nothing_built(self):
        self.assert_sum(0, 1, 0, None)

    def test_nothing_tested(self):
        self.assert_sum(0, 0, 1, [suite("a", "ok 1 # SKIP")])
