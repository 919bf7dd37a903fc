# SPDX-License-Identifier: MIT
"""Shared by the tests of ledgers: making them, killing runs that write them, assertions; and a
second implementation of their lines (docs/ledger-format.md), which reads and falsifies them."""
import collections
import ctypes
import json
import os
import struct

from program import (
    DONE,
    SYSTEM,
    TOTALS,
    FolderTest,
    ProcessTest,
    content,
    document,
    documents,
    printed,
    run,
    write,
)

SAVED = 75  # exit code: interrupted, all results are in the ledger

# For counts of seconds: on a slow machine they take minutes, and would print their progress.
UNSEEN = ("--progress", "never")

# Counts that are slow enough to be killed half way.
SLOW = ("--kernel", "scalar64", "-t", "1", *UNSEEN)


def kernels():
    """The kernels that run here."""
    return [kernel["name"] for kernel in document("info")["kernels"] if kernel["runs_here"]]


XXHASH = ctypes.CDLL("libxxhash.so.0")  # the build has it inline
XXHASH.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
XXHASH.XXH64.restype = ctypes.c_uint64


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
XXHASH.XXH3_128bits.restype = Hash128

JOB = ("n", "method", "version", "units")
Unit = collections.namedtuple(
    "Unit", (*JOB, "id", "solutions", "work", "nanoseconds", "time", "kernel", "host")
)
Run = collections.namedtuple(
    "Run",
    (
        *JOB,
        "id",
        "started",
        "nanoseconds",
        "state",
        "process",
        "threads",
        "shard",
        "shards",
        "kernel",
        "host",
        "program",
    ),
)
KINDS = {"unit": Unit, "run": Run}
TEXTS = {"method", "kernel", "host", "state", "program"}  # all other fields are numbers


def with_hash(text):
    """A line, given without its hash and its end."""
    return f"{text} {XXHASH.XXH64(text.encode(), len(text.encode()), 0):016x}\n"


def line_of(entry):
    """The line that has these fields."""
    kind = next(name for name, fields in KINDS.items() if isinstance(entry, fields))
    return with_hash(" ".join(["nq3", *map(str, entry[:4]), kind, *map(str, entry[4:])]))


def entry_of(line):
    """The fields of a line, which must be intact."""
    text, _, _ = line.rpartition(" ")
    assert with_hash(text) == line, line
    magic, n, method, version, units, kind, *rest = text.split(" ")
    assert magic == "nq3", line
    fields = KINDS[kind]._fields
    words = (n, method, version, units, *rest)
    assert len(words) == len(fields), line
    return KINDS[kind]._make(
        word if name in TEXTS else int(word) for name, word in zip(fields, words)
    )


def lines(ledger):
    """Its lines, with their ends."""
    return content(ledger).decode("ascii").splitlines(keepends=True)


def entries(ledger):
    """The fields of all lines, in their order. None may be damaged."""
    return [entry_of(line) for line in lines(ledger) if line != "\n"]


def units(ledger):
    """The units by their ids, each once."""
    found = {}
    for entry in entries(ledger):
        if isinstance(entry, Unit):
            first = found.setdefault(entry.id, entry)
            assert (first.solutions, first.work) == (entry.solutions, entry.work), (first, entry)
    return [found[unit] for unit in sorted(found)]


def runs(ledger):
    """Of each run the line with the most time."""
    found = {}
    for entry in entries(ledger):
        if isinstance(entry, Run):
            known = found.setdefault(entry.id, entry)
            found[entry.id] = max(
                known, entry, key=lambda one: (one.nanoseconds, one.state == "ended")
            )
    return list(found.values())


def write_entries(ledger, written):
    write(ledger, "".join(map(line_of, written)))


def rewrite(ledger, change, kinds=Unit):
    """Makes of each entry of these kinds what `change` returns, with a right hash. None leaves it
    out."""
    changed = [change(entry) if isinstance(entry, kinds) else entry for entry in entries(ledger)]
    write_entries(ledger, [entry for entry in changed if entry is not None])


def falsify_unit(ledger, place=0, solutions=1, work=0):
    """Adds to the numbers of the unit at this place in the order of ids. Returns its id."""
    unit = units(ledger)[place].id

    def falsify(entry):
        return entry._replace(solutions=entry.solutions + solutions, work=entry.work + work)

    rewrite(ledger, lambda entry: falsify(entry) if entry.id == unit else entry)
    return unit


def digest(ledger):
    data = b"".join(
        struct.pack("<3Q", unit.id, unit.solutions, unit.work) for unit in units(ledger)
    )
    value = XXHASH.XXH3_128bits(data, len(data))
    return f"{value.high:016x}{value.low:016x}"


class LedgerTest(FolderTest, ProcessTest):
    def path(self, name="ledger"):
        return super().path(name)

    def shown(self, ledger):
        """The document of `ledger show` for a ledger without errors."""
        return self.all_shown(ledger)[0]

    def all_shown(self, *ledgers):
        """The documents of several ones, read by one process."""
        result = run("ledger", "show", *ledgers, "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return documents(result.stdout) if len(ledgers) > 1 else [json.loads(result.stdout)]

    def units_done(self, ledger):
        """0 for what cannot be shown: a ledger that was being made when its run was killed."""
        result = run("ledger", "show", ledger, "--json")
        if result.returncode == SYSTEM:
            self.assert_fails(SYSTEM, result, ledger)
            self.assertRegex(result.stderr, "nothing in it yet|No such file")
            return 0
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertNotEqual(json.loads(result.stdout)["verdict"], "wrong")
        return int(json.loads(result.stdout)["units_done"])

    def assert_right(self, n, ledger, *options):
        """Starts or resumes a count with the ledger; its total is right, and then in the ledger."""
        self.assert_answers(printed(n), str(n), "--ledger", ledger, *options, *UNSEEN)
        self.assert_complete(n, ledger)

    def assert_complete(self, n, *ledgers):
        for shown in self.all_shown(*ledgers):
            self.assert_has(
                shown, n=n, solutions=str(TOTALS[n]), verdict="verified", units_done=shown["units"]
            )

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
        for command in (
            [str(n), "--ledger"],
            ["ledger", "show"],
            ["ledger", "audit"],
            ["ledger", "merge", "-o", self.path("merged")],
        ):
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
