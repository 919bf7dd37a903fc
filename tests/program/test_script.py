# SPDX-License-Identifier: MIT
"""scripts/nqueens builds the program if it is missing or old, and runs it; scripts/setup installs packages
only if it may; scripts/summarise-tests takes no failure, crash or run of nothing for a success.

The tests use copies of the scripts. That of scripts/nqueens builds a program of a few lines."""
import json
import os
import re
import shutil
import sys
import time

from program import DONE, SOURCE, SYSTEM, FolderTest, call, read, write

PROJECT = """\
project('small', 'c')
subdir('src')
"""
OPTION = "option('tests', type: 'feature')\n"
PROGRAM = """\
#include <stdio.h>

int main(int count, char **argument) {
    for (int i = 1; i < count; i++)
        printf("%s|", argument[i]);
    return getchar() == 'x' ? 7 : 0;
}
"""


class Script(FolderTest):
    """In a folder whose name needs quoting, and with no right to install anything."""

    def setUp(self):
        super().setUp()
        self.root, tools = self.path("a folder's copy"), self.path("tools")
        shutil.copytree(os.path.join(SOURCE, "scripts"), os.path.join(self.root, "scripts"))
        for folder in ("src", "include", "bench"):
            os.mkdir(os.path.join(self.root, folder))
        self.source = os.path.join(self.root, "src", "main.c")
        for name, text in (("meson.build", PROJECT), ("meson_options.txt", OPTION), ("src/main.c", PROGRAM),
                           ("src/meson.build", "executable('nqueens', 'main.c')\n")):
            write(os.path.join(self.root, name), text)
        os.mkdir(tools)
        for tool in ("apt-get", "sudo"):
            write(os.path.join(tools, tool), "#!/bin/sh\nexit 1\n", 0o755)
        # With CI set, set-up prints what it otherwise keeps in the log.
        self.env = {"PATH": tools + os.pathsep + os.environ["PATH"], "CI": "", "CDPATH": self.root}
        self.log = os.path.join(self.root, "build", "setup.log")

    def run_script(self, *arguments, script="scripts/nqueens", **how):
        return call([script, *arguments], **{"cwd": self.root, "env": self.env, **how})

    def test_builds_once_and_keeps_arguments_streams_and_exit_code(self):
        first = self.run_script("8", "a b")
        if first.returncode == SYSTEM and "could not install" in first.stderr:
            self.skipTest("packages that the build needs are not installed")
        self.assertEqual(first[:2], (DONE, "8|a b|"), first.stderr)
        self.assertRegex(first.stderr, rf"\Anqueens: .*{re.escape(self.log)}.*\nnqueens: .*\d+ s\n\Z")
        self.assertRegex(read(self.log), r"(?s)The Meson build system.*ninja: Entering directory")
        os.symlink(os.path.join(self.root, "scripts", "nqueens"), self.path("nq"))
        os.symlink("nq", self.path("queens"))
        # From now on no tool is started.
        for tool in ("dpkg-query", "meson", "ninja", "pkg-config", "python3"):
            write(self.path(f"tools/{tool}"), "#!/bin/sh\nkill $PPID\n", 0o755)
        self.assertEqual(self.run_script("9", script=self.path("queens"), cwd="/", stdin="x"), (7, "9|", ""))

    def test_changed_source_is_built(self):
        if self.run_script().returncode == SYSTEM:
            self.skipTest("packages that the build needs are not installed")
        later = time.time() + 2
        write(self.source, PROGRAM + "#error broken on purpose\n")
        os.utime(self.source, (later, later))
        for _ in range(2):
            result = self.run_script("8")
            self.assertEqual(result[:2], (SYSTEM, ""))
            self.assertIn("broken on purpose", result.stderr)
            self.assertRegex(result.stderr, r"nqueens: [^\n]*setup\.log\n\Z")
        write(self.source, PROGRAM)
        self.assertEqual(self.run_script("8")[:2], (DONE, "8|"))
        self.assertEqual(self.run_script("8"), (DONE, "8|", ""))


APT = r"""#!/bin/sh
# Writes down how it was called. A lock is held for so many calls as FAKE_LOCKED says; FAKE_SAYS is what
# an update says, and fails with.
case "$*" in
*--print-uris*) printf "$FAKE_PLAN" && exit ;;
*update*) echo update >>"$FAKE/calls" ;;
*) echo install >>"$FAKE/calls" ;;
esac
if [ "$(wc -l <"$FAKE/calls")" -le "$FAKE_LOCKED" ]; then
    echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
    exit 100
fi
printf '%s\n' "$FAKE_SAYS"
[ -z "$FAKE_SAYS" ]
"""
PLAN = """0 upgraded, 12 newly installed
Need to get 88.4 MB of archives.
'http://deb.debian.org/debian/pool/main/g/gcc.deb' gcc.deb 16456
"""
UNREACHABLE = """\
Err:1 http://deb.debian.org/debian bookworm InRelease
  Temporary failure resolving 'deb.debian.org'"""
SETUP = """#!/bin/sh
set -eu
root={root}
. "$root/scripts/setup"
need build
echo "the rest"
"""


class SetUp(FolderTest):
    """scripts/setup, with an apt-get of the test's own. No package is installed."""

    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(SOURCE, "scripts"), self.path("scripts"))
        os.mkdir(self.path("fake"))
        for name, text in (("apt-get", APT), ("dpkg-query", "#!/bin/sh\nexit 1\n"), ("id", "#!/bin/sh\necho 0\n"),
                           ("sleep", "#!/bin/sh\n")):
            write(self.path(f"fake/{name}"), text, 0o755)
        write(self.path("scripts/try"), SETUP.format(root=self.folder), 0o755)

    FETCHING = r"fetching .*/build/setup\.log.*"
    INSTALLING = r"installing gcc .* libxxhash-dev .*12 packages.*88\.4 MB.*"

    def assert_said(self, code, *lines, says="", plan=PLAN, locked="0", calls=(), **env):
        """stderr has these lines, which are patterns, and no others; apt-get got these calls."""
        write(self.path("fake/calls"), "")
        env = {"PATH": self.path("fake") + os.pathsep + os.environ["PATH"], "FAKE": self.path("fake"), "CI": None,
               "FAKE_SAYS": says, "FAKE_PLAN": plan, "FAKE_LOCKED": locked, "NQUEENS_INSTALL": "yes", **env}
        result = call([self.path("scripts/try")], env=env)
        self.assertEqual(result[:2], (code, "the rest\n" if code == DONE else ""), result.stderr)
        self.assertRegex(result.stderr, r"\A" + "".join(f"try: {line}\\n" for line in lines) + r"\Z")
        self.assertEqual(read(self.path("fake/calls")).split(), list(calls))

    def test_installs_what_is_missing_if_it_may(self):
        self.assert_said(SYSTEM, ".*apt-get install --no-install-recommends gcc .*", NQUEENS_INSTALL=None)
        self.assert_said(DONE, self.FETCHING, self.INSTALLING, r".*\d+ s", calls=["update", "install"])
        write(self.path("fake/dpkg-query"), "#!/bin/sh\necho ii\n", 0o755)
        self.assert_said(DONE)

    def test_waits_for_another_apt_but_not_for_ever(self):
        waiting = r"waiting .*process 7 \(apt-get\)"
        self.assert_said(DONE, self.FETCHING, waiting, self.INSTALLING, r".*\d+ s", locked="5",
                         calls=["update"] * 6 + ["install"])
        self.assert_said(SYSTEM, self.FETCHING, waiting, ".*600 s.*", locked="10000", calls=["update"] * 301)

    def test_without_network(self):
        for plan in (PLAN, ""):  # with package lists from before, and without any
            self.assert_said(SYSTEM, self.FETCHING, ".*deb.debian.org.*apt-get install .* gcc .*",
                             says=UNREACHABLE, plan=plan, calls=["update"])


def suite(name, *lines, result="OK"):
    return {"name": f"nqueens:unit / {name}", "stdout": "\n".join(lines), "result": result}


class Sums(FolderTest):
    def assert_sum(self, passed, failed, skipped, *suites):
        log = self.path("log")
        if suites:
            write(log, "".join(json.dumps(one) + "\n" for one in suites))
        code, stdout, _ = call([sys.executable, os.path.join(SOURCE, "scripts", "summarise-tests"), log])
        self.assertEqual((code, stdout.splitlines()[-1:]), (int(failed > 0 or passed == 0), [
            f"{passed} passed, {failed} failed, {skipped} skipped"]), stdout)
        return stdout

    def test_cases(self):
        """Of programs, of checks that add up themselves, and of Criterion, which explains a case after it."""
        said = self.assert_sum(2, 1, 1, suite("a", "# all well", "ok 1 - one", "# found 3", "not ok 2 - two",
                                              "ok three"), suite("b", "ok 1 # SKIP no disk"))
        self.assertIn("failed: nqueens:unit / a two\n# found 3\n", said)
        self.assertNotIn("all well", said)
        self.assertIn("skipped: 1 case: no disk\n", said)
        self.assert_sum(5, 2, 3, suite("a", "ok 1", "not ok 3", "4 passed, 2 failed, 3 skipped", result="FAIL"),
                        suite("b", "ok 1"))
        said = self.assert_sum(1, 2, 0, suite("a", "not ok - one", "  - x.c:1: why", "not ok - two",
                                              "  - x.c:2: because", "ok - three", result="FAIL"))
        self.assertIn("failed: nqueens:unit / a one\n  - x.c:1: why\n", said)

    def test_crashes_and_nothing_tested_or_built(self):
        self.assert_sum(0, 1, 0)
        self.assert_sum(0, 0, 1, suite("a", "ok 1 # SKIP"))
        for result in ("FAIL", "TIMEOUT", "ERROR"):
            self.assert_sum(1, 1, 0, suite("a", "ok 1", result=result))
