"""scripts/nqueens builds the program if it is missing or old, and runs it. The scripts work from any
folder, say little, and install packages only if they may.

The tests use copies of the source tree or of the scripts."""
import os
import re
import shutil
import tempfile
import time
import unittest

from installed import copy_tree
from program import DONE, SOURCE, SYSTEM, USAGE, FolderTest, ProgramTest, call, printed, read, write


class Script(ProgramTest):
    @classmethod
    def setUpClass(cls):
        """Copies what a build needs, into a folder whose name needs quoting, and builds."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root, tools = os.path.join(folder.name, "a folder's copy"), os.path.join(folder.name, "tools")
        copy_tree(cls.root, "scripts", "src", "include", "bench", "tools", "completions", "man", "python")
        for part in ("examples", "tests"):
            os.mkdir(os.path.join(cls.root, part))
            write(os.path.join(cls.root, part, "meson.build"), "")
        # The tests install nothing: they are skipped if a package is missing.
        os.mkdir(tools)
        for tool in ("apt-get", "sudo"):
            write(os.path.join(tools, tool), "#!/bin/sh\nexit 1\n", 0o755)
        # With CI set, set-up prints what it otherwise keeps in the log.
        # Without optimisation the program is built in half the time.
        cls.env = {"PATH": tools + os.pathsep + os.environ["PATH"], "CI": "", "CFLAGS": "-O0"}
        cls.script = os.path.join(cls.root, "scripts", "nqueens")
        cls.first = cls.run_script("8")
        if cls.first.returncode == SYSTEM and "could not install" in cls.first.stderr:
            raise unittest.SkipTest("packages that the build needs are not installed")
        cls.log = os.path.join(cls.root, "build", "setup.log")
        cls.logged = read(cls.log)

    @classmethod
    def run_script(cls, *arguments, env=None, script=None, **how):
        return call([script or cls.script, *arguments], env={**cls.env, **(env or {})}, **how)

    def test_first_call_builds_and_keeps_stdout_clean(self):
        self.assertEqual(self.first[:2], (DONE, printed(8)), self.first.stderr)
        self.assertRegex(self.first.stderr, rf"\Anqueens: .*{re.escape(self.log)}.*\nnqueens: .*\d+ s\n\Z")
        self.assertRegex(self.logged, r"(?s)The Meson build system.*ninja: Entering directory")

    def test_second_call_starts_no_tool_that_takes_time(self):
        with tempfile.TemporaryDirectory() as folder:
            for tool in ("apt-get", "dpkg-query", "meson", "ninja", "pkg-config", "python3"):
                write(os.path.join(folder, tool), "#!/bin/sh\nkill $PPID\n", 0o755)
            env = {"PATH": folder + os.pathsep + os.environ["PATH"]}
            self.assertEqual(self.run_script("8", "5", env=env), (DONE, printed(8, 5), ""))

    def test_by_relative_path_and_symbolic_links(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(self.script, os.path.join(folder, "nq"))
            os.symlink("nq", os.path.join(folder, "queens"))
            env = {"PATH": os.pathsep.join([folder, self.env["PATH"]]), "CDPATH": self.root}
            for script, where in (("scripts/nqueens", self.root), ("queens", "/")):
                self.assertEqual(self.run_script("8", script=script, cwd=where, env=env),
                                 (DONE, printed(8), ""))

    def test_arguments_streams_and_exit_code_are_the_programs(self):
        self.assertEqual(self.run_script("-", stdin="4 8"), (DONE, printed(4, 8), ""))
        self.assert_fails(USAGE, self.run_script("8 9", ""), "'8 9'")

    def test_changed_source_is_built(self):
        main = os.path.join(self.root, "src", "cli", "main.c")
        good, later = read(main), time.time() + 2
        write(main, good + "#error broken on purpose\n")
        os.utime(main, (later, later))
        for _ in range(2):
            result = self.run_script("8")
            self.assertEqual(result[:2], (SYSTEM, ""))
            self.assertIn("broken on purpose", result.stderr)
            self.assertRegex(result.stderr, r"nqueens: [^\n]*setup\.log\n\Z")
            self.assertLess(result.stderr.count("\n"), 30)
        write(main, good)
        self.assertEqual(self.run_script("8")[:2], (DONE, printed(8)))
        self.assertEqual(self.run_script("8"), (DONE, printed(8), ""))


APT = r"""#!/bin/sh
# Does what the files of this folder say; writes down how it was called.
case "$*" in
*--print-uris*) cat "$FAKE/plan" && exit ;;
*update*) what=update ;;
*) what=install ;;
esac
echo "$what" >>"$FAKE/calls"
left=$(cat "$FAKE/$what.locked")
if [ "$left" -gt 0 ]; then
    echo $((left - 1)) >"$FAKE/$what.locked"
    echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
    echo "E: Unable to lock directory /var/lib/apt/lists/"
    exit 100
fi
cat "$FAKE/$what.says"
exit "$(cat "$FAKE/$what.code")"
"""
PLAN = """\
The following NEW packages will be installed:
  gcc meson
0 upgraded, 12 newly installed, 0 to remove and 3 not upgraded.
Need to get 88.4 MB of archives.
'http://deb.debian.org/debian/pool/main/g/gcc-defaults/gcc_12.2.0-3_amd64.deb' gcc.deb 16456
"""
UNREACHABLE = """\
Err:1 http://deb.debian.org/debian bookworm InRelease
  Temporary failure resolving 'deb.debian.org'
W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease
"""
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
        self.fake = self.path("fake")
        os.mkdir(self.fake)
        self.tool("apt-get", APT)
        self.tool("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.tool("id", "#!/bin/sh\necho 0\n")
        self.tool("sleep", "#!/bin/sh\n")
        self.says(plan=PLAN, update_says="", update_code="0", update_locked="0", install_says="",
                  install_code="0", install_locked="0")
        self.script = self.path("scripts/try")
        write(self.script, SETUP.format(root=self.folder), 0o755)
        self.log = self.path("build/setup.log")

    def tool(self, name, text):
        write(os.path.join(self.fake, name), text, 0o755)

    def says(self, **files):
        for name, text in files.items():
            write(os.path.join(self.fake, name.replace("_", ".")), text)

    def run_script(self, **env):
        return call([self.script], env={"PATH": self.fake + os.pathsep + os.environ["PATH"], "FAKE": self.fake,
                                        "CI": None, "NQUEENS_INSTALL": "yes", **env})

    def assert_called(self, *calls):
        """The calls of apt-get that change or fetch something."""
        file = os.path.join(self.fake, "calls")
        self.assertEqual(read(file).split() if os.path.exists(file) else [], list(calls))

    def assert_said(self, result, code, *lines):
        """stderr has these lines, which are patterns, and no others."""
        self.assertEqual(result[:2], (code, "the rest\n" if code == DONE else ""), result.stderr)
        self.assertRegex(result.stderr, r"\A" + "".join(f"try: {line}\\n" for line in lines) + r"\Z")

    FETCHING = r"fetching .*/build/setup\.log.*"
    INSTALLING = r"installing gcc .* libxxhash-dev .*12 packages.*88\.4 MB.*"
    INSTALLED = r".*\d+ s"

    def test_installs(self):
        self.says(install_says="Unpacking gcc\n")
        self.assert_said(self.run_script(), DONE, self.FETCHING, self.INSTALLING, self.INSTALLED)
        self.assert_called("update", "install")
        self.assertEqual(read(self.log), "Unpacking gcc\n")

    def test_nothing_is_missing_or_may_be_installed(self):
        result = self.run_script(NQUEENS_INSTALL=None)
        self.assert_said(result, SYSTEM, ".*apt-get install --no-install-recommends gcc .*")
        self.tool("dpkg-query", "#!/bin/sh\necho ii\n")
        self.assert_said(self.run_script(), DONE)
        self.assert_called()

    def test_waits_for_another_apt_but_not_for_ever(self):
        self.says(update_locked="5", install_locked="3")
        self.assert_said(self.run_script(), DONE, self.FETCHING, r"waiting .*process 7 \(apt-get\)",
                         self.INSTALLING, self.INSTALLED)
        self.assert_called(*["update"] * 6, *["install"] * 4)
        self.says(install_locked="10000")
        self.assert_said(self.run_script(), SYSTEM, self.FETCHING, self.INSTALLING, "waiting .*", ".*600 s.*")

    def test_without_network(self):
        """With package lists from before, and without any."""
        for plan in (PLAN, ""):
            self.says(update_says=UNREACHABLE, plan=plan)
            self.assert_said(self.run_script(), SYSTEM, self.FETCHING,
                             ".*deb.debian.org.*apt-get install .* gcc .*")
        self.assert_called("update", "update")

    def test_other_failures_are_shown(self):
        self.says(install_says="line\n" * 1000 + "E: dpkg was interrupted\n", install_code="100")
        result = self.run_script()
        self.assertEqual(result[:2], (SYSTEM, ""))
        self.assertRegex(result.stderr, rf"E: dpkg was interrupted\ntry: .*gcc .*{self.log}\n\Z")
        self.assertLess(result.stderr.count("\n"), 30)

    def test_without_apt_the_build_is_tried_and_a_failure_names_the_packages(self):
        self.tool("meson", "#!/bin/sh\necho ERROR: no hwloc\nexit 1\n")
        bare = os.path.join(self.fake, "bare")
        os.mkdir(bare)
        for name in ("cut", "date", "id", "mkdir", "sh", "tail", "wc"):
            os.symlink(shutil.which(name), os.path.join(bare, name))
        os.symlink(os.path.join(self.fake, "meson"), os.path.join(bare, "meson"))
        write(self.script, read(self.script) + 'configure_tree "$root/build"\n', 0o755)
        result = self.run_script(PATH=bare)
        self.assertEqual(result[:2], (SYSTEM, "the rest\n"), result.stderr)
        self.assertRegex(result.stderr, r"(?s)ERROR: no hwloc\ntry: .*\ntry: [^\n]*gcc [^\n]*\n\Z")


class Others(FolderTest):
    """Scripts that need no build to say how they are used."""

    def test_jobs_without_slurm_leave_nothing_behind(self):
        for name in ("bash", "dirname", "readlink", "mkdir"):
            os.symlink(shutil.which(name), self.path(name))
        script = os.path.join(SOURCE, "scripts", "slurm", "submit-array")
        result = call([script, "20", "4", self.path("jobs")], env={"PATH": self.folder})
        self.assertEqual(result[:2], (SYSTEM, ""))
        self.assert_one_message(result.stderr, "sbatch", program="submit-array")
        self.assertFalse(os.path.exists(self.path("jobs")))
