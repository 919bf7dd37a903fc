# SPDX-License-Identifier: MIT
"""Starts jobs of Open MPI, and finds and ends all processes that a test has started."""
import ctypes
import os
import re
import shutil
import signal
import tempfile
import time
import unittest

from ledgers import LedgerTest
from program import PATIENCE, call, content, printed

# The environment variable that marks the processes of a test. Its value is the test's folder.
MARK = "CLUSTER_TEST"
PR_SET_PDEATHSIG = 1  # from linux/prctl.h

# Folders for these tests are in memory if possible. On a disk, the megabytes that launchers write
# would delay a ledger, and Slurm might exceed its time limits.
MEMORY = "/dev/shm"
if os.access(MEMORY, os.W_OK):
    tempfile.tempdir = MEMORY

LAUNCHER = "mpirun.openmpi"
MPI_PROGRAM = os.environ.get("NQUEENS_OPENMPI", "")
RANK = "OMPI_COMM_WORLD_RANK"
# With the last setting Open MPI kills the ranks that are left at once, not after two seconds.
MPI_SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_odls_base_sigkill_timeout": "0",
}


def end_with_me():
    """Makes a child end as soon as its parent has ended. The child calls this before exec."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def told_of(process, what):
    """Returns what a file of /proc tells of a process, or an empty text if the process is gone."""
    try:
        return content(f"/proc/{process}/{what}").decode("utf-8", "replace")
    except OSError:
        return ""


def marked(folder, name=""):
    """Returns the processes that the test with this folder has started and whose names begin with
    `name`: a dict of their ids, each with its environment."""
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        variables = dict(
            pair.split("=", 1) for pair in told_of(process, "environ").split("\0") if "=" in pair
        )
        is_marked = variables.get(MARK) == folder
        # Slurm's own processes get only a part of the environment.
        is_slurm = variables.get("SLURM_CONF", "").startswith(folder + os.sep)
        if (is_marked or is_slurm) and told_of(process, "comm").startswith(name):
            found[int(process)] = variables
    return found


def is_mute():
    """Returns whether Open MPI no longer shows what its ranks write once it is told to end. Open
    MPI does so from version 5 on."""
    version = re.search(r"Open MPI\) (\d+)", call([LAUNCHER, "--version"]).stdout)
    return version is not None and int(version[1]) >= 5


def kill(processes, number=signal.SIGKILL):
    """Sends a signal to these processes, some of which may be gone."""
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def end_all(folder, name=""):
    """Kills the processes that marked() finds, and waits until they are gone."""
    end = time.monotonic() + PATIENCE
    while marked(folder, name) and time.monotonic() < end:
        kill(marked(folder, name))
        time.sleep(0.05)


def mpi_command(ranks, *arguments):
    """Returns the command that runs nqueens-mpi with this number of ranks and these arguments."""
    return [LAUNCHER, "--oversubscribe", "-n", str(ranks), MPI_PROGRAM, *arguments]


class Launching:
    """Prepares tests that start jobs of Open MPI. Skips them if Open MPI or nqueens-mpi is
    missing."""

    @classmethod
    def setUpClass(cls):
        if not MPI_PROGRAM:
            raise unittest.SkipTest("nqueens-mpi was not built with Open MPI")
        if shutil.which(LAUNCHER) is None:
            raise unittest.SkipTest(f"no {LAUNCHER}")
        super().setUpClass()

    def setUp(self):
        """Gives the launcher's own files a folder, which is deleted even if the launcher was
        killed."""
        super().setUp()
        folder = tempfile.mkdtemp(prefix="nq-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.places = {"TMPDIR": folder, "OMPI_MCA_btl_vader_backing_directory": folder}


class MpiTest(Launching, LedgerTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(end_all, self.folder)

    def settings(self, more=None):
        """Returns the environment variables of a job, together with `more`."""
        return {**MPI_SETTINGS, **self.places, MARK: self.folder, **(more or {})}

    def run_mpi(self, ranks, *arguments, env=None, **how):
        """Runs a job. Returns its exit code and output."""
        return call(mpi_command(ranks, *arguments), env=self.settings(env), **how)

    def launch_mpi(self, ranks, *arguments, env=None, **how):
        """Starts a job, and returns at once."""
        return self.launch(
            program=mpi_command(ranks, *arguments),
            env=self.settings(env),
            preexec_fn=end_with_me,
            **how,
        )

    def assert_mpi_answers(self, answer, ranks, *arguments, **how):
        """Runs a job. Asserts that it prints exactly this on stdout, at most warnings on stderr,
        and exits with 0."""
        result = self.run_mpi(ranks, *arguments, **how)
        self.assertEqual(result[:2], (0, answer), f"{ranks} ranks, {arguments}: {result.stderr}")
        self.assertEqual(self.said(result.stderr), [])

    def assert_mpi_right(self, ranks, n, ledger, *options):
        """Starts or resumes a count with the ledger. Asserts that the job prints the right total,
        and that the ledger then has all units."""
        self.assert_mpi_answers(printed(n), ranks, str(n), "--ledger", ledger, *options)
        self.assert_complete(n, ledger)

    def said(self, stderr):
        """Returns the program's lines on stderr, without its warnings and without the launcher's
        lines."""
        return re.findall(r"^nqueens-mpi: (?!warning: ).*\n", stderr, re.M)

    def assert_said(self, stderr, *named):
        """Asserts that the program wrote one line to stderr, apart from warnings, and that this
        line contains these texts."""
        self.assert_one_message("".join(self.said(stderr)), *named, program="nqueens-mpi")

    def assert_mpi_fails(self, result, *named):
        """Asserts that the exit code is not 0, that stdout has no count, and that the program
        writes one message, which contains these texts."""
        self.assertNotEqual(result.returncode, 0, result.stderr)
        self.assertNotRegex(result.stdout, r"(?m)^\d+$")
        # Open MPI 5 may drop what a rank writes just before it calls MPI_Abort.
        if self.said(result.stderr) or "prterun has exited due to process" not in result.stderr:
            self.assert_said(result.stderr, *named)

    def ranks(self):
        """Returns a dict of the job's processes by rank.

        A driver may fork a child of a rank. The child has the environment of the rank, and also its
        name, until it begins another program. Of two such processes, the older one is the rank.
        """
        found = {}
        processes = marked(self.folder, "nqueens-mpi")
        for process in sorted(processes, reverse=True):
            if RANK in processes[process]:
                found[int(processes[process][RANK])] = process
        return found

    def wait_for_ranks(self, number, process):
        """Waits until the job has this number of ranks. Returns what ranks() returns."""
        self.wait_until(lambda: len(self.ranks()) >= number, "the ranks do not start", process)
        return self.ranks()

    def assert_all_end(self):
        """Asserts that no process outlives the job."""
        self.wait_until(lambda: not marked(self.folder), "left behind")
