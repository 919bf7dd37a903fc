# SPDX-License-Identifier: MIT
"""Shared by the tests of ledgers: making them, killing runs that write them, assertions."""
import json
import os
import time

# For the tests, which falsify some.
from ledger_rows import (APPLICATION_ID, RUN_OPEN, TABLES, change_job, checksum, digest, falsify_unit, job_of, opened,
                         rewrite, rows)
from program import (DONE, PATIENCE, SYSTEM, TOTALS, FolderTest, ProcessTest, content, document, printed,
                     run)

SAVED = 75  # exit code: interrupted, all results are in the ledger

# For counts of seconds: on a slow or busy machine they take minutes, and would print their progress.
UNSEEN = ("--progress", "never")

# Counts that are slow enough to be killed half way: many units, and a slow kernel.
MANY_UNITS = ("--plan", "orbits")
SLOW = ("--kernel", "scalar64", "-t", "1", *UNSEEN)

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat.html


def is_hot(journal):
    """The journal has valid records, which SQLite must roll back."""
    try:
        with open(journal, "rb", buffering=0) as file:
            start = file.read(12)
    except FileNotFoundError:
        return False
    return start[:8] == JOURNAL_MAGIC and start[8:12] != bytes(4)


def kernels():
    """The kernels that run here."""
    return [kernel["name"] for kernel in document("info")["kernels"] if kernel["runs_here"]]


class LedgerTest(FolderTest, ProcessTest):
    def path(self, name="ledger"):
        return super().path(name)

    def shown(self, ledger):
        """The document of `ledger show` for a ledger without errors."""
        result = run("ledger", "show", ledger, "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return json.loads(result.stdout)

    def units_done(self, ledger):
        """0 for what cannot be shown: a ledger that is being made, or was when its run was killed."""
        result = run("ledger", "show", ledger, "--json")
        if result.returncode == SYSTEM:
            self.assert_fails(SYSTEM, result, ledger)
            self.assertRegex(result.stderr, "nothing in it yet|No such file|another process")
            return 0
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertNotEqual(json.loads(result.stdout)["verdict"], "wrong")
        return int(json.loads(result.stdout)["units_done"])

    def assert_right(self, n, ledger, *options):
        """Starts or resumes a count with the ledger; its total is right, and then in the ledger."""
        self.assert_answers(printed(n), str(n), "--ledger", ledger, *options, *UNSEEN)
        self.assert_complete(n, ledger)

    def assert_complete(self, n, ledger):
        shown = self.shown(ledger)
        self.assert_has(shown, n=n, solutions=str(TOTALS[n]), verdict="verified", units_done=shown["units"])

    def make(self, n, ledger, *options):
        """A complete ledger."""
        self.assert_right(n, ledger, *options)
        return ledger

    def make_part(self, n, ledger, shard, *options):
        """A complete ledger of one shard."""
        self.assert_answers("", str(n), "--ledger", ledger, "--shard", shard, "--quiet", *options)
        return ledger

    def assert_refused_by_all(self, n, file, *named):
        """No command takes the file as a ledger, or changes it."""
        before = content(file) if os.path.isfile(file) else None
        for command in ([str(n), "--ledger"], ["ledger", "show"], ["ledger", "audit"],
                        ["ledger", "merge", "-o", self.path("merged")]):
            self.assert_fails(SYSTEM, run(*command, file), file, *named)
            self.assertFalse(os.path.exists(self.path("merged")))
        if before is not None:
            self.assertEqual(content(file), before)

    def assert_right_or_refused(self, n, result, *named):
        """The right total, or exit code 3 and one line. Returns True for the total."""
        if result.returncode == DONE:
            self.assertEqual(result, (DONE, printed(n), ""))
            return True
        self.assert_fails(SYSTEM, result, *named)
        return False

    def wait_for_units(self, ledger, process, least=1):
        """Waits until a run has recorded so many units. Returns their number."""
        deadline = time.monotonic() + PATIENCE
        while (done := self.units_done(ledger)) < least:
            self.assertIsNone(process.poll(), "ended before that")
            self.assertLess(time.monotonic(), deadline, "records nothing")
            time.sleep(0.05)
        return done

    def kill_in_commit(self, ledger, random, *arguments):
        """Kills a run just after its journal became hot, in its second commit or a later one.
        Returns whether a hot journal is left."""
        process = self.launch(*arguments, "--ledger", ledger)
        journal, skip, before = ledger + "-journal", random.randrange(1, 3), False
        while process.poll() is None:
            hot = is_hot(journal)
            skip -= hot and not before
            before = hot
            if skip < 0:
                break
        time.sleep(random.uniform(0, 0.0003))
        process.kill()
        process.communicate()
        return is_hot(journal)
