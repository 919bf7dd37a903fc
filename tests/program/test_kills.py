"""Runs with a ledger are killed at any time; the next ones end with the right total."""
import os
import random
import signal
import time

from ledgers import MANY_UNITS, SAVED, SLOW, LedgerTest, kernels, note
from program import DONE, beside_turns, printed, run

KERNELS = kernels()


class KillTest(LedgerTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(self.id())  # the same moments in every run

    def someone(self):
        """Options of another machine that resumes the count."""
        return ("--kernel", self.random.choice(KERNELS), "-t", self.random.choice("123"))


class Kills(KillTest):
    def kill(self, ledger, n, longest, *options):
        """Kills a run after a random time. Returns the units done; None: the run ended before."""
        process = self.launch(str(n), "--ledger", ledger, *options)
        time.sleep(self.random.uniform(0, longest))
        process.kill()
        code, stdout, stderr = self.end(process)
        right = (DONE, printed(n)), (-signal.SIGKILL, "")
        self.assertIn(((code, stdout), beside_turns(stderr)), [(end, "") for end in right])
        return self.assert_readable(ledger) if code != DONE else None

    def test_amid_the_work_and_while_a_resume_opens_the_ledger(self):
        """To open it takes longer after a killed run."""
        ledger = self.path()
        process = self.launch("17", "--ledger", ledger, "--plan", "rows", *SLOW)
        first = done = self.wait_for_units(ledger, process)
        process.kill()
        self.end(process)
        merged = self.path("merged")  # in which no run goes on
        self.assertEqual(run("ledger", "merge", ledger, "--output", merged).returncode, DONE)
        self.assertEqual([self.shown(merged)[key] for key in ("runs_open", "runs_killed")], [0, 1])
        for longest in (0.7, 0.1) * 3:
            before, done = done, self.kill(ledger, 17, longest, *self.someone())
            if done is None:  # it was fast
                break
            self.assertGreaterEqual(done, before, "units got lost")
        self.assert_right(17, ledger)
        self.assertGreaterEqual(self.shown(ledger)["runs_killed"], 1)
        note(f"n = 17: {first} to {done} units when killed")

    def test_at_the_very_beginning(self):
        for _ in range(4):
            self.kill(self.path(), 16, 0.05, "--plan", "rows", *self.someone())
        self.assert_right(16, self.path())

    def test_in_the_middle_of_writing(self):
        hot = 0
        for number in range(2):
            ledger = self.path(str(number))
            hot += self.kill_in_commit(ledger, self.random, "16", *MANY_UNITS, *SLOW)
            self.assert_right(16, ledger, *self.someone())
        note(f"n = 16: 2 kills while writing, {hot} of them left half a commit")


class Merge(KillTest):
    def test_killed(self):
        """The output of the merge is complete or empty."""
        parts = [self.make_part(15, self.path(f"part{i}"), f"{i}/2", *MANY_UNITS) for i in (1, 2)]
        begun = time.monotonic()
        self.assertEqual(run("ledger", "merge", *parts, "-o", self.path("whole")).returncode, DONE)
        longest = 0.9 * (time.monotonic() - begun)
        units = int(self.shown(self.path("whole"))["units"])
        for number in range(4):
            output = self.path(str(number))
            process = self.launch("ledger", "merge", *parts, "--output", output)
            time.sleep(self.random.uniform(0, longest))
            process.kill()
            self.end(process)
            done = self.assert_readable(output)
            self.assertIn(done, (0, units))
            if done == 0:
                if os.path.exists(output):
                    os.unlink(output)
                result = run("ledger", "merge", *parts, "--output", output)
                self.assertEqual(result.returncode, DONE, result.stderr)
            self.assert_complete(15, output)


class Interruptions(KillTest):
    def test_resumed(self):
        """The run ends soon with exit code 75 and without output; the next run resumes it."""
        ledger, done = self.path(), 0
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("17", "--plan", "rows", "--ledger", ledger, *SLOW)
            self.wait_for_units(ledger, process, done + 1)
            process.send_signal(number)
            code, stdout, stderr = self.end(process)
            self.assertEqual((code, stdout), (SAVED, ""), stderr)
            before, done = done, self.assert_readable(ledger)
            self.assertGreater(done, before)
            self.assert_one_message(stderr, "n = 17", "interrupted", "saved", ledger, f"{done} of ")
        self.assertEqual(self.shown(ledger)["runs_killed"], 0)
        self.assert_right(17, ledger)

    def test_units_that_take_days(self):
        """They have a second to finish and are then dropped."""
        for options in ((), ("--json", "--quiet")):
            process = self.start("28", "--plan", "rows", "--depth", "2", "--ledger", self.path(), *options)
            self.wait_for_work(process, 0.1)
            process.send_signal(signal.SIGINT)
            code, stdout, stderr = self.end(process)
            self.assertEqual((code, stdout), (SAVED, ""))
            self.assert_one_message(stderr, "interrupted", "saved")
        self.assertEqual(self.shown(self.path())["units_done"], "0")
