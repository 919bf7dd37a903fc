"""nqueens-mpi answers as nqueens does, with any number of ranks and any MPI."""
import json
import os
import re
import signal
import time
import unittest

from launchers import MpiTest, kill
from ledgers import MANY_UNITS, SAVED, content, rows
from program import DONE, PATIENCE, SYSTEM, TOTALS, USAGE, call, documents, printed, run

ALLOWED = sorted(os.sched_getaffinity(0))
SIZES = (*range(14), 16)
# Minutes, in units of a fraction of a second.
LONG = ("19", "--method", "search", "--kernel", "scalar64", "--threads", "1")


class Answers(MpiTest):
    def test_totals(self):
        for ranks in (1, 2, 3, 4):
            with self.subTest(ranks=ranks):
                self.assert_mpi_answers(printed(*SIZES), ranks, *map(str, SIZES))

    def test_every_method(self):
        for options in (("--method", "search"), ("--method", "join"),
                        ("--method", "search", "--plan", "rows", "--kernel", "scalar64"),
                        ("--method", "join", "--memory", "none"), ("--threads", "3"),
                        ("--bind", "none")):
            with self.subTest(options=options):
                sizes = (1, 2, 5, 8, 11, 14)
                self.assert_mpi_answers(printed(*sizes), 3, *map(str, sizes), *options)

    def test_stdin(self):
        self.assert_mpi_answers(printed(5, 8, 12), 3, "-", stdin="5 8\n12")
        self.assert_mpi_answers(printed(7), 2, "count", "-", stdin="7\n0\n8")

    def test_shards(self):
        parts = [self.run_mpi(3, "13", "--shard", f"{i}/2", "--quiet") for i in (1, 2)]
        self.assertEqual([part.returncode for part in parts], [DONE, DONE])
        self.assertEqual(sum(int(part.stdout) for part in parts), TOTALS[13])

    def test_json(self):
        counted = documents(self.run_mpi(3, "8", "12", "--json", "--threads", "2").stdout)
        self.assertEqual([(d["n"], d["solutions"], d["verdict"], d["units_done"], d["threads"])
                          for d in counted],
                         [(8, "92", "verified", counted[0]["units"], 6),
                          (12, "14200", "verified", counted[1]["units"], 6)])

    def test_work_is_that_of_one_process(self):
        """Each unit is counted once."""
        options = ("15", "--json", "--method", "search", "--kernel", "scalar64")
        alone = json.loads(run(*options).stdout)
        together = json.loads(self.run_mpi(4, *options).stdout)
        for name in ("nodes", "units", "plan", "depth"):
            self.assertEqual(together[name], alone[name])

    def test_progress_is_that_of_all_ranks(self):
        result = self.run_mpi(4, "16", "--method", "search", "--plan", "rows", "--kernel",
                              "scalar64", "--threads", "1", "--progress", "always")
        self.assertEqual(result.returncode, DONE)
        # Open MPI 5 passes pieces of a line on stderr to stdout.
        self.assertRegex(result.stdout, rf"(?m)(?<![\d.]){TOTALS[16]}$")
        most = 0
        for shown in (result.stdout, result.stderr):
            shares = [float(share) for share in re.findall(r"n = 16: [^%\r]*?([\d.]+) %", shown)]
            self.assertEqual(shares, sorted(shares))
            most = max([most, *shares])
        self.assertGreater(most, 60, "rank 0 alone solves about a quarter")

    def test_progress_when_asked(self):
        """A signal to rank 0 prints a line of progress."""
        process = self.launch_mpi(2, "24", "--method", "search")
        rank = self.ready(self.wait_for_ranks(2, process)[0])
        os.set_blocking(process.stderr.fileno(), False)
        said, end = b"", time.monotonic() + PATIENCE
        while b"nodes/s" not in said and time.monotonic() < end:
            kill([rank], signal.SIGUSR1)  # the first line may come before any rate is known
            said += process.stderr.read() or b""
            time.sleep(0.2)
        self.assertRegex(said.decode(),
                         r"(?m)^\d{4}-\d\d-\d\dT[\d:]+Z n = 24: .*[\d.]+ %, .*nodes/s")


class CommandLine(MpiTest):
    def assert_mpi_refused(self, arguments, *named, ranks=2, **how):
        self.assert_mpi_fails(self.run_mpi(ranks, *arguments, **how), *named)

    def test_bad_usage(self):
        for arguments, named in ((("8", "--bogus"), "--bogus"), (("29",), "'29'"),
                                 (("count",), "give N"), (("8", "--plan", "x"), "'x'"),
                                 (("8", "--bind", "99999"), "99999"),
                                 (("4", "5", "--ledger", self.path()), "one N")):
            with self.subTest(arguments=arguments):
                self.assert_mpi_refused(arguments, named)
        self.assertFalse(os.path.exists(self.path()))

    def test_other_commands(self):
        for command in (("list", "8"), ("bench",), ("ledger", "show", self.path()), ("info",),
                        ("check",), ("estimate", "18")):
            with self.subTest(command=command):
                self.assert_mpi_refused(command,
                                        f"'{command[0]}': this program only counts; use 'nqueens "
                                        f"{command[0]}'\n")
                self.assert_mpi_refused(("help", *command[:1]),
                                        f"only counts; use 'nqueens help {command[0]}'\n")
        self.assert_mpi_refused(("ledger", "shwo", "--help"), "use 'nqueens help ledger'\n")

    def test_version(self):
        result = self.run_mpi(2, "--version")
        self.assertEqual((result.returncode, result.stdout),
                         (DONE, run("--version").stdout.replace("nqueens", "nqueens-mpi")))

    def test_help(self):
        """Its own usage, and the options of `nqueens count`."""
        for arguments in (["--help"], ["help"], ["22", "-h"], ["help", "count"]):
            result = self.run_mpi(2, *arguments)
            self.assertEqual(result.returncode, DONE)
            self.assertTrue(result.stdout.startswith("Usage: mpirun -n RANKS nqueens-mpi "))
            options = re.search(r"\nOptions:\n(.*?)\n\n", run("help", "count").stdout, re.S)[0]
            self.assertIn(options, result.stdout)
            self.assertLess(max(map(len, result.stdout.splitlines())), 80)

    def test_ledger_of_another_board(self):
        ledger = self.make(12, self.path())
        before = content(ledger)
        self.assert_mpi_refused(("13", "--ledger", ledger), ledger, "12")
        self.assert_mpi_refused(("12", "--ledger", ledger, "--plan", "rows"), ledger)
        self.assertEqual(content(ledger), before)


class Refusals(MpiTest):
    """The launcher passes the message on before it ends the other ranks."""

    def test_bad_input(self):
        for ranks in (1, 4):
            self.assert_mpi_fails(self.run_mpi(ranks, "foo"), "'foo'")
        self.assert_mpi_fails(self.run_mpi(2, "-", stdin="x"), "'x'")

    def run_with_other(self, what, *arguments, ranks=2):
        """The last rank is of another build."""
        command = self.mpi.command(ranks, *arguments)
        here = command.index(self.mpi.program)
        command[here:here + 1] = ["sh", "-c", f'[ "${self.mpi.rank_variable}" != {ranks - 1} ] || '
                                  f'export OTHER={what}; exec "$0" "$@"', self.mpi.other]
        return call(command, env=self.settings())

    def test_version_of_the_program(self):
        version = run("--version").stdout.split()[1]
        result = self.run_with_other("version", "14", ranks=3)
        self.assert_mpi_fails(result, "rank 2", "0.9.0", version, "rank 0")
        self.assertEqual(result.returncode, SYSTEM)

    def test_version_of_the_plan(self):
        """The units are as many, but of another version: none gets into the sum or the ledger."""
        for method in ("search", "join"):
            with self.subTest(method=method):
                ledger = self.path(method)
                result = self.run_with_other("plan", "16", "--method", method, "--ledger", ledger)
                self.assert_mpi_fails(result, "rank 1", method)
                there, here = map(int, re.findall(r"\(version (\d+)\)", result.stderr))
                self.assertEqual(there, here + 7)
                self.assertEqual(result.returncode, USAGE)
                self.assertEqual({row[5] for row in rows(ledger, "unit")} & {"other"}, set())

    def test_lengths_of_messages(self):
        for what in ("short", "items"):
            with self.subTest(what=what):
                result = self.run_with_other(what, "14", "--method", "search")
                self.assert_mpi_fails(result, "rank 1 sent a message of", "bytes")
                self.assertEqual(result.returncode, SYSTEM)


class Memory(MpiTest):
    """Ranks of a machine of 1 GiB, on which a thread of n = 24 takes 300 MB."""

    def run_small(self, ranks, *arguments):
        command = self.mpi.command(ranks, "24", "--shard", "1/1000000", "-t", "2", *arguments)
        command[command.index(self.mpi.program)] = self.mpi.other
        return call(command, env=self.settings({"OTHER": "memory"}))

    def test_is_shared(self):
        for ranks, options, fewer in ((1, (), False), (2, (), True), (2, ("--memory", "700M"), False)):
            with self.subTest(ranks=ranks, options=options):
                result = self.run_small(ranks, *options)
                self.assertEqual(result.returncode, DONE, result.stderr)
                self.assertEqual("1 of 2 threads counts" in result.stderr, fewer, result.stderr)

    def test_is_refused(self):
        self.assert_mpi_fails(self.run_small(4), "memory", "300 MB")


class Ledgers(MpiTest):
    def test_complete(self):
        """Each unit is recorded once, whichever rank solved it, and an audit agrees."""
        ledger = self.path()
        self.assert_mpi_right(4, 15, ledger, *MANY_UNITS, "--kernel", "scalar64")
        units = [row[0] for row in rows(ledger, "unit")]
        self.assertEqual(units, list(range(int(self.shown(ledger)["units"]))))
        audit = run("ledger", "audit", ledger, "--sample", "100%")
        self.assertEqual(audit.returncode, DONE, audit.stderr)
        self.assertEqual(self.shown(ledger)["runs"], 1)
        self.assert_mpi_right(3, 15, ledger)  # what is complete is answered
        self.assertEqual(len(rows(ledger, "unit")), len(units))

    def test_carries_on_after_a_part(self):
        ledger = self.make_part(15, self.path(), "1/3", *MANY_UNITS)
        done = int(self.shown(ledger)["units_done"])
        result = self.run_mpi(3, "15", "--ledger", ledger, "--json")
        document = json.loads(result.stdout)
        self.assertEqual((document["solutions"], document["units_recorded"]),
                         (str(TOTALS[15]), str(done)))
        self.assert_complete(15, ledger)

    def test_the_second_is_refused(self):
        """A second job or process is refused, and the first is not disturbed."""
        ledger = self.path()
        first = self.launch_mpi(2, *LONG, "--ledger", ledger)
        self.wait_for_units(ledger, first)
        process = self.launch("19", "--ledger", ledger)
        self.assert_mpi_fails(self.run_mpi(2, "19", "--ledger", ledger), ledger, "in use")
        self.assertEqual(self.end(process)[:2], (SYSTEM, ""))
        self.assertIsNone(first.poll(), "the first job should still be at work")
        kill([self.ranks()[0]], signal.SIGTERM)
        self.assertEqual(self.end(first)[:2], (SAVED, ""))
        self.assertEqual(self.shown(ledger)["runs"], 1)


class Places(MpiTest):
    def bound(self, process):
        """The PUs to which the threads of a rank are bound, in order."""
        places = []
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/status", encoding="ascii") as status:
                text = next(line.split()[1] for line in status
                            if line.startswith("Cpus_allowed_list:"))
            if text.isdigit():
                places.append(int(text))
        return sorted(places)

    def launch_unbound(self, ranks, *arguments):
        """Starts ranks that the launcher does not bind."""
        return self.launch_mpi(ranks, *arguments, env={
            "OMPI_MCA_hwloc_base_binding_policy": "none"})

    def places_in_the_end(self, process, ranks, expected):
        """The bound threads of each rank, once they are as expected or when patience is at its end."""
        end = time.monotonic() + PATIENCE
        while True:
            self.assertIsNone(process.poll(), "ended before that")
            there = self.wait_for_ranks(ranks, process)
            found = sorted(self.bound(rank) for rank in there.values())
            if found == expected or time.monotonic() > end:
                return found
            time.sleep(0.05)

    @unittest.skipIf(len(ALLOWED) < 2, "only one CPU")
    def test_ranks_have_pus_of_their_own(self):
        first, second = ALLOWED[0], ALLOWED[1]
        process = self.launch_unbound(2, "24", "--method", "search", "--threads", "1")
        expected = [[first], [second]]
        self.assertEqual(self.places_in_the_end(process, 2, expected), expected)

    def test_too_many_ranks(self):
        ranks = len(ALLOWED) + 2
        result = self.run_mpi(ranks, "8", env={"OMPI_MCA_hwloc_base_binding_policy": "none"})
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(8)))
        self.assertRegex(result.stderr, rf"warning: {ranks} ranks .*share \d+ PUs? of host")
