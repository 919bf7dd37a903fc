"""The script that adds up tests: a failure, a crash or a run of nothing never passes for a success."""
import json
import os
import sys

from program import SOURCE, FolderTest, call, write

SCRIPT = os.path.join(SOURCE, "scripts", "summarise-tests")


def suite(name, *lines, result="OK"):
    return {"name": f"nqueens:unit / {name}", "stdout": "\n".join(lines), "result": result}


class Suites(FolderTest):
    def assert_sum(self, passed, failed, skipped, *suites):
        log = self.path("log")
        if suites:
            write(log, "".join(json.dumps(one) + "\n" for one in suites))
        result = call([sys.executable, SCRIPT, log])
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1:]),
                         (int(failed > 0 or passed == 0),
                          [f"{passed} passed, {failed} failed, {skipped} skipped"]),
                         result)
        return result.stdout

    def test_cases(self):
        said = self.assert_sum(2, 1, 1, suite("a", "# all well", "ok 1 - one", "# found 3", "not ok 2 - two",
                                              "ok three"), suite("b", "ok 1 # SKIP no disk"))
        self.assertIn("failed: nqueens:unit / a two\n# found 3\n", said)
        self.assertNotIn("all well", said)
        self.assertIn("skipped: 1 case: no disk\n", said)
        self.assert_sum(1, 0, 0, suite("a", "ok 1 - one", "# not ok", "not okay"))

    def test_a_check_adds_up_its_own_cases(self):
        said = self.assert_sum(5, 2, 3, suite("a", "ok 1", "ok 2", "not ok 3", "# why",
                                              "4 passed, 2 failed, 3 skipped", result="FAIL"),
                               suite("b", "ok 1"))
        self.assertIn("# why\n", said)

    def test_what_criterion_says_after_a_case(self):
        said = self.assert_sum(1, 2, 0, suite("a", "not ok - one", "  ---", "  - x.c:1: why", "not ok - two",
                                              "  - x.c:2: because", "ok - three", result="FAIL"))
        self.assertIn("failed: nqueens:unit / a one\n  ---\n  - x.c:1: why\n", said)
        self.assertEqual(said.count("why"), 1)
        self.assertIn("two\n  - x.c:2: because\n", said)

    def test_crashes_and_nothing_tested_or_built(self):
        self.assert_sum(0, 1, 0)
        self.assert_sum(0, 0, 1, suite("a", "ok 1 # SKIP"))
        for result in ("FAIL", "TIMEOUT", "ERROR"):
            self.assert_sum(1, 1, 0, suite("a", "ok 1", result=result))
