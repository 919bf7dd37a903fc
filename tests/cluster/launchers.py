# SPDX-License-Identifier: MIT
"""Launchers of many processes: the MPIs for which nqueens-mpi was built, and how to find and end
all processes that a test has started."""
import ctypes
import glob
import os
import re
import shutil
import signal
import socket
import tempfile
import time
import unittest

from ledgers import LedgerTest
from program import PATIENCE, call, caught_signals, content, printed

# Set to the test's folder in all processes that a test starts.
MARK = "CLUSTER_TEST"
PR_SET_PDEATHSIG = 1  # linux/prctl.h

# Folders for these tests are in memory if possible: launchers write megabytes, which would delay a
# ledger on the same disk, and Slurm has time limits.
MEMORY = "/dev/shm"
if os.access(MEMORY, os.W_OK):
    tempfile.tempdir = MEMORY

# Files of shared memory. Ranks unlink them once all have mapped them, unless they are killed.
SHARED = (MEMORY + "/mpich_shar_tmp*", MEMORY + "/ucx_shm_*")
SHARED_YOUNG = 10  # seconds


def end_with_me():
    """Called between fork and exec: the process ends with this one."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def told_of(process, what):
    """What /proc tells; empty if the process is gone."""
    try:
        return content(f"/proc/{process}/{what}").decode("utf-8", "replace")
    except OSError:
        return ""


def marked(folder, name=""):
    """The processes that the test with this folder has started and whose names begin with `name`:
    {id: environment}."""
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        variables = dict(pair.split("=", 1) for pair in told_of(process, "environ").split("\0") if "=" in pair)
        # Slurm passes only a part of the environment to its own processes.
        ours = variables.get(MARK) == folder or variables.get("SLURM_CONF", "").startswith(folder + os.sep)
        if ours and told_of(process, "comm").startswith(name):
            found[int(process)] = variables
    return found


def kill(processes, number=signal.SIGKILL):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def end_all(folder, name=""):
    """Kills the processes that `marked` finds, and waits until they are gone."""
    end = time.monotonic() + PATIENCE
    while marked(folder, name) and time.monotonic() < end:
        kill(marked(folder, name))
        time.sleep(0.05)


def shared_files():
    return {file for pattern in SHARED for file in glob.glob(pattern)}


def is_mapped(file):
    """Some process has mapped the file."""
    return any(file in told_of(process, "maps") for process in filter(str.isdigit, os.listdir("/proc")))


def remove_shared(before):
    """Removes files that killed ranks left, except those in `before`. A young file may belong to
    a rank of another test that is about to map it: without it, that job would end in MPI_Init."""
    for file in shared_files() - before:
        try:
            while not is_mapped(file):
                if time.time() - os.stat(file).st_mtime > SHARED_YOUNG:
                    os.unlink(file)
                time.sleep(0.1)
        except FileNotFoundError:
            pass  # removed, by its ranks or here


def launcher_files(test):
    """A folder for the launcher's own files, which `test` removes even after kills."""
    folder = tempfile.mkdtemp(prefix="nq-")
    test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
    return {"TMPDIR": folder, "OMPI_MCA_btl_vader_backing_directory": folder}


def need_network():
    """Skips tests where launchers would wait for seconds."""
    try:
        socket.gethostbyname("localhost")
    except OSError as error:
        raise unittest.SkipTest("'localhost' is not known here") from error


class Mpi:
    """One of the MPIs of this machine."""

    def __init__(self, name, options=(), ranks="PMI_RANK", env=None):
        self.name, self.launcher = name, "mpirun." + name.lower()
        self.program, self.other = (os.environ.get(f"NQUEENS_{name.upper()}{end}", "")
                                    for end in ("", "_OTHER"))
        self.options, self.rank_variable, self.settings = options, ranks, env or {}

    def need(self):
        """Skips tests where this MPI is not installed."""
        if not self.program:
            raise unittest.SkipTest(f"nqueens-mpi was not built with {self.name}")
        if shutil.which(self.launcher) is None:
            raise unittest.SkipTest(f"no {self.launcher}")
        need_network()

    def is_mute(self):
        """Open MPI from 5 on shows nothing of its ranks once it is told to end."""
        version = re.search(r"Open MPI\) (\d+)", call([self.launcher, "--version"]).stdout)
        return version is not None and int(version[1]) >= 5

    def command(self, ranks, *arguments):
        return [self.launcher, *self.options, "-n", str(ranks), self.program, *arguments]


# Without the wait of two seconds that Open MPI makes before it kills the ranks that are left.
OPENMPI = Mpi("OpenMPI", ("--oversubscribe",), "OMPI_COMM_WORLD_RANK",
              {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_odls_base_sigkill_timeout": "0"})
# The one that these tests are run with: see meson.build.
MPI = Mpi("MPICH") if os.environ.get("CLUSTER_MPI") == "mpich" else OPENMPI


class Launching:
    """What tests need that start an MPI."""

    mpi = MPI

    @classmethod
    def setUpClass(cls):
        cls.mpi.need()
        cls.addClassCleanup(remove_shared, shared_files())
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.places = launcher_files(self)


class MpiTest(Launching, LedgerTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(end_all, self.folder)

    def settings(self, more=None):
        return {**self.mpi.settings, **self.places, MARK: self.folder, **(more or {})}

    def run_mpi(self, ranks, *arguments, env=None, **how):
        return call(self.mpi.command(ranks, *arguments), env=self.settings(env), **how)

    def launch_mpi(self, ranks, *arguments, env=None, **how):
        return self.launch(program=self.mpi.command(ranks, *arguments), env=self.settings(env),
                           preexec_fn=end_with_me, **how)

    def assert_mpi_answers(self, answer, ranks, *arguments, **how):
        """The job prints this on stdout, at most warnings on stderr, and exits with 0."""
        result = self.run_mpi(ranks, *arguments, **how)
        self.assertEqual(result[:2], (0, answer), f"{ranks} ranks, {arguments}: {result.stderr}")
        self.assertEqual(self.said(result.stderr), [])

    def assert_mpi_right(self, ranks, n, ledger, *options):
        """Starts or resumes a count with the ledger; its total is right, and then in the ledger."""
        self.assert_mpi_answers(printed(n), ranks, str(n), "--ledger", ledger, *options)
        self.assert_complete(n, ledger)

    def said(self, stderr):
        """The program's lines on stderr, without warnings and the launcher's lines."""
        return re.findall(r"^nqueens-mpi: (?!warning: ).*\n", stderr, re.M)

    def assert_said(self, stderr, *named):
        """These lines are one, with all these words in it."""
        self.assert_one_message("".join(self.said(stderr)), *named, program="nqueens-mpi")

    def assert_mpi_fails(self, result, *named):
        """The exit code is not 0, the program writes one line, and stdout has no count."""
        self.assertNotEqual(result.returncode, 0, result.stderr)
        self.assertNotRegex(result.stdout, r"(?m)^\d+$")
        # Open MPI 5 may drop what a rank says just before MPI_Abort.
        if self.said(result.stderr) or "prterun has exited due to process" not in result.stderr:
            self.assert_said(result.stderr, *named)

    def ranks(self):
        """The living processes by rank."""
        return {int(variables[self.mpi.rank_variable]): process
                for process, variables in marked(self.folder, "nqueens-mpi").items()
                if self.mpi.rank_variable in variables}

    def wait_for_ranks(self, number, process):
        """Waits until so many ranks are there."""
        end = time.monotonic() + PATIENCE
        while len(self.ranks()) < number:
            self.assertIsNone(process.poll(), "ended before that")
            self.assertLess(time.monotonic(), end, "the ranks do not start")
            time.sleep(0.02)
        return self.ranks()

    def assert_all_end(self):
        """No process outlives the job, but a rank within MPI_Init: that of Open MPI 5 may wait for ever
        for a launcher that was killed."""
        begun = time.monotonic()
        while marked(self.folder):
            waited = time.monotonic() - begun
            self.assertLess(waited, PATIENCE, "left behind")
            for process in self.ranks().values() if waited > PATIENCE / 20 and self.mpi is OPENMPI else ():
                try:  # ranks catch signals as soon as MPI_Init is done
                    if signal.SIGTERM not in caught_signals(process):
                        kill([process])
                except FileNotFoundError:
                    pass  # it is gone
            time.sleep(0.02)
