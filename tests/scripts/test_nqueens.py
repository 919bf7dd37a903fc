# SPDX-License-Identifier: MIT
"""Tests copies of scripts. scripts/nqueens builds the program if it is missing or old, and runs it;
its copy builds a program of a few lines. tools/version finds the commit, scripts/summarise-tests
says what to install, and scripts/compare says what became slower."""
import concurrent.futures
import json
import os
import re
import shutil
import tempfile
import time
import unittest

from program import DONE, SOURCE, SYSTEM, FolderTest, call, read, succeed, write

PROGRAM = """\
#include <fcntl.h>
#include <stdio.h>

int main(int count, char **argument) {
    if (fcntl(9, F_GETFD) != -1)
        printf("the lock is kept");
    for (int i = 1; i < count; i++)
        printf("%s|", argument[i]);
    return getchar() == 'x' ? 7 : 0;
}
"""


class Script(FolderTest):
    """The script is in a folder whose name needs quoting, and may not install anything."""

    def setUp(self):
        super().setUp()
        self.root, tools = self.path("a folder's copy"), self.path("tools")
        shutil.copytree(os.path.join(SOURCE, "scripts"), os.path.join(self.root, "scripts"))
        for folder in ("src", "include", "bench"):
            os.mkdir(os.path.join(self.root, folder))
        self.source = os.path.join(self.root, "src", "main.c")
        for name, text in (
            ("meson.build", "project('small', 'c')\nsubdir('src')\n"),
            ("meson_options.txt", "option('tests', type: 'feature')\n"),
            ("src/main.c", PROGRAM),
            ("src/meson.build", "executable('nqueens', 'main.c')\n"),
        ):
            write(os.path.join(self.root, name), text)
        os.mkdir(tools)
        for tool in ("apt-get", "sudo"):
            write(os.path.join(tools, tool), "#!/bin/sh\nexit 1\n", 0o755)
        # With CI set, scripts/setup would print what it otherwise keeps in the log.
        self.env = {"PATH": tools + os.pathsep + os.environ["PATH"], "CI": "", "CDPATH": self.root}
        self.log = os.path.join(self.root, "build", "setup.log")

    def run_script(self, *arguments, script="scripts/nqueens", **how):
        """Runs a script in the folder. Skips the test if the script needs packages that are not
        installed."""
        result = call([script, *arguments], **{"cwd": self.root, "env": self.env, **how})
        if result.returncode == SYSTEM and "could not install" in result.stderr:
            self.skipTest("packages that the build needs are not installed")
        return result

    def test_calls_at_once_wait_for_the_one_that_builds(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(self.run_script, "1234"))
        self.assertEqual(
            [result[:2] for result in results], [(DONE, f"{i}|") for i in "1234"], results
        )

    def test_builds_what_is_old_and_keeps_arguments_streams_and_exit_code(self):
        """The script does all of this even if there is no flock."""
        write(self.path("tools/flock"), "#!/bin/sh\nexit 127\n", 0o755)
        first = self.run_script("8", "a b")
        self.assertEqual(first[:2], (DONE, "8|a b|"), first.stderr)
        self.assertRegex(
            first.stderr, rf"\Anqueens: .*{re.escape(self.log)}.*\nnqueens: .*\d+ s\n\Z"
        )
        self.assertRegex(read(self.log), r"(?s)The Meson build system.*ninja: Entering directory")
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
        write(os.path.join(self.root, "include", "nqueens.h"), "")
        self.assertIn(" built in ", self.run_script("8").stderr)
        self.assertEqual(self.run_script("8"), (DONE, "8|", ""))
        os.symlink(os.path.join(self.root, "scripts", "nqueens"), self.path("nq"))
        os.symlink("nq", self.path("queens"))
        # From now on, a tool that is started kills the script.
        for tool in ("dpkg-query", "meson", "ninja", "pkg-config", "python3"):
            write(self.path(f"tools/{tool}"), "#!/bin/sh\nkill $PPID\n", 0o755)
        self.assertEqual(
            self.run_script("9", script=self.path("queens"), cwd="/", stdin="x"), (7, "9|", "")
        )


class Version(FolderTest):
    """What tools/version says of version 1.2.3 of a small repository."""

    GIT = {
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_AUTHOR_NAME": "me",
        "GIT_AUTHOR_EMAIL": "me",
        "GIT_COMMITTER_NAME": "me",
        "GIT_COMMITTER_EMAIL": "me",
    }

    def setUp(self):
        super().setUp()
        if shutil.which("git") is None:
            self.skipTest("git is not installed")
        self.root = self.path("around/a tree")
        os.makedirs(os.path.join(self.root, "tools"))
        script = read(os.path.join(SOURCE, "tools", "version"))
        # `git archive` replaces this line. If the tests run in an archive, it is replaced already.
        placeholder = "# archived: $Format:%H %(describe:match=v*)$"
        script = re.sub("(?m)^# archived: .*", placeholder, script)
        write(os.path.join(self.root, "tools", "version"), script, 0o755)
        shutil.copy(os.path.join(SOURCE, ".gitattributes"), self.root)

    def git(self, script, root=None):
        """Runs a shell script with git in the repository. Returns its stdout."""
        return succeed("sh", "-euc", script, cwd=root or self.root, env=self.GIT)

    def commit(self, root=None):
        """Commits all files. Returns what the version of this commit has in addition to the
        number."""
        self.git("git init -q; git add .; git commit -qm so --allow-empty", root)
        return "+" + self.git("git rev-parse HEAD", root)[:7]

    def assert_version(self, more, root=None, packaged="", **env):
        """Asserts that tools/version prints 1.2.3 with this addition."""
        script = os.path.join(root or self.root, "tools", "version")
        self.assertEqual(
            call([script, "1.2.3", packaged], cwd="/", env=env),
            (DONE, f'#define NQ_BUILT_VERSION "1.2.3{more}"\n', ""),
        )

    def assert_committed(self, more):
        """Asserts the version of the checkout, and of an archive that git makes of it."""
        self.assert_version(more)
        archived = tempfile.mkdtemp(dir=self.folder)
        self.git(f"git archive HEAD | tar -xC {archived}")
        self.assert_version(more, archived)

    def test_commit_tag_and_changes_of_a_checkout(self):
        first = self.commit()
        write(os.path.join(self.root, "file"), "not tracked")
        self.assert_committed(first)
        self.git("git tag -a v1.2.3 -m released")
        self.assert_committed("")
        self.git("git add file")
        self.assert_version(first + ".dirty")
        second = self.commit()
        self.assert_committed(second)
        self.git("git worktree add -q ../../other HEAD~")
        self.assert_version("", self.path("other"))
        self.assert_version(
            second, GIT_TEST_ASSUME_DIFFERENT_OWNER="1", GIT_DIR=self.path("other/.git")
        )

    def test_of_a_package_where_no_commit_is_known(self):
        self.assert_version("", packaged="1.2.3")
        self.assert_version("~rc1", packaged="1.2.3~rc1")
        self.assert_version(self.commit(), packaged="1.2.3")

    def test_no_git_no_repository_or_that_of_another_project(self):
        self.assert_version("+unknown")
        self.commit(self.path("around"))
        self.assert_version("+unknown")
        self.commit()
        os.mkdir(self.path("tools"))
        for tool in ("cut", "dirname", "sed"):
            os.symlink(shutil.which(tool), self.path("tools/" + tool))
        self.assert_version("+unknown", PATH=self.path("tools"))


class Summary(FolderTest):
    def test_names_packages_of_which_no_version_is_installed(self):
        """The reason "tool 14 is not installed" names no package to install, because another
        version of the tool may be installed."""
        skips = "ok 1 - a # SKIP tool 14 is not installed\nok 2 - b # SKIP shell is not installed\n"
        write(self.path("log"), json.dumps({"name": "suite", "result": "OK", "stdout": skips}))
        result = call([os.path.join(SOURCE, "scripts", "summarise-tests"), self.path("log")])
        self.assertIn("\nto run these, install shell\n", result.stdout)


class Compare(unittest.TestCase):
    def test_ratios_and_their_intervals(self):
        """The intervals are those of the sign test, as its tables have them for 6 and 15 pairs."""
        compare = {"__name__": "compare"}
        exec(read(os.path.join(SOURCE, "scripts", "compare")), compare)
        compare["timed"] = lambda program, case: ({"old": 2, "new": 3}[program], case)
        self.assertEqual(compare["ratios_of_pairs"]("old", "new", "8", 3), [1.5, 1.5, 1.5])
        for count, interval in ((6, (1, 6)), (15, (4, 12))):
            self.assertEqual(compare["interval_of_median"](range(1, count + 1)), interval)
