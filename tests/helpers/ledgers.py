# SPDX-License-Identifier: MIT
"""Shared by the tests of ledgers. Makes ledgers, kills runs that write them, and asserts what they
hold.

The functions that read and write lines are a second implementation of docs/ledger-format.md. Tests
falsify ledgers with them.
"""
import ctypes
import json
import os
import struct
import typing

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

SAVED = 75  # the exit code of an interrupted count, all of whose results are in its ledger

# Options for counts that take seconds. On a slow machine they may take minutes, and would print
# progress.
UNSEEN = ("--progress", "never")

# Options that make a count slow enough to be killed half way.
SLOW = ("--kernel", "scalar64", "-t", "1", *UNSEEN)


def kernels():
    """Returns the names of the kernels that this machine can run."""
    return [kernel["name"] for kernel in document("info")["kernels"] if kernel["runs_here"]]


XXHASH = ctypes.CDLL("libxxhash.so.0")  # the program compiles its own copy from xxhash.h
XXHASH.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
XXHASH.XXH64.restype = ctypes.c_uint64


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
XXHASH.XXH3_128bits.restype = Hash128


class Unit(typing.NamedTuple):
    """The fields of a line with a result, in their order."""

    n: int
    method: str
    version: int
    units: int
    id: int
    solutions: int
    work: int
    nanoseconds: int
    time: int
    kernel: str
    host: str


class Run(typing.NamedTuple):
    """The fields of a line about a run, in their order."""

    n: int
    method: str
    version: int
    units: int
    id: int
    started: int
    nanoseconds: int
    state: str
    process: int
    threads: int
    shard: int
    shards: int
    kernel: str
    host: str
    program: str


KINDS = {"unit": Unit, "run": Run}
JOB_FIELDS = 4  # the first four fields say what is counted; in a line, the kind follows them


def with_hash(text):
    """Appends the hash and the line end to a line's text."""
    return f"{text} {XXHASH.XXH64(text.encode(), len(text.encode()), 0):016x}\n"


def line_of(entry):
    """Returns the line that has these fields."""
    kind = "unit" if isinstance(entry, Unit) else "run"
    words = [str(field) for field in entry]
    job, rest = words[:JOB_FIELDS], words[JOB_FIELDS:]
    return with_hash(" ".join(["nq3", *job, kind, *rest]))


def entry_of(line):
    """Returns the fields of a line, which must be intact."""
    text, _, _ = line.rpartition(" ")
    assert with_hash(text) == line, line
    magic, *words = text.split(" ")
    assert magic == "nq3", line
    fields = KINDS[words.pop(JOB_FIELDS)]
    types = fields.__annotations__.values()
    values = [convert(word) for convert, word in zip(types, words, strict=True)]
    return fields(*values)


def lines(ledger):
    """Returns the ledger's lines, with their line ends."""
    return content(ledger).decode("ascii").splitlines(keepends=True)


def entries(ledger):
    """Returns the fields of all lines, in their order. No line may be damaged."""
    return [entry_of(line) for line in lines(ledger) if line != "\n"]


def units(ledger):
    """Returns the units in the order of their ids. A unit that several lines have is returned once,
    and their results must agree."""
    found = {}
    for entry in entries(ledger):
        if isinstance(entry, Unit):
            first = found.setdefault(entry.id, entry)
            assert (first.solutions, first.work) == (entry.solutions, entry.work), (first, entry)
    return [found[unit] for unit in sorted(found)]


def runs(ledger):
    """Returns the last state of each run. It is in the run's line with the most time."""

    def time_then_end(entry):
        return entry.nanoseconds, entry.state == "ended"

    found = {}
    for entry in entries(ledger):
        if isinstance(entry, Run):
            found[entry.id] = max(found.get(entry.id, entry), entry, key=time_then_end)
    return list(found.values())


def write_entries(ledger, written):
    """Makes a ledger with these entries."""
    write(ledger, "".join(map(line_of, written)))


def rewrite(ledger, change, kinds=Unit):
    """Replaces each entry of these kinds with what `change` returns for it, and computes the hashes
    anew. If `change` returns None, the entry is left out."""
    changed = []
    for entry in entries(ledger):
        if isinstance(entry, kinds):
            entry = change(entry)
        if entry is not None:
            changed.append(entry)
    write_entries(ledger, changed)


def falsify_unit(ledger, place=0, solutions=1, work=0):
    """Adds to the numbers of the unit at this place in the order of ids. Returns the unit's id."""
    unit = units(ledger)[place].id

    def falsify(entry):
        return entry._replace(solutions=entry.solutions + solutions, work=entry.work + work)

    rewrite(ledger, lambda entry: falsify(entry) if entry.id == unit else entry)
    return unit


def digest(ledger):
    """Returns the digest of the ledger's results, as `ledger show` prints it."""
    data = b""
    for unit in units(ledger):
        data += struct.pack("<3Q", unit.id, unit.solutions, unit.work)
    value = XXHASH.XXH3_128bits(data, len(data))
    return f"{value.high:016x}{value.low:016x}"


class LedgerTest(FolderTest, ProcessTest):
    def path(self, name="ledger"):
        """Returns the path of a file in the case's folder."""
        return super().path(name)

    def shown(self, ledger):
        """Returns the document of `ledger show` for a ledger without errors."""
        return self.all_shown(ledger)[0]

    def all_shown(self, *ledgers):
        """Returns the documents of `ledger show` for several ledgers, which one process reads."""
        result = run("ledger", "show", *ledgers, "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return documents(result.stdout) if len(ledgers) > 1 else [json.loads(result.stdout)]

    def units_done(self, ledger):
        """Returns the number of recorded units. It is 0 for a ledger that cannot be shown, because
        its run was killed while it made the file."""
        result = run("ledger", "show", ledger, "--json")
        if result.returncode == SYSTEM:
            self.assert_fails(SYSTEM, result, ledger)
            self.assertRegex(result.stderr, "nothing in it yet|No such file")
            return 0
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertNotEqual(json.loads(result.stdout)["verdict"], "wrong")
        return int(json.loads(result.stdout)["units_done"])

    def assert_right(self, n, ledger, *options):
        """Starts or resumes a count with the ledger. Asserts that the program prints the right
        total, and that the ledger then has all units."""
        self.assert_answers(printed(n), str(n), "--ledger", ledger, *options, *UNSEEN)
        self.assert_complete(n, ledger)

    def assert_complete(self, n, *ledgers):
        """Asserts that each of the ledgers has all units, and that they add up to the known
        total."""
        for shown in self.all_shown(*ledgers):
            self.assert_has(
                shown, n=n, solutions=str(TOTALS[n]), verdict="verified", units_done=shown["units"]
            )

    def make(self, n, ledger, *options):
        """Makes a ledger of a whole count. Returns its path."""
        self.assert_right(n, ledger, *options)
        return ledger

    def make_part(self, n, ledger, shard, *options):
        """Makes a ledger of a shard, all of whose units are counted. Returns its path."""
        self.assert_answers("", str(n), "--ledger", ledger, "--shard", shard, "--quiet", *options)
        return ledger

    def assert_refused_by_all(self, n, file, *named):
        """Asserts that each command refuses the file as a ledger, with a message that contains
        these texts, and leaves it as it was."""
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
        """Asserts that the result is either the right total, or exit code 3 with one message.
        Returns True for the total."""
        if result.returncode == DONE:
            self.assertEqual(result, (DONE, printed(n), ""))
            return True
        self.assert_fails(SYSTEM, result, *named)
        return False

    def wait_for_units(self, ledger, process, least=1):
        """Waits until a run has recorded `least` units or more. Returns their number."""

        def recorded():
            done = self.units_done(ledger)
            return done if done >= least else None

        return self.wait_until(recorded, "records nothing", process, 0.05)
