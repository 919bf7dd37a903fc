"""scripts/nqueens builds the program if it is missing or old, and runs it. The scripts work from any
folder, say little, and install packages only if they may.

The tests use copies of the source tree or of the scripts."""
import os
import re
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
        for part in ("scripts", "src", "include", "bench", "tools", "completions", "man", "python"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(cls.root, part))
        for part in ("meson.build", "meson_options.txt"):
            shutil.copy2(os.path.join(SOURCE, part), cls.root)
        for part in ("examples", "tests"):
            os.mkdir(os.path.join(cls.root, part))
            write(os.path.join(cls.root, part, "meson.build"), "")
        # The tests install nothing: they are skipped if a package is missing.
        tools = os.path.join(folder.name, "tools")
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
        with open(cls.log) as file:
            cls.logged = file.read()

    @classmethod
    def run_script(cls, *arguments, env=None, script=None, **how):
        how.setdefault("timeout", 200)
        return call([script or cls.script, *arguments], env={**cls.env, **(env or {})}, **how)

    def assert_prints(self, result, stdout):
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, stdout, ""))

    def test_first_call_builds_and_keeps_stdout_clean(self):
        self.assertEqual((self.first.returncode, self.first.stdout), (DONE, printed(8)),
                         self.first.stderr)
        self.assertRegex(self.first.stderr, rf"\Anqueens: building \(log: {re.escape(self.log)}\)\n"
                                            r"nqueens: built in \d+ s\n\Z")
        self.assertRegex(self.logged, r"(?s)The Meson build system.*ninja: Entering directory")

    def test_second_call_only_runs(self):
        """It starts no tool that takes time."""
        with tempfile.TemporaryDirectory() as folder:
            for tool in ("apt-get", "dpkg-query", "meson", "ninja", "pkg-config", "python3"):
                write(os.path.join(folder, tool), "#!/bin/sh\nkill $PPID\n", 0o755)
            env = {"PATH": folder + os.pathsep + os.environ["PATH"]}
            self.assert_prints(self.run_script("8", "5", env=env), printed(8, 5))

    def test_by_relative_path_and_symbolic_links(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(self.script, os.path.join(folder, "nq"))
            os.symlink("nq", os.path.join(folder, "queens"))
            env = {"PATH": os.pathsep.join([folder, self.env["PATH"]]), "CDPATH": self.root}
            for script, where in (("scripts/nqueens", self.root), ("./nqueens", os.path.dirname(self.script)),
                                  ("queens", "/"), (os.path.join(folder, "nq"), "/")):
                with self.subTest(script=script):
                    self.assert_prints(self.run_script("8", script=script, cwd=where, env=env), printed(8))

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
        for _ in range(2):
            result = self.run_script("8")
            self.assertEqual((result.returncode, result.stdout), (SYSTEM, ""))
            self.assertIn("broken on purpose", result.stderr)
            self.assertRegex(result.stderr, r"nqueens: the build failed; the whole log is /.*\n\Z")
            self.assertLess(result.stderr.count("\n"), 30)
        write(main, good)
        result = self.run_script("8")
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(8)), result.stderr)
        self.assert_prints(self.run_script("8"), printed(8))


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
Ign:1 http://{0}/debian bookworm InRelease
Err:1 http://{0}/debian bookworm InRelease
  Temporary failure resolving '{0}'
W: Failed to fetch http://{0}/debian/dists/bookworm/InRelease  Temporary failure resolving '{0}'
W: Some index files failed to download. They have been ignored, or old ones used instead.
"""
SETUP = """#!/bin/sh
set -eu
root={root}
. "$root/scripts/setup"
need build
echo "the rest"
"""


class SetUp(ProgramTest):
    """scripts/setup, with an apt-get of the test's own. No package is installed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.fake = os.path.join(folder.name, "root"), os.path.join(folder.name, "fake")
        shutil.copytree(os.path.join(SOURCE, "scripts"), os.path.join(self.root, "scripts"))
        os.mkdir(self.fake)
        self.tool("apt-get", APT)
        self.tool("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.tool("id", "#!/bin/sh\necho 0\n")
        self.tool("sleep", "#!/bin/sh\n")
        self.says(plan=PLAN, update_says="", update_code="0", update_locked="0", install_says="",
                  install_code="0", install_locked="0")
        self.script = os.path.join(self.root, "scripts", "try")
        write(self.script, SETUP.format(root=self.root), 0o755)
        self.log = os.path.join(self.root, "build", "setup.log")

    def tool(self, name, text):
        write(os.path.join(self.fake, name), text, 0o755)

    def says(self, **files):
        for name, text in files.items():
            write(os.path.join(self.fake, name.replace("_", ".")), text)

    def run_script(self, script=None, *arguments, env=None):
        return call([script or self.script, *arguments], env={
            "PATH": self.fake + os.pathsep + os.environ["PATH"], "FAKE": self.fake, "CI": None,
            "NQUEENS_INSTALL": "yes", **(env or {})})

    def calls(self):
        """The calls of apt-get that change or fetch something."""
        try:
            with open(os.path.join(self.fake, "calls")) as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def assert_said(self, result, code, *lines):
        """stderr has these lines, which are patterns, and no others."""
        self.assertEqual((result.returncode, result.stdout),
                         (code, "the rest\n" if code == DONE else ""), result.stderr)
        self.assertRegex(result.stderr, r"\A" + "".join(f"try: {line}\\n" for line in lines) + r"\Z")

    FETCHING = r"fetching the package lists \(log: /.*/build/setup\.log\)"
    INSTALLING = r"installing gcc .* libxxhash-dev \(12 packages, 88\.4 MB to download\)"
    INSTALLED = r"installed in \d+ s"

    def test_installs(self):
        self.says(install_says="Unpacking gcc\n")
        self.assert_said(self.run_script(), DONE, self.FETCHING, self.INSTALLING, self.INSTALLED)
        self.assertEqual(self.calls(), ["update", "install"])
        with open(self.log) as file:
            self.assertEqual(file.read(), "Unpacking gcc\n")

    def test_nothing_is_missing_or_may_be_installed(self):
        result = self.run_script(env={"NQUEENS_INSTALL": None})
        self.assert_said(result, SYSTEM, ".*: apt-get install --no-install-recommends gcc .*")
        self.tool("dpkg-query", "#!/bin/sh\necho ii\n")
        self.assert_said(self.run_script(), DONE)
        self.assertEqual(self.calls(), [])

    def test_waits_for_another_apt(self):
        self.says(update_locked="5", install_locked="3")
        self.assert_said(self.run_script(), DONE, self.FETCHING,
                         r"waiting for another apt: process 7 \(apt-get\)", self.INSTALLING,
                         self.INSTALLED)
        self.assertEqual(self.calls(), ["update"] * 6 + ["install"] * 4)
        self.says(install_locked="10000")  # it does not wait for ever
        self.assert_said(self.run_script(), SYSTEM, self.FETCHING, self.INSTALLING,
                         "waiting for another apt.*", "another apt is still at work after 600 s.*")

    def test_without_network(self):
        """With package lists from before, and without any."""
        for plan in (PLAN, ""):
            self.says(update_says=UNREACHABLE.format("deb.debian.org"), plan=plan)
            result = self.run_script()
            self.assert_said(result, SYSTEM, self.FETCHING,
                             "cannot reach deb.debian.org; .* by hand: apt-get install .* gcc .*")
        self.assertEqual(self.calls(), ["update"] * 2)

    def test_other_failures_are_shown(self):
        self.says(install_says="line\n" * 1000 + "E: dpkg was interrupted\n", install_code="100")
        result = self.run_script()
        self.assertEqual((result.returncode, result.stdout), (SYSTEM, ""))
        self.assertRegex(result.stderr, r"E: dpkg was interrupted\n"
                                        rf"try: could not install: gcc .*; the whole log is {self.log}\n\Z")
        self.assertLess(result.stderr.count("\n"), 30)

    def test_not_debian(self):
        """The build is tried; a failure names the packages."""
        self.tool("meson", "#!/bin/sh\necho ERROR: no hwloc\nexit 1\n")
        bare = os.path.join(self.fake, "bare")
        os.mkdir(bare)
        for name in ("cut", "date", "id", "mkdir", "sh", "tail", "wc"):
            os.symlink(shutil.which(name), os.path.join(bare, name))
        os.symlink(os.path.join(self.fake, "meson"), os.path.join(bare, "meson"))
        with open(self.script, "a") as file:
            file.write('configure_tree "$root/build"\n')
        result = self.run_script(env={"PATH": bare})
        self.assertEqual((result.returncode, result.stdout), (SYSTEM, "the rest\n"), result.stderr)
        self.assertRegex(result.stderr, r"(?s)ERROR: no hwloc\ntry: could not configure the build; .*"
                                        r"\ntry: the build needs what Debian calls: gcc .*\n\Z")


class Others(ProgramTest):
    """Scripts that need no build to say how they are used."""

    def test_help_of_the_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "t")
            os.symlink(os.path.join(SOURCE, "scripts", "test"), link)
            result = call([link, "--help"])
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            for word in ("usage: scripts/test", "all", "release", "passed"):
                self.assertIn(word, result.stdout)

    def test_jobs_without_slurm(self):
        """Nothing is left behind."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("bash", "dirname", "readlink", "mkdir"):
                os.symlink(shutil.which(name), os.path.join(folder, name))
            jobs = os.path.join(folder, "jobs")
            script = os.path.join(SOURCE, "scripts", "slurm", "submit-array")
            result = call([script, "20", "4", jobs], env={"PATH": folder})
            self.assertEqual((result.returncode, result.stdout), (SYSTEM, ""))
            self.assertRegex(result.stderr, r"\Asubmit-array: sbatch not found: .*\n\Z")
            self.assertFalse(os.path.exists(jobs))
