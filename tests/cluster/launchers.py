"""Launchers of many processes: the MPIs for which nqueens-mpi was built, and how to find and end
all processes that a test has started."""
import ctypes
import glob
import os
import shutil
import signal
import socket
import tempfile
import time
import unittest

from ledgers import LedgerTest
from program import PATIENCE, call, caught_signals, printed

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


def variables_of(process):
    """The environment with which a process was started; empty if the process is gone."""
    try:
        with open(f"/proc/{process}/environ", "rb") as stream:
            pairs = stream.read().decode("utf-8", "replace").split("\0")
    except OSError:
        return {}
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def name_of(process):
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8") as stream:
            return stream.read().strip()
    except OSError:
        return ""


def marked(folder, name=""):
    """The processes that the test with this folder has started and whose names begin with `name`:
    {id: environment}."""
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        variables = variables_of(process)
        # Slurm passes only a part of the environment to its own processes.
        ours = (variables.get(MARK) == folder or
                variables.get("SLURM_CONF", "").startswith(folder + os.sep))
        if ours and name_of(process).startswith(name):
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
    for maps in glob.glob("/proc/[0-9]*/maps"):
        try:
            with open(maps, encoding="utf-8", errors="replace") as stream:
                if file in stream.read():
                    return True
        except OSError:
            pass  # the process is gone
    return False


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


def why_no_network():
    """The reason why launchers cannot be tested here; None: they can."""
    try:
        socket.gethostbyname("localhost")
    except OSError:
        return "'localhost' is not known here: launchers would wait for it for seconds"
    return None


class Mpi:
    """One of the MPIs of this machine."""

    def __init__(self, name, variable, launcher, options=(), ranks="PMI_RANK", env=None):
        self.name = name
        self.program = os.environ.get(variable, "")
        self.other = os.environ.get(variable + "_OTHER", "")
        self.launcher = launcher
        self.options = options
        self.rank_variable = ranks
        self.settings = env or {}

    def why_not(self):
        """The reason why this MPI cannot be tested here; None: it can."""
        if not self.program:
            return f"nqueens-mpi was not built with {self.name}"
        if shutil.which(self.launcher) is None:
            return f"no {self.launcher}"
        return why_no_network()

    def command(self, ranks, *arguments):
        return [self.launcher, *self.options, "-n", str(ranks), self.program, *arguments]


# Without the wait of two seconds that Open MPI makes before it kills the ranks that are left.
OPENMPI = Mpi("OpenMPI", "NQUEENS_OPENMPI", "mpirun.openmpi", ("--oversubscribe",),
              "OMPI_COMM_WORLD_RANK",
              {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_odls_base_sigkill_timeout": "0"})
MPICH = Mpi("MPICH", "NQUEENS_MPICH", "mpirun.mpich")


# The one that these tests are run with: see meson.build.
MPI = {"openmpi": OPENMPI, "mpich": MPICH}[os.environ.get("CLUSTER_MPI", "openmpi")]


class MpiTest(LedgerTest):
    mpi = MPI

    @classmethod
    def setUpClass(cls):
        why = cls.mpi.why_not()
        if why is not None:
            raise unittest.SkipTest(why)
        cls.addClassCleanup(remove_shared, shared_files())

    def setUp(self):
        super().setUp()
        self.places = launcher_files(self)
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
        self.assertEqual((result.returncode, result.stdout), (0, answer),
                         f"{ranks} ranks, {arguments}: {result.stderr}")
        self.assertEqual(self.said(result.stderr), [])

    def assert_mpi_right(self, ranks, n, ledger, *options):
        """Starts or resumes a count with the ledger; its total is right, and then in the ledger."""
        self.assert_mpi_answers(printed(n), ranks, str(n), "--ledger", ledger, *options)
        self.assert_complete(n, ledger)

    def said(self, stderr):
        """The program's lines on stderr, without warnings and the launcher's lines."""
        return [line for line in stderr.splitlines(keepends=True)
                if line.startswith("nqueens-mpi: ")
                and not line.startswith("nqueens-mpi: warning: ")]

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
        found = {}
        for process, variables in marked(self.folder, "nqueens-mpi").items():
            if self.mpi.rank_variable in variables:
                found[int(variables[self.mpi.rank_variable])] = process
        return found

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
            if waited > PATIENCE / 20 and self.mpi is OPENMPI:
                self.end_ranks_that_start()
            time.sleep(0.02)

    def end_ranks_that_start(self):
        """Ranks catch signals as soon as MPI_Init is done."""
        for process in self.ranks().values():
            try:
                if signal.SIGTERM not in caught_signals(process):
                    kill([process])
            except FileNotFoundError:
                pass  # it is gone
