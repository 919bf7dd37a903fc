# SPDX-License-Identifier: MIT
"""Shared by the tests of ledgers: making them, killing runs that write them, assertions; and a second implementation
of their rows with checksums (docs/ledger.md), which falsifies them."""
import contextlib
import ctypes
import json
import os
import sqlite3
import struct

from program import DONE, SYSTEM, TOTALS, FolderTest, ProcessTest, content, document, printed, run

SAVED = 75  # exit code: interrupted, all results are in the ledger

# For counts of seconds: on a slow or busy machine they take minutes, and would print their progress.
UNSEEN = ("--progress", "never")

# Counts that are slow enough to be killed half way.
SLOW = ("--kernel", "scalar64", "-t", "1", *UNSEEN)


def kernels():
    """The kernels that run here."""
    return [kernel["name"] for kernel in document("info")["kernels"] if kernel["runs_here"]]


TABLES = ("job", "run", "unit")
APPLICATION_ID = 0x6E714C47
RUN_OPEN, RUN_ENDED = 0, 1  # states of a run

XXHASH = ctypes.CDLL("libxxhash.so.0")  # the build has it inline
XXHASH.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
XXHASH.XXH64.restype = ctypes.c_int64


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
XXHASH.XXH3_128bits.restype = Hash128


def columns_text(columns):
    return "".join(f"|{len(value.encode())}:{value}" if isinstance(value, str) else f"|{value}"
                   for value in columns)


def checksum(table, job, columns):
    """The checksum of a row, given without it. job: the columns of the job's row."""
    text = table + ("" if table == "job" else columns_text(job)) + columns_text(columns)
    return XXHASH.XXH64(text.encode(), len(text.encode()), 0)


def digest(ledger):
    data = b"".join(struct.pack("<3Q", *row[:3]) for row in rows(ledger, "unit"))
    value = XXHASH.XXH3_128bits(data, len(data))
    return f"{value.high:016x}{value.low:016x}"


@contextlib.contextmanager
def opened(ledger):
    """The ledger as a database; changes are committed."""
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        yield database


def rows(ledger, table):
    """All rows of a table, by their ids, checksums included."""
    with opened(ledger) as database:
        return database.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()


def job_of(ledger):
    return rows(ledger, "job")[0][:-1]


def put(database, table, job, columns):
    """Writes a row with its right checksum."""
    row = (*columns, checksum(table, job, columns))
    database.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def rewrite(ledger, table, change, places=slice(None)):
    """Gives rows the columns that `change` makes of theirs, and right checksums. A row whose id changes
    stays beside the new one."""
    with opened(ledger) as database:
        for row in rows(ledger, table)[places]:
            put(database, table, job_of(ledger), change(*row[:-1]))


def falsify_unit(ledger, place=0, solutions=1, work=0):
    """Adds to the numbers of the unit at `place`. Returns its id."""
    rewrite(ledger, "unit", lambda unit, *numbers: (unit, numbers[0] + solutions, numbers[1] + work, *numbers[2:]),
            slice(place, place + 1 or None))
    return rows(ledger, "unit")[place][0]


def change_job(ledger, place, value):
    """Makes it a ledger of another job, with right checksums in all rows."""
    job = list(job_of(ledger))
    job[place] = value
    with opened(ledger) as database:
        for table in TABLES:
            for row in rows(ledger, table):
                put(database, table, job, job if table == "job" else row[:-1])


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
        def recorded():
            done = self.units_done(ledger)
            return done if done >= least else None

        return self.wait_until(recorded, "records nothing", process, 0.05)
