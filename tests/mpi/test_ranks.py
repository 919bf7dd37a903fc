# SPDX-License-Identifier: MIT
"""nqueens-mpi answers as nqueens does, with any number of ranks."""
import json
import os
import re
import shutil
import signal
import unittest

from launchers import MPI_PROGRAM, RANK, MpiTest, kill, mpi_command
from ledgers import SAVED, units
from program import DONE, SYSTEM, TOTALS, USAGE, call, content, document, methods, printed, run

ALLOWED = sorted(os.sched_getaffinity(0))
BOUND, UNBOUND = ({"OMPI_MCA_hwloc_base_binding_policy": policy} for policy in ("core", "none"))


class Answers(MpiTest):
    def test_totals_are_right_with_any_number_of_ranks(self):
        sizes = (*range(14), 16)
        for ranks in (1, 2, 4):
            self.assert_mpi_answers(printed(*sizes), ranks, *map(str, sizes))
        for options in (
            "--method search --kernel scalar64",
            "--method colours --threads 3",
            "--method colours --bind none",
        ):
            self.assert_mpi_answers(
                printed(1, 2, 8, 11, 14), 3, "1", "2", "8", "11", "14", *options.split()
            )
        self.assert_mpi_answers(printed(5, 8, 12), 3, "-", stdin="5 8\n12\n0 9")

    @unittest.skipUnless("NQUEENS_MPICH" in os.environ and shutil.which("mpirun.mpich"), "no MPICH")
    def test_with_mpich(self):
        result = call(
            ["mpirun.mpich", "-n", "3", os.environ["NQUEENS_MPICH"], "14", "--ledger", self.path()]
        )
        self.assertEqual(result[:2], (DONE, printed(14)), result.stderr)
        self.assert_complete(14, self.path())

    def test_nothing_but_totals_when_quiet(self):
        """With -q there is no warning that ranks share cores."""
        self.assertIn("warning: ", self.run_mpi(2, "8", env=UNBOUND).stderr)
        self.assertNotIn("nqueens-mpi:", self.run_mpi(2, "8", "--quiet", env=UNBOUND).stderr)

    def test_progress_is_that_of_all_ranks(self):
        options = "--method search --kernel scalar64 --threads 1 --progress always"
        result = self.run_mpi(4, "16", *options.split())
        self.assertEqual(result.returncode, DONE)
        # Open MPI 5 may pass pieces of a line of stderr to stdout.
        self.assertRegex(result.stdout, rf"(?m)(?<![\d.]){TOTALS[16]}$")
        most = 0
        for shown in (result.stdout, result.stderr):
            shares = [float(share) for share in re.findall(r"n = 16: [^%\r]*?([\d.]+) %", shown)]
            self.assertEqual(shares, sorted(shares))
            most = max([most, *shares])
        self.assertGreater(most, 60, "rank 0 alone solves about a quarter")


class CommandLine(MpiTest):
    def test_refused(self):
        ledger = self.make(12, self.path())
        before = content(ledger)
        for arguments, named in (
            ("8 --bogus", "--bogus"),
            ("29", "'29'"),
            ("count", "give N"),
            (f"4 5 --ledger {self.path('new')}", "single N"),
            ("list 8", "'list'"),
            (f"13 --ledger {ledger}", ledger),
        ):
            self.assert_mpi_fails(self.run_mpi(2, *arguments.split()), named)
        self.assertEqual((content(ledger), os.listdir(self.folder)), (before, ["ledger"]))
        self.assert_mpi_fails(self.run_mpi(4, "-", stdin="x"), "'x'")

    def test_the_help_lists_no_option_that_is_refused(self):
        text = self.run_mpi(1, "--help").stdout
        self.assertEqual(text, self.run_mpi(1, "help").stdout)
        self.assertIn("--shard", text)
        self.assertNotIn("--board", text)
        self.assert_mpi_fails(self.run_mpi(1, "8", "--board", "/dev/null"), "--board")


class OtherRank(MpiTest):
    """Jobs whose last rank differs from the others."""

    def run_with_other(self, setting, *arguments, ranks=2):
        """Runs a job whose last rank is a test program, with an environment variable that says how
        it differs, such as "OTHER=units" (tests/helpers/other_build.c and faulty_device.c)."""
        command = mpi_command(ranks, *arguments)
        here = command.index(MPI_PROGRAM)
        script = f'[ "${RANK}" != {ranks - 1} ] || export "$0"; exec "$@"'
        command[here : here + 1] = ["sh", "-c", script, setting, os.environ["NQUEENS_MPI_OTHER"]]
        return call(command, env=self.settings())


class Refusals(OtherRank):
    """Jobs that are refused. The launcher passes the message on before it ends the other ranks."""

    def test_a_launcher_of_another_mpi_is_refused(self):
        """Each rank of such a launcher would take itself for the only rank, and print the count."""
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
            for size, code in (("3", SYSTEM), ("1", DONE)):
                result = call([MPI_PROGRAM, "8"], env=self.settings({name: size}))
                self.assertEqual(result[:2], (code, "" if code else printed(8)), result.stderr)
                if code:
                    self.assert_said(result.stderr, f"{name} is 3", "1 process")

    def test_a_rank_of_another_version_is_refused(self):
        version = run("--version").stdout.split()[1]
        result = self.run_with_other("OTHER=version", "14", ranks=3)
        self.assert_mpi_fails(result, "rank 2", "0.9.0", version, "rank 0")
        self.assertEqual(result.returncode, SYSTEM)

    def test_a_rank_with_other_units_is_refused(self):
        """Rank 1 has as many units as rank 0, but of another version. The ledger gets no result of
        this rank, whose host is called "other"."""
        for method in methods():
            ledger = self.path(method)
            result = self.run_with_other(
                "OTHER=units", "16", "--method", method, "--ledger", ledger
            )
            self.assert_mpi_fails(result, "rank 1", "other units")
            self.assertEqual(result.returncode, USAGE)
            self.assertEqual({unit.host for unit in units(ledger)} & {"other"}, set())


class Ledgers(OtherRank):
    def test_a_unit_has_the_host_of_its_rank(self):
        """The last rank is made to believe that its host is called "other"."""
        options = "--method search --kernel scalar64 -t 1".split()
        result = self.run_with_other("OTHER=host", "16", *options, "--ledger", self.path())
        self.assertEqual(result[:2], (DONE, printed(16)), result.stderr)
        hosts = {unit.host for unit in units(self.path())}
        self.assertEqual(hosts, {os.uname().nodename[:64], "other"})

    def test_each_unit_is_recorded_once(self):
        """Each unit is recorded once, whichever rank counted it, and an audit agrees."""
        ledger = self.path()
        self.assert_mpi_right(4, 15, ledger, "--kernel", "scalar64")
        found = [unit.id for unit in units(ledger)]
        self.assertEqual(found, list(range(int(self.shown(ledger)["units"]))))
        audit = run("ledger", "audit", ledger, "--sample", "100%")
        self.assertEqual(audit.returncode, DONE, audit.stderr)
        self.assertEqual(self.shown(ledger)["runs"], 1)
        # If the ledger is complete, no unit is counted.
        self.assert_mpi_right(3, 15, ledger)
        self.assertEqual(len(units(ledger)), len(found))


class Devices(OtherRank):
    def setUp(self):
        super().setUp()
        if not document("info")["devices"]:
            self.skipTest("no device")

    def test_ranks_that_share_a_device_are_warned_of(self):
        result = self.run_mpi(2, "14", "--device", "0")
        self.assertEqual(result[:2], (DONE, printed(14)))
        self.assertIn("warning: 2 ranks for 1 device of host", result.stderr)

    def test_all_ranks_count_on_devices_and_cpus_carry_on(self):
        """Ranks share the devices, and the ledger names the device of each unit."""
        ledger = self.path()
        devices = document("info")["devices"]
        names = {re.sub("[^!-~]", "_", f"opencl {device['name']}")[:64] for device in devices}
        process = self.launch_mpi(3, "17", "--device", "all", "--ledger", ledger)
        self.wait_for_units(ledger, process)
        kill([self.ranks()[1]], signal.SIGTERM)
        ended = self.end(process)
        self.assertEqual(ended[:2], (SAVED, ""), ended)
        self.assertLessEqual({unit.kernel for unit in units(ledger)}, names)
        self.assert_mpi_right(2, 17, ledger, "--kernel", "scalar64")
        self.assertEqual({unit.kernel for unit in units(ledger)} - names, {"scalar64"})
        self.assertEqual(run("ledger", "audit", ledger).returncode, DONE)

    def test_a_signal_that_makes_a_compiler_fail_stops_the_count(self):
        """The compiler of rank 1 fails because of a signal. That is no failure of the device. The
        signal comes while the program for n = 16 is compiled, with which a device is tested before
        it counts for n = 18."""
        ledger = self.path()
        options = ["18", "--device", "0", "--ledger", ledger]
        result = self.run_with_other("DEVICE_FAULT=signal 16 1", *options)
        self.assertEqual(result[:2], (SAVED, ""), result.stderr)
        self.assertIn("interrupted", result.stderr)


class Places(MpiTest):
    @unittest.skipIf(len(ALLOWED) < 2, "only one CPU")
    def test_ranks_stay_where_the_launcher_binds_them(self):
        """Each rank starts a thread on the core to which the launcher has bound it. There is no
        warning."""
        result = self.run_mpi(2, "12", "--json", env=BOUND)
        self.assert_has(json.loads(result.stdout), threads=2, threads_bound=2)
        self.assertNotIn("same PUs", result.stderr)
        ledger = self.path()
        process = self.launch_mpi(2, "20", "--method", "search", "--ledger", ledger, env=BOUND)
        self.wait_for_units(ledger, process)
        first, second = [self.pus_of(rank) for rank in self.ranks().values()]
        self.assertFalse(first & second, (first, second))

    def pus_of(self, process):
        """Returns the PUs on which any thread of the process may run."""
        pus = set()
        for thread in os.listdir(f"/proc/{process}/task"):
            pus |= os.sched_getaffinity(int(thread))
        return pus

    def test_ranks_that_share_cores_are_warned_of(self):
        """Ranks that the launcher does not bind would bind their threads to the same cores, of
        which the program warns. A single rank has all cores to itself."""
        result = self.run_mpi(2, "8", env=UNBOUND)
        self.assertEqual(result[:2], (DONE, printed(8)))
        self.assertIn("warning: 2 ranks bind threads to the same PUs of host", result.stderr)
        for ranks, options in ((1, []), (2, ["--bind", "none"])):
            self.assertNotIn("same PUs", self.run_mpi(ranks, "8", *options, env=UNBOUND).stderr)
