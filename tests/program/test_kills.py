"""Runs with a ledger are killed at any time; the next ones end with the right total."""
import itertools
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
        """Kills a run after a random time. Returns False if the run ended before."""
        process = self.launch(str(n), "--ledger", ledger, *options)
        time.sleep(self.random.uniform(0, longest))
        process.kill()
        code, stdout, stderr = self.end(process)
        if code == DONE:
            self.assertEqual((stdout, beside_turns(stderr)), (printed(n), ""))
            return False
        self.assertEqual((code, stdout, beside_turns(stderr)), (-signal.SIGKILL, "", ""))
        return True

    def kill_again_and_again(self, n, kills, longest, *plan):
        """Kills so many runs, each of which resumes the one before."""
        amid = survived = 0
        for number in itertools.count():
            ledger, done = self.path(str(number)), 0
            while survived < kills and self.kill(ledger, n, longest, *plan, *self.someone()):
                survived += 1
                before, done = done, self.assert_readable(ledger)
                self.assertGreaterEqual(done, before, "units got lost")
                amid += done > 0
            self.assert_right(n, ledger, *plan)
            if survived == kills:
                note(f"n = {n}: {kills} kills at random moments, {amid} of them with a part of "
                     f"the units done; {number + 1} right totals")
                return amid

    def until_amid(self, n, *plan):
        """A number of seconds after which runs on this machine have recorded units: the time that
        a run takes to record the first, twice."""
        ledger, begun = self.path("first"), time.monotonic()
        process = self.launch(str(n), "--ledger", ledger, *plan, *SLOW)
        self.wait_for_units(ledger, process)
        process.kill()
        return max(0.7, 2 * (time.monotonic() - begun))

    def test_at_random_moments(self):
        longest = self.until_amid(18)
        self.assertGreater(self.kill_again_and_again(18, 5, longest), 0)

    def test_at_the_very_beginning(self):
        self.kill_again_and_again(16, 6, 0.03, "--plan", "rows")

    def test_in_the_middle_of_writing(self):
        hot = 0
        for number in range(3):
            ledger = self.path(str(number))
            hot += self.kill_in_commit(ledger, self.random, "16", *MANY_UNITS, *SLOW)
            if number % 2 == 0:
                self.assert_readable(ledger)
            self.assert_right(16, ledger, *self.someone())
        note(f"n = 16: 3 kills while writing, {hot} of them left half a commit")

    def test_while_a_resume_opens_the_ledger(self):
        """This takes longer after a killed run."""
        ledger = self.path()
        process = self.launch("18", "--ledger", ledger, *SLOW)
        done = self.wait_for_units(ledger, process)
        process.kill()
        self.end(process)
        for _ in range(6):
            self.kill(ledger, 18, 0.25, *self.someone())
            self.assertGreaterEqual(self.assert_readable(ledger), done)
        self.assert_right(18, ledger)
        self.assertGreaterEqual(self.shown(ledger)["runs_killed"], 1)
        note("n = 18: 6 kills while a resume opened the ledger")


class Merge(KillTest):
    def test_killed(self):
        """The output of the merge is complete or empty."""
        parts = [self.make_part(17, self.path(f"part{i}"), f"{i}/2", *MANY_UNITS) for i in (1, 2)]
        begun = time.monotonic()
        self.assertEqual(run("ledger", "merge", *parts, "-o", self.path("whole")).returncode, DONE)
        longest = 0.8 * (time.monotonic() - begun)
        units = int(self.shown(self.path("whole"))["units"])
        complete = 0
        for number in range(5):
            output = self.path(str(number))
            process = self.launch("ledger", "merge", *parts, "--output", output)
            time.sleep(self.random.uniform(0, longest))
            process.kill()
            self.end(process)
            done = self.assert_readable(output)
            self.assertIn(done, (0, units))
            complete += done > 0
            if done == 0 and os.path.exists(output):
                os.unlink(output)
            if done == 0:
                result = run("ledger", "merge", *parts, "--output", output)
                self.assertEqual(result.returncode, DONE, result.stderr)
            self.assert_right(17, output)
        note(f"n = 17: 5 kills of a merge, {complete} of them when it was complete")


class Interruptions(KillTest):
    def test_resumed(self):
        """The run ends soon with exit code 75 and without output; the next run resumes it."""
        ledger, done, longest = self.path(), 0, 0
        for number in [signal.SIGINT, signal.SIGTERM] * 2:
            process = self.start("18", "--method", "search", "--kernel", "scalar64", "-t", "2",
                                 "--ledger", ledger)
            time.sleep(self.random.uniform(0, 0.6))
            sent = time.monotonic()
            process.send_signal(number)
            code, stdout, stderr = self.end(process)
            longest = max(longest, time.monotonic() - sent)
            self.assertEqual((code, stdout), (SAVED, ""), stderr)
            self.assert_one_message(stderr, "n = 18", "interrupted", "saved", ledger)
            before, done = done, self.assert_readable(ledger)
            self.assertGreaterEqual(done, before)
            self.assertIn(f"{done} of ", stderr)
        self.assertGreater(done, 0)
        self.assertEqual(self.shown(ledger)["runs_killed"], 0)
        self.assert_right(18, ledger)
        note(f"n = 18: 4 interruptions, each over within {longest:.2f} s")

    def test_units_that_take_days(self):
        """They have a second to finish and are then dropped; results of other threads are saved."""
        ledger = self.path()
        process = self.start("28", "--plan", "rows", "--depth", "2", "--ledger", ledger)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (SAVED, ""))
        self.assert_one_message(stderr, "interrupted", "saved")
        self.assertEqual(self.shown(ledger)["units_done"], "0")
