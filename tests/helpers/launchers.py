# SPDX-License-Identifier: MIT
"""Jobs of Open MPI: how to start one, and how to find and end all processes that a test has started."""
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

# Set to the test's folder in all processes that a test starts.
MARK = "CLUSTER_TEST"
PR_SET_PDEATHSIG = 1  # linux/prctl.h

# Folders for these tests are in memory if possible: launchers write megabytes, which would delay a
# ledger on the same disk, and Slurm has time limits.
MEMORY = "/dev/shm"
if os.access(MEMORY, os.W_OK):
    tempfile.tempdir = MEMORY

LAUNCHER = "mpirun.openmpi"
MPI_PROGRAM = os.environ.get("NQUEENS_OPENMPI", "")
RANK = "OMPI_COMM_WORLD_RANK"
# Without the wait of two seconds that Open MPI makes before it kills the ranks that are left.
MPI_SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_odls_base_sigkill_timeout": "0",
}


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
        variables = dict(
            pair.split("=", 1) for pair in told_of(process, "environ").split("\0") if "=" in pair
        )
        # Slurm passes only a part of the environment to its own processes.
        ours = variables.get(MARK) == folder or variables.get("SLURM_CONF", "").startswith(
            folder + os.sep
        )
        if ours and told_of(process, "comm").startswith(name):
            found[int(process)] = variables
    return found


def is_mute():
    """Open MPI from 5 on shows nothing of its ranks once it is told to end."""
    version = re.search(r"Open MPI\) (\d+)", call([LAUNCHER, "--version"]).stdout)
    return version is not None and int(version[1]) >= 5


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


def mpi_command(ranks, *arguments):
    return [LAUNCHER, "--oversubscribe", "-n", str(ranks), MPI_PROGRAM, *arguments]


class Launching:
    """What tests need that start an MPI."""

    @classmethod
    def setUpClass(cls):
        if not MPI_PROGRAM:
            raise unittest.SkipTest("nqueens-mpi was not built with Open MPI")
        if shutil.which(LAUNCHER) is None:
            raise unittest.SkipTest(f"no {LAUNCHER}")
        super().setUpClass()

    def setUp(self):
        """The launcher's own files have a folder, which is removed even after kills."""
        super().setUp()
        folder = tempfile.mkdtemp(prefix="nq-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.places = {"TMPDIR": folder, "OMPI_MCA_btl_vader_backing_directory": folder}


class MpiTest(Launching, LedgerTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(end_all, self.folder)

    def settings(self, more=None):
        return {**MPI_SETTINGS, **self.places, MARK: self.folder, **(more or {})}

    def run_mpi(self, ranks, *arguments, env=None, **how):
        return call(mpi_command(ranks, *arguments), env=self.settings(env), **how)

    def launch_mpi(self, ranks, *arguments, env=None, **how):
        return self.launch(
            program=mpi_command(ranks, *arguments),
            env=self.settings(env),
            preexec_fn=end_with_me,
            **how,
        )

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
        """The living processes by rank. A child that a driver has forked looks like one until it begins its own
        program: its parent is the older one."""
        return {
            int(variables[RANK]): process
            for process, variables in sorted(
                marked(self.folder, "nqueens-mpi").items(), reverse=True
            )
            if RANK in variables
        }

    def wait_for_ranks(self, number, process):
        """Waits until so many ranks are there."""
        self.wait_until(lambda: len(self.ranks()) >= number, "the ranks do not start", process)
        return self.ranks()

    def assert_all_end(self):
        """No process outlives the job."""
        self.wait_until(lambda: not marked(self.folder), "left behind")
