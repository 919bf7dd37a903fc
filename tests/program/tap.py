"""Runs a test file and reports each test method as a case of its own, in TAP.

    python3 tap.py MODULE

The file runs in a process of its own, whose results are passed on as they come: a file that
cannot be read, crashes, hangs or has no tests is a failed case, whatever it reported before.
"""
import re
import subprocess
import sys
import threading
import unittest

TIME_LIMIT = 240  # seconds for the file; less than Meson allows
END = "# every test was run\n"


def report(outcome, name, why="", details=""):
    for line in details.splitlines():
        print("#", line.encode("ascii", "backslashreplace").decode())
    print(f"{outcome} {name}{why}", flush=True)


class Result(unittest.TestResult):
    """Writes a line when a test ends: "ok NAME", "ok NAME # SKIP why" or "not ok NAME"."""

    running = False

    def startTest(self, test):
        super().startTest(test)
        self.running, self.skip, self.failures_text = True, "", ""

    def stopTest(self, test):
        super().stopTest(test)
        self.running = False
        name = ".".join(test.id().split(".")[-2:])
        if self.failures_text:
            report("not ok", name, details=self.failures_text)
        else:
            report("ok", name, self.skip)

    def addError(self, test, error):
        text = f"{test}\n{self._exc_info_to_string(error, test)}\n"
        if self.running:
            self.failures_text += text
        else:  # outside of any test, such as in setUpClass
            report("not ok", str(test), details=text)

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.addError(subtest, error)

    def addSkip(self, test, reason):
        if self.running:
            self.skip = f" # SKIP {reason}"
        else:
            report("ok", str(test), f" # SKIP {reason}")

    def addUnexpectedSuccess(self, test):
        self.failures_text += "succeeded, but is marked as an expected failure\n"


def run_tests(module):
    unittest.defaultTestLoader.loadTestsFromName(module).run(Result())
    print(END, end="", flush=True)


def pass_on(module):
    cases, complete = 0, False
    command = [sys.executable, "-B", __file__, "--run", module]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        timer = threading.Timer(TIME_LIMIT, child.kill)
        timer.start()
        for line in child.stdout:
            complete = complete or line == END
            match = re.match(r"(ok|not ok) (.*)", line)
            if match:
                cases += 1
                line = f"{match[1]} {cases} {match[2]}\n"
            print(line, end="", flush=True)
        timer.cancel()
    if child.returncode != 0 or not complete or cases == 0:
        cases += 1
        print(f"# exit code {child.returncode}, after {cases - 1} cases")
        print(f"not ok {cases} {module} did not end as it should")
    print(f"1..{cases}")


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run_tests(sys.argv[2])
    else:
        pass_on(sys.argv[1])
