# SPDX-License-Identifier: MIT
"""MPI jobs are stopped and killed at any time. The next jobs end with the right total."""
import random
import signal
import time

from launchers import MpiTest, is_mute, kill
from ledgers import SAVED
from program import DONE, printed

SLOW = ("--kernel", "scalar64")


class Interruptions(MpiTest):
    def test_of_the_launcher_and_of_any_rank(self):
        """Units under way are finished, and all results are saved. If the launcher gets the signal,
        the exit code is the launcher's own."""
        ledger, done = self.path(), 0
        # The seconds after which Open MPI kills ranks to which it has passed a signal on.
        env = {"OMPI_MCA_odls_base_sigkill_timeout": "2"}
        for ranks, whom, number in (
            (3, None, signal.SIGTERM),
            (2, None, signal.SIGINT),
            (3, 0, signal.SIGINT),
            (3, 2, signal.SIGTERM),
        ):
            process = self.launch_mpi(ranks, "20", "--ledger", ledger, *SLOW, env=env)
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

    def test_without_a_ledger_an_interrupted_count_prints_no_total(self):
        process = self.launch_mpi(2, "24", "--method", "search")
        worker = self.ready(self.wait_for_ranks(2, process)[1])
        kill([worker], signal.SIGTERM)
        code, stdout, stderr = self.end(process)
        self.assertNotEqual(code, DONE)
        self.assertNotRegex(stdout, r"(?m)^\d+$")
        self.assertNotIn("saved", stderr)
        self.assert_all_end()

    def test_amid_the_last_units(self):
        """A rank gets a signal while few units are left. The job is then interrupted, and its
        count is not said to be wrong. The shards have 115 units, 17 units and one unit, so that in
        the last case ranks have nothing to do."""
        for rank, shard in ((2, "1/30"), (0, "1/200"), (2, "2000/2000")):
            ledger = self.path(f"{rank} of {shard.replace('/', ' of ')}")
            options = f"--shard {shard} -t 1 --method search".split()
            process = self.launch_mpi(3, "22", "--ledger", ledger, *options, *SLOW)
            self.ready(self.wait_for_ranks(3, process)[rank])
            time.sleep(0.5)
            kill([self.ranks()[rank]], signal.SIGTERM)
            code, _, stderr = self.end(process)
            self.assertEqual(code, SAVED, stderr)
            self.assert_all_end()


class Kills(MpiTest):
    def kill(self, whom, ranks, ledger, least):
        """Runs a job, and kills some of its processes at a random moment after `least` units are
        recorded. whom: "the launcher", "all", or a rank. Returns False if the job has completed
        the count all the same."""
        process = self.launch_mpi(ranks, "19", "--ledger", ledger, *SLOW)
        self.wait_for_ranks(ranks, process)
        while process.poll() is None and self.units_done(ledger) < least:
            time.sleep(0.05)
        time.sleep(self.random.uniform(0, 0.6))
        ranks_left = self.ranks()
        if whom == "the launcher":
            kill([process.pid])
        elif whom == "all":
            kill([process.pid, *ranks_left.values()])
        elif whom in ranks_left:
            kill([ranks_left[whom]])
        code, stdout, _ = self.end(process)
        self.assert_all_end()
        # If only the launcher is killed, the ranks may complete the count.
        if code == DONE or printed(19) in stdout:
            self.assertEqual(stdout, printed(19))
            self.assert_complete(19, ledger)
            return False
        return True

    def test_of_anybody_at_any_moment(self):
        """The launcher is killed only once all ranks count, because ranks of Open MPI 5 that are in
        MPI_Init would wait for the launcher for ever."""
        # The moments are the same in every run of the test.
        self.random = random.Random(self.id())
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
