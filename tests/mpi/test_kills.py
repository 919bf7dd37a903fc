# SPDX-License-Identifier: MIT
"""MPI jobs are stopped and killed at any time; the next runs end with the right total."""
import random
import signal
import time

from launchers import MpiTest, is_mute, kill
from ledgers import SAVED
from program import DONE, printed

SLOW = ("--kernel", "scalar64")


class Interruptions(MpiTest):
    def test_of_the_launcher_and_of_any_rank(self):
        """Units under way are finished, and all results saved; if the launcher is told, the exit code is its own."""
        ledger, done = self.path(), 0
        for ranks, whom, number in (
            (3, None, signal.SIGTERM),
            (2, None, signal.SIGINT),
            (3, 0, signal.SIGINT),
            (3, 2, signal.SIGTERM),
        ):
            # Open MPI kills so many seconds after it passed the signal on: long enough.
            process = self.launch_mpi(
                ranks,
                "20",
                "--ledger",
                ledger,
                *SLOW,
                env={"OMPI_MCA_odls_base_sigkill_timeout": "2"},
            )
            self.wait_for_units(ledger, process, done + 1)
            kill([process.pid if whom is None else self.ranks()[whom]], number)
            code, stdout, stderr = self.end(process)
            if whom is not None:
                self.assertEqual(code, SAVED)
            self.assert_all_end()
            before, done = done, self.units_done(ledger)
            self.assertGreaterEqual(done, before, "units got lost")
            self.assertNotRegex(stdout, r"(?m)^\d+$")
            if not is_mute():
                self.assert_said(stderr, "interrupted", "saved", f"{done} of ")
                self.assertEqual(self.shown(ledger)["runs_killed"], 0)
        self.assert_mpi_right(4, 20, ledger)

    def test_without_a_ledger(self):
        process = self.launch_mpi(2, "24", "--method", "search")
        worker = self.ready(self.wait_for_ranks(2, process)[1])
        kill([worker], signal.SIGTERM)
        code, stdout, stderr = self.end(process)
        self.assertNotEqual(code, DONE)
        self.assertNotRegex(stdout, r"(?m)^\d+$")
        self.assertNotIn("saved", stderr)
        self.assert_all_end()

    def test_amid_the_last_units(self):
        """Some ranks have nothing to do, and one of them gets a signal: the job is interrupted, the count is
        not wrong. One of the two shards has many units, the other fewer than there are ranks."""
        for rank, shard in ((2, "1/30"), (0, "1/200")):
            ledger = self.path(f"{rank} of {shard.replace('/', ' of ')}")
            process = self.launch_mpi(
                3,
                "22",
                "--shard",
                shard,
                "--ledger",
                ledger,
                "-t",
                "1",
                "--method",
                "search",
                *SLOW,
            )
            self.ready(self.wait_for_ranks(3, process)[rank])
            time.sleep(0.5)
            kill([self.ranks()[rank]], signal.SIGTERM)
            code, _, stderr = self.end(process)
            self.assertEqual(code, SAVED, stderr)
            self.assert_all_end()


class Kills(MpiTest):
    def kill(self, whom, ranks, ledger, least):
        """Runs a job and kills a process of it at a random moment, but not before so many units are
        recorded. Returns False if the job ended before."""
        process = self.launch_mpi(ranks, "19", "--ledger", ledger, *SLOW)
        self.wait_for_ranks(ranks, process)
        while process.poll() is None and self.units_done(ledger) < least:
            time.sleep(0.05)
        time.sleep(self.random.uniform(0, 0.6))
        found = self.ranks()
        kill(
            {"the launcher": [process.pid], "all": [process.pid, *found.values()]}.get(
                whom, [found[rank] for rank in found if rank == whom]
            )
        )
        code, stdout, _ = self.end(process)
        self.assert_all_end()
        if code == DONE or printed(19) in stdout:  # ranks may outlive the launcher
            self.assertEqual(stdout, printed(19))
            self.assert_complete(19, ledger)
            return False
        return True

    def test_of_anybody_at_any_moment(self):
        """But of the launcher once all ranks count: within MPI_Init, those of Open MPI 5 wait for it for ever."""
        self.random = random.Random(self.id())  # the same moments in every run
        ledger, done, amid = self.path(), 0, 0
        for number, whom in enumerate((1, "the launcher", 0, "all")):
            least = done + 1 if number % 2 else 0
            if not self.kill(whom, self.random.choice((2, 3, 4)), ledger, least):
                ledger, done = self.path(str(number)), 0
                continue
            before, done = done, self.units_done(ledger)
            self.assertGreaterEqual(done, before, "units got lost")
            amid += done > before
        self.assertGreater(amid, 0, "no job got anywhere")
        self.assert_mpi_right(self.random.choice((2, 3)), 19, ledger)
