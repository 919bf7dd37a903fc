# SPDX-License-Identifier: MIT
"""Runs with a ledger are killed at any time; the next ones end with the right total."""
import random
import signal
import time

from ledgers import SLOW, UNSEEN, LedgerTest, kernels
from program import DONE, beside_turns, printed, run

KERNELS = kernels()


class Kills(LedgerTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(self.id())  # the same moments in every run

    def killed(self, longest, *arguments):
        """The result of a run that is killed after a random time."""
        process = self.launch(*arguments)
        time.sleep(self.random.uniform(0, longest))
        process.kill()
        return self.end(process)

    def kill(self, n, longest):
        """Kills a run of another kernel and number of threads after a random time. Returns the units done; None: the
        run ended before."""
        someone = ("--kernel", self.random.choice(KERNELS), "-t", self.random.choice("123"))
        code, stdout, stderr = self.killed(longest, str(n), "--ledger", self.path(), *someone, *UNSEEN)
        self.assertIn((code, stdout, beside_turns(stderr)), [(DONE, printed(n), ""), (-signal.SIGKILL, "", "")])
        return self.units_done(self.path()) if code != DONE else None

    def test_amid_the_work_and_while_a_resume_opens_the_ledger(self):
        """To open it takes longer after a killed run."""
        ledger = self.path()
        process = self.launch("18", "--ledger", ledger, *SLOW)
        done = self.wait_for_units(ledger, process)
        process.kill()
        self.end(process)
        merged = self.path("merged")  # in which no run goes on
        self.assertEqual(run("ledger", "merge", ledger, "--output", merged).returncode, DONE)
        self.assert_has(self.shown(merged), runs_open=0, runs_killed=1)
        for longest in (0.7, 0.1) * 3:
            before, done = done, self.kill(18, longest)
            if done is None:  # it was fast
                break
            self.assertGreaterEqual(done, before, "units got lost")
        self.assert_right(18, ledger)
        self.assertGreaterEqual(self.shown(ledger)["runs_killed"], 1)

    def test_at_the_very_beginning(self):
        for _ in range(4):
            self.kill(16, 0.05)
        self.assert_right(16, self.path())

    def test_of_a_merge(self):
        """Its output is complete or empty."""
        parts = [self.make_part(15, self.path(f"part{i}"), f"{i}/2") for i in (1, 2)]
        begun = time.monotonic()
        self.assertEqual(run("ledger", "merge", *parts, "-o", self.path("whole")).returncode, DONE)
        longest = 0.9 * (time.monotonic() - begun)
        for number in range(4):
            output = self.path(str(number))
            merge = ("ledger", "merge", *parts, "--output", output)
            self.killed(longest, *merge)
            if self.units_done(output) == 0:
                self.assertEqual(run(*merge).returncode, DONE)
            self.assert_complete(15, output)
