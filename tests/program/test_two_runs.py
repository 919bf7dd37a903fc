"""Several processes with one ledger: one writes, the others read it or have to wait."""
import json
import os
import signal

from ledgers import MANY_UNITS, SAVED, SLOW, LedgerTest, note, opened
from program import DONE, SYSTEM, printed, run

# Runs of seconds. On a busy machine they take minutes, and would print their progress.
UNSEEN = ("--progress", "never")
LONG = ("17", "--plan", "rows", *SLOW, *UNSEEN, "--ledger")  # half a minute


class SharedTest(LedgerTest):
    def carry_on_faster(self, process, n, ledger):
        """Resumes with a faster kernel, to save time."""
        process.terminate()
        self.assertEqual(self.end(process)[:2], (SAVED, ""))
        self.assert_right(n, ledger)

    def assert_in_use(self, process, ledger):
        code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (SYSTEM, ""), stderr)
        self.assert_one_message(stderr, ledger, "in use")

    def assert_right_or_in_use(self, process, n, ledger):
        """The run came to the right total, or the ledger was in use. Returns True for the total."""
        code, stdout, stderr = self.end(process)
        if code == DONE:
            self.assertEqual((stdout, stderr), (printed(n), ""))
            return True
        self.assertEqual((code, stdout), (SYSTEM, ""), stderr)
        self.assert_one_message(stderr, ledger, "in use")
        return False


class TwoRuns(SharedTest):
    def test_readers_do_not_disturb_and_another_run_is_refused(self):
        ledger, done = self.path(), 0
        first = self.launch(*LONG, ledger)
        self.wait_for_units(ledger, first)
        others = [self.launch("17", "--ledger", ledger, "-t", "1") for _ in range(3)]
        for _ in range(5):
            before, done = done, int(self.shown(ledger)["units_done"])
            self.assertGreaterEqual(done, before)
            audit = run("ledger", "audit", ledger, "--sample", "0.1%", "-t", "1", "--quiet")
            self.assertEqual(audit.returncode, DONE, audit.stderr)
        merged = self.path("merged")
        self.assertEqual(run("ledger", "merge", ledger, "--output", merged).returncode, DONE)
        self.assertGreaterEqual(int(self.shown(merged)["units_done"]), done)
        self.assertEqual(self.shown(merged)["runs_open"], 0)
        for other in others:
            self.assert_in_use(other, ledger)
        first.send_signal(signal.SIGSTOP)  # it still has the ledger
        self.assert_in_use(self.launch("17", "--ledger", ledger), ledger)
        first.send_signal(signal.SIGCONT)
        self.assertIsNone(first.poll(), "the first run should still be at work")
        self.assertEqual(self.shown(ledger)["runs"], 1)
        self.carry_on_faster(first, 17, ledger)

    def run_with_a_reader(self, ledger, reader):
        """Starts a run, and reads its ledger until the run has warned of that."""
        process = self.launch("19", "--method", "search", "--ledger", ledger, *SLOW, *UNSEEN,
                              bufsize=0)
        self.wait_for_units(ledger, process)
        reader.execute("BEGIN")
        held = reader.execute("SELECT count(*) FROM unit").fetchone()[0]
        warning = self.wait_for_line(process)
        self.assert_one_message(warning, ledger, "locked by another process", "wait in memory")
        return process, held

    def test_a_reader_that_goes(self):
        """The run goes on, and writes all its results when the reader has gone."""
        ledger = self.path()
        with opened(ledger) as reader:
            process, held = self.run_with_a_reader(ledger, reader)
        self.wait_for_units(ledger, process, held + 2)
        process.terminate()
        self.assertEqual(self.end(process)[:2], (SAVED, ""))
        self.assert_as_counted(ledger)

    def assert_as_counted(self, ledger):
        """A fifth of the units in the ledger is counted again."""
        audit = run("ledger", "audit", ledger, "--sample", "20%", "--json", "--quiet")
        self.assertEqual((audit.returncode, audit.stderr), (DONE, ""))
        self.assertEqual(json.loads(audit.stdout)["units_recorded"],
                         self.shown(ledger)["units_done"])

    def test_a_reader_that_stays(self):
        """An interrupted run waits for two seconds; what it cannot write is counted again."""
        ledger = self.path()
        with opened(ledger) as reader:
            process, held = self.run_with_a_reader(ledger, reader)
            process.terminate()
            code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (SYSTEM, ""), stderr)
        self.assertRegex(stderr, r"in use by another process; \d+ results? w\w+ not written: "
                                 r"the next run counts (it|them) again")
        self.assertEqual(int(self.shown(ledger)["units_done"]), held)
        self.assertEqual(os.listdir(self.folder), ["ledger"])
        self.assert_as_counted(ledger)


class ManyAtOnce(SharedTest):
    def race(self, ledger, n, number, *options):
        """Starts so many runs at once. Returns the number of those with the right total."""
        started = [self.launch(str(n), "--ledger", ledger, *options) for _ in range(number)]
        right = sum(self.assert_right_or_in_use(process, n, ledger) for process in started)
        self.assertGreater(right, 0)
        self.assert_complete(n, ledger)
        return right

    def test_on_a_new_ledger(self):
        """The counts are short: most runs get their turn."""
        right = sum(self.race(self.path(str(i)), 12, 8, *MANY_UNITS) for i in range(2))
        note(f"new ledger: 2 times 8 runs at once, {right} of 16 right, the others refused")

    def test_on_the_ledger_of_a_killed_run(self):
        process = self.launch("16", "--ledger", self.path(), *MANY_UNITS, *SLOW)
        self.wait_for_units(self.path(), process)
        process.kill()
        self.end(process)
        self.race(self.path(), 16, 6)
        self.assertEqual(self.shown(self.path())["runs_killed"], 1)
