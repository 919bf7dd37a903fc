"""Shared by the tests of ledgers: making them, killing runs that write them, and assertions."""
import json
import os
import shutil
import tempfile
import time

from processes import ProcessTest
from program import DONE, PATIENCE, SYSTEM, TOTALS, run

SAVED = 75  # exit code: interrupted, all results are in the ledger

# Counts that are slow enough to be killed half way: many units, and a slow kernel.
MANY_UNITS = ("--plan", "rows", "--depth", "3")
SLOW = ("--kernel", "scalar64", "-t", "1")

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat.html


def note(text):
    """Writes figures to the log of the tests."""
    print("#", text, flush=True)


def content(file):
    with open(file, "rb") as opened:
        return opened.read()


def write(file, data):
    with open(file, "wb") as opened:
        opened.write(data)


def start_of(file):
    """The first bytes of a file; none if there is no file."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except FileNotFoundError:
        return b""
    try:
        return os.read(descriptor, 12)
    finally:
        os.close(descriptor)


def busy_wait(seconds):
    """Waits for a time that is too short for sleep."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def kernels():
    """The kernels that run here."""
    listed = json.loads(run("info", "--json").stdout)["kernels"]
    return [kernel["name"] for kernel in listed if kernel["runs_here"]]


def is_hot(journal):
    """The journal has valid records, which SQLite must roll back."""
    return journal[:8] == JOURNAL_MAGIC and journal[8:12] != bytes(4)


class LedgerTest(ProcessTest):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nq-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name="ledger"):
        return os.path.join(self.folder, name)

    def shown(self, ledger):
        """The document of `ledger show` for a ledger without errors."""
        result = run("ledger", "show", ledger, "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return json.loads(result.stdout)

    def assert_readable(self, ledger):
        """After a kill: the ledger can be shown, or is empty or missing. Returns the units done."""
        result = run("ledger", "show", ledger, "--json")
        if result.returncode == SYSTEM:
            self.assert_fails(SYSTEM, result, ledger)
            self.assertRegex(result.stderr, "nothing in it yet|No such file")
            return 0
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        document = json.loads(result.stdout)
        self.assertNotEqual(document["verdict"], "wrong")
        return int(document["units_done"])

    def assert_right(self, n, ledger, *options):
        """Starts or resumes a count with the ledger; its total is right, and then in the ledger."""
        self.assert_answers(f"{TOTALS[n]}\n", str(n), "--ledger", ledger, *options)
        self.assert_complete(n, ledger)

    def assert_complete(self, n, ledger):
        document = self.shown(ledger)
        self.assertEqual((document["n"], document["solutions"], document["verdict"],
                          document["units_done"]),
                         (n, str(TOTALS[n]), "verified", document["units"]))

    def make(self, n, ledger, *options):
        """A complete ledger."""
        self.assert_right(n, ledger, *options)
        return ledger

    def make_part(self, n, ledger, shard, *options):
        """A complete ledger of one shard."""
        result = run(str(n), "--ledger", ledger, "--shard", shard, "--quiet", *options)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, "", ""))
        return ledger

    def assert_right_or_refused(self, n, result, *named):
        """The right total, or exit code 3 and one line. Returns True for the total."""
        if result.returncode == DONE:
            self.assertEqual((result.stdout, result.stderr), (f"{TOTALS[n]}\n", ""))
            return True
        self.assert_fails(SYSTEM, result, *named)
        return False

    def wait_for_units(self, ledger, process, least=1):
        """Waits until a run has recorded so many units. Returns their number."""
        deadline = time.monotonic() + PATIENCE
        while True:
            self.assertIsNone(process.poll(), "ended before that")
            self.assertLess(time.monotonic(), deadline, "records nothing")
            result = run("ledger", "show", ledger, "--json")
            done = int(json.loads(result.stdout)["units_done"]) if result.returncode == 0 else 0
            if done >= least:
                return done
            time.sleep(0.05)

    def kill_in_commit(self, ledger, random, *arguments):
        """Kills a run just after its journal became hot, in its second commit or a later one.
        Returns whether a hot journal is left."""
        process = self.launch(*arguments, "--ledger", ledger)
        journal, skip, before = ledger + "-journal", random.randrange(1, 3), False
        while process.poll() is None:
            hot = is_hot(start_of(journal))
            skip -= hot and not before
            before = hot
            if skip < 0:
                break
        busy_wait(random.uniform(0, 0.0003))
        process.kill()
        process.communicate()
        return is_hot(start_of(journal))
