# SPDX-License-Identifier: MIT
"""Random sequences of calls of the library, compared with models of what each call must do.

What it can find: wrong counts, lists, classes and verdicts of small boards; results that a ledger
loses, counts twice or takes from another job, after kills, cuts, copies, moves, joins, flipped
bits, forged lines, failing writes and failing allocations; refusals with a wrong status, or that
change a file; a call that crashes; and one call that spoils a later one.

What it cannot find: what boards beyond n = 9 need, such as large sums; devices; options that the
Python package does not have, such as those that bind threads; what only the program does, such as
its messages (test_command_lines.py); and the loss of what the system has not brought to the disk,
as no power fails here.

Hypothesis chooses the calls. It shrinks a sequence that fails, and prints it as calls of rules.
NQUEENS_SEQUENCES says how many sequences are tried for each class of rules, and another
NQUEENS_SEED gives other sequences:

    NQUEENS_SEED=7 NQUEENS_SEQUENCES=1000 meson test -C build-test fuzz-calls
"""

import collections
import concurrent.futures
import ctypes
import functools
import importlib.util
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

pytest.importorskip("hypothesis", reason="Hypothesis is not installed (Debian: python3-hypothesis)")

from hypothesis import HealthCheck, seed, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule


def load_faulty_extension():
    """Loads the extension module that calls faults.c in place of the C library, and returns it for
    ctypes. The package `nqueens` then uses it instead of its own."""
    path = os.environ["NQUEENS_FAULTY_EXTENSION"]
    specification = importlib.util.spec_from_file_location("nqueens._nqueens", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    sys.modules["nqueens._nqueens"] = module
    library = ctypes.CDLL(path)
    library.fault_arm.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_size_t]
    return library


FAULTY = load_faulty_extension()

import nqueens  # after its extension was replaced  # pylint: disable=wrong-import-position

PROGRAM = os.environ["NQUEENS"]
FAULTY_PROGRAM = os.environ["NQUEENS_FAULTY"]
SEED = int(os.environ.get("NQUEENS_SEED", "1"))
SEQUENCES = int(os.environ.get("NQUEENS_SEQUENCES", "15"))
PATIENCE = 60  # seconds after which a process is said to hang

# The values of `enum fault` in faults.h.
FAULTS = {"none": 0, "memory": 1, "error": 2, "short": 3, "full": 4, "locks": 6}

# The statuses with which a call may end if an allocation fails.
MEMORY_STATUSES = {"NO_MEMORY", "NO_TOPOLOGY", "NO_THREAD", "LEDGER_IO"}


def arm(fault, at=1, stored=0):
    """Gives the at-th call from now on this fault, a key of FAULTS. stored: the bytes that a write
    stores before it fails."""
    FAULTY.fault_arm(FAULTS[fault], at, stored)


class Stop(Exception):
    """Is raised by a progress function, to stop a count."""


def ended(call):
    """Returns the name of the status with which a call ends, and what the call returns."""
    try:
        return "OK", call()
    except Stop:
        return "CANCELLED", None
    except nqueens.Error as error:
        assert str(error), "an error without a sentence"
        return error.status.name, None
    except RuntimeError as error:
        assert "refused to start" in str(error)
        return "NO_THREAD", None


# ---- Brute force -----------------------------------------------------------------------------

TOP = 9  # the largest board


def fits(columns, column):
    """Returns whether no queen of the rows above attacks this column of the next row."""
    row = len(columns)
    for above, other in enumerate(columns):
        if column == other or abs(column - other) == row - above:
            return False
    return True


def completions(n, squares=None):
    """Returns, in lexicographic order, all solutions of the empty board or, if `squares` has the
    rows of a given board, all solutions that complete that board."""
    found = [()]
    for row in range(n):
        longer = []
        for columns in found:
            for column in range(1, n + 1):
                if fits(columns, column) and (squares is None or is_free(squares[row], column)):
                    longer.append((*columns, column))
        found = longer
    return found


def is_free(row, column):
    """Returns whether the queen of this row may stand in this column."""
    if row.count("Q") > 1:
        return False  # they attack each other
    return row[column - 1] == ("Q" if "Q" in row else ".")


def turned(columns):
    """Returns the placement after a quarter turn."""
    n = len(columns)
    return tuple(n - columns.index(column) for column in range(1, n + 1))


def images(columns):
    """Returns a placement's images under the square's symmetries. The placement itself is first."""
    found = []
    for one in (columns, columns[::-1]):
        for _ in range(4):
            found.append(one)
            one = turned(one)
    return found


SOLUTIONS = [completions(n) for n in range(TOP + 1)]
FIRST = [[one for one in found if one == min(images(one))] for found in SOLUTIONS]


# ---- Calls without a ledger ------------------------------------------------------------------

sizes = st.integers(0, TOP)
methods = st.sampled_from([None, "auto", "search", "colours"])
boards = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.text(".....Q*", min_size=n, max_size=n), min_size=n, max_size=n)
)


class Calls(RuleBasedStateMachine):
    """Calls that leave nothing behind. What was called before must not change their answers."""

    @rule(n=sizes, method=methods, threads=st.integers(1, 4), shards=st.integers(1, 5))
    def shards_add_up(self, n, method, threads, shards):
        parts = []
        for shard in range(1, shards + 1):
            parts.append(
                nqueens.count_info(n, method=method, threads=threads, shard=(shard, shards))
            )
        assert sum(part.solutions for part in parts) == len(SOLUTIONS[n])
        for part in parts:
            assert part.units_done == part.units
            assert part.method == (method if method == "search" else "colours")
        whole = nqueens.count_info(n, method=method, threads=threads)
        assert whole.complete and whole.verified and whole.solutions == len(SOLUTIONS[n])
        assert sum(part.units for part in parts) == whole.units
        assert sum(part.work for part in parts) == whole.work

    @rule(n=sizes, at=st.integers(1, 10))
    def count_is_stopped(self, n, at):
        calls = itertools.count(1)

        def progress(share, remaining):
            assert 0 <= share <= 1 and (remaining is None or remaining >= 0)
            if next(calls) == at:
                raise Stop

        status, solutions = ended(lambda: nqueens.count(n, threads=2, progress=progress))
        assert status == "CANCELLED" or (status, solutions) == ("OK", len(SOLUTIONS[n]))

    @rule(squares=boards, method=st.sampled_from([None, "auto", "search", "colours"]))
    def board_is_completed(self, squares, method):
        n, board = len(squares), "\n".join(squares)
        expected = completions(n, squares)
        empty = all(row == "." * n for row in squares)
        status, solutions = ended(lambda: nqueens.count(n, method=method, board=board))
        if method == "colours" and not empty:
            assert status == "BAD_OPTION"
        else:
            assert (status, solutions) == ("OK", len(expected))
        assert list(nqueens.solutions(n, board=board)) == expected

    @rule(n=sizes, most=st.integers(0, 400), fundamental=st.booleans())
    def solutions_are_listed(self, n, most, fundamental):
        expected = FIRST[n] if fundamental else SOLUTIONS[n]
        found = list(itertools.islice(nqueens.solutions(n, fundamental), most))
        assert found == expected[:most]

    @rule(n=sizes)
    def two_lists_take_turns(self, n):
        for one, first in itertools.zip_longest(
            nqueens.solutions(n), nqueens.solutions(n, fundamental=True)
        ):
            assert one in SOLUTIONS[n] and (first is None or first in FIRST[n])

    @rule(n=st.integers(1, TOP), more=st.integers(0, 20))
    def classes_are_counted(self, n, more):
        status, found = ended(lambda: nqueens.count_classes(n, len(SOLUTIONS[n]) + more))
        assert status == ("MISMATCH" if more else "OK")
        if not more:
            half = [one for one in SOLUTIONS[n] if turned(turned(one)) == one]
            quarter = [one for one in half if turned(one) == one]
            assert found.fundamental == len(FIRST[n]) and found.verified
            assert (found.half_turn, found.quarter_turn) == (len(half), len(quarter))
        assert nqueens.known(n) == len(SOLUTIONS[n])
        assert nqueens.known(n, fundamental=True) == len(FIRST[n])

    @rule(columns=st.lists(st.integers(-1, TOP + 1), max_size=TOP))
    def placement_is_judged(self, columns):
        n = len(columns)
        inside = all(1 <= column <= n for column in columns)
        status, right = ended(lambda: nqueens.check(columns))
        assert status == ("OK" if inside else "NO_PLACEMENT")
        assert not inside or right == (tuple(columns) in SOLUTIONS[n])

    @rule(n=st.integers(1, 40))
    def solution_is_constructed(self, n):
        status, columns = ended(lambda: nqueens.construct(n))
        assert status == ("NO_SOLUTION" if n in (2, 3) else "OK")
        assert status != "OK" or nqueens.check(columns)
        assert status != "OK" or n > TOP or columns in SOLUTIONS[n]

    @rule(n=sizes, other=sizes)
    def two_threads_count_at_once(self, n, other):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(nqueens.count, (n, other)))
        assert found == [len(SOLUTIONS[n]), len(SOLUTIONS[other])]

    @rule(n=st.sampled_from([-1, 29, 2**70]), method=st.sampled_from(["colour", "SEARCH", "x\0"]))
    def wrong_values_are_refused(self, n, method):
        assert ended(lambda: nqueens.count(n))[0] == "BAD_N"
        assert ended(lambda: nqueens.count(8, method=method))[0] == "BAD_OPTION"
        assert ended(lambda: nqueens.count(8, kernel="scalar63"))[0] == "NO_KERNEL"
        assert ended(lambda: nqueens.count(8, shard=(3, 2)))[0] == "BAD_OPTION"
        assert ended(lambda: nqueens.count(8, threads=0))[0] == "BAD_OPTION"
        assert ended(lambda: nqueens.count(2, board="Q.\n.x"))[0] == "BAD_OPTION"

    @rule(n=st.integers(1, TOP), method=methods, at=st.integers(1, 60))
    def memory_runs_out(self, n, method, at):
        """If an allocation fails, a call gives the right answer or an error. The same call is right
        once memory is there again."""
        for call, expected in (
            (lambda: nqueens.count(n, method=method, threads=1), len(SOLUTIONS[n])),
            (lambda: tuple(nqueens.solutions(n)), tuple(SOLUTIONS[n])),
            (lambda: nqueens.count_classes(n, len(SOLUTIONS[n])), nqueens.count_classes(n)),
            (lambda: nqueens.check([1] * (n + 1)), False),
        ):
            arm("memory", at)
            status, found = ended(call)
            arm("none")
            assert status in MEMORY_STATUSES or (status, found) == ("OK", expected)
            assert ended(call) == ("OK", expected)


# ---- What a ledger's lines say ---------------------------------------------------------------

XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
XXHASH.XXH64.restype = ctypes.c_uint64

Job = collections.namedtuple("Job", "n method version units")
Unit = collections.namedtuple("Unit", "id solutions work")
Run = collections.namedtuple("Run", "id nanoseconds state")
VERSIONS = {}  # method: the version of its units; filled below


def line_hash(text):
    return b"%016x" % XXHASH.XXH64(text, len(text), 0)


def read_line(text):
    """Returns the job of a line and its Unit or Run, or None if the line is not intact."""
    text = text[:-1] if text.endswith(b"\r") else text
    said, space, found = text.rpartition(b" ")
    if not said or not space or found != line_hash(said) or not said.startswith(b"nq3 "):
        return None
    words = said.decode().split(" ")
    job = Job(int(words[1]), words[2], int(words[3]), int(words[4]))
    if words[5] == "unit":
        return job, Unit(*map(int, words[6:9]))
    return job, Run(int(words[6]), int(words[8]), words[9])


class Held:
    """What files hold, read one after the other as one ledger. If they are refused, `status` says
    why, and nothing after the line that is to blame has been read."""

    def __init__(self, *files):
        self.status, self.job = "OK", None
        self.units, self.runs = {}, {}  # by id
        self.lines_damaged, self.first_damaged = 0, None
        for file in files:
            if self.status == "OK":
                self.read(content(file))

    def read(self, data):
        lines = data.split(b"\n")
        intact = False
        for number, text in enumerate(lines, 1):
            line = read_line(text) if text else None
            if line:
                intact = True
                self.status = self.take(*line)
                if self.status != "OK":
                    return
            elif text not in (b"", b"\r"):
                self.lines_damaged += 1
                self.first_damaged = self.first_damaged or number
        # A killed writer may leave the beginning of a line. The next writer first adds a newline,
        # after which it may be killed, too.
        fragment = data.removesuffix(b"\n") or data
        may_begin = data.startswith(b"nq3 ") or b"nq3 ".startswith(fragment)
        if not intact and not may_begin:
            self.status = "LEDGER_DAMAGED"

    def take(self, job, line):
        """Returns the status of reading this line after the earlier ones."""
        if self.job is None and VERSIONS.get(job.method, job.version) != job.version:
            return "LEDGER_DAMAGED"
        self.job = self.job or job
        if job != self.job:
            is_other_count = (job.n, job.method) != (self.job.n, self.job.method)
            return "LEDGER_OTHER" if is_other_count else "LEDGER_DAMAGED"
        if isinstance(line, Run):
            self.runs[line.id] = max(self.runs.get(line.id, line), line)
            return "OK"
        return "OK" if self.units.setdefault(line.id, line) == line else "DISAGREE"

    def is_of_this_version(self):
        return self.job is None or self.job == true_units(self.job.n, self.job.method)[0]


def content(file):
    with open(file, "rb") as opened:
        return opened.read()


def content_or_none(file):
    return content(file) if os.path.exists(file) else None


def write(file, data):
    with open(file, "wb") as opened:
        opened.write(data)


@functools.lru_cache(None)
def true_units(n, method):
    """Returns the job of counts of n by this method, its units by id, and the bytes of a whole
    ledger. The sum is that of brute force; the units themselves are those of an undisturbed count.
    """
    with tempfile.TemporaryDirectory(prefix="nq-") as folder:
        file = os.path.join(folder, "ledger")
        assert nqueens.count(n, method=method, ledger=file) == len(SOLUTIONS[n])
        held, data = Held(file), content(file)
    assert held.status == "OK" and held.lines_damaged == 0
    assert len(held.units) == held.job.units
    return held.job, held.units, data


VERSIONS.update({method: true_units(8, method)[0].version for method in ("search", "colours")})


# ---- Ledgers ---------------------------------------------------------------------------------

files = st.sampled_from(["a", "a", "b", "c"])
shares = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
counts = st.fixed_dictionaries(
    {
        # Most counts have n = 8, so that many of the files are ledgers of one job.
        "n": st.sampled_from([8, 8, 8, 8, 8, 8, *range(TOP + 1)]),
        "method": st.sampled_from([None, None, None, "colours", "search", "auto"]),
        "shard": st.none() | st.integers(1, 3).map(lambda shard: (shard, 3)),
        "threads": st.integers(1, 2),
    }
)


class Ledgers(RuleBasedStateMachine):
    """Files in a folder, which counts use as their ledgers."""

    def __init__(self):
        super().__init__()
        self.start = os.getcwd()
        self.folder = tempfile.mkdtemp(prefix="nq-")
        os.chdir(self.folder)

    def teardown(self):
        os.chdir(self.start)
        shutil.rmtree(self.folder)

    @initialize(method=st.sampled_from(["colours", "search"]), share=shares)
    def begin(self, method, share):
        """Makes a ledger of a count that a power cut has ended. share: the part of it that is
        left."""
        data = true_units(8, method)[2]
        write("a", data[: int(len(data) * share)])

    # -- What must be true of any count

    def expected(self, file, n, method):
        """Returns the status with which a count of all units ends if nothing disturbs it, and what
        the file holds before the count."""
        if not os.path.exists(file):
            held = Held()
        else:
            held = Held(file)
        if held.status != "OK":
            return held.status, held
        method = None if method == "auto" else method
        if held.job and held.job.n != n:
            return "LEDGER_OTHER", held
        counts_by = method or (held.job.method if held.job else "colours")
        if held.job and held.job.method != counts_by:
            return "LEDGER_OTHER", held
        if not held.is_of_this_version():
            return "LEDGER_DAMAGED", held
        for unit, right in true_units(n, counts_by)[1].items():
            if held.units.get(unit, right).solutions != right.solutions:
                return "MISMATCH", held
        return "OK", held

    def check_file(self, file, before, held, n, method, torn=False):
        """Checks what a count that ran has left. before: the file's bytes before the count, or
        None. held: what these bytes hold. torn: whether the count may leave damaged lines. Returns
        what the file holds now."""
        data = content(file)
        assert data.startswith(before or b""), "bytes of the ledger were changed"
        now = Held(file)
        assert now.status == "OK"
        if now.job is None:
            return now
        job, true, _ = true_units(n, now.job.method)
        assert now.job == job and (method in (None, "auto") or method == job.method)
        assert torn or now.lines_damaged == held.lines_damaged
        for unit, right in now.units.items():
            assert right == held.units.get(unit, true[unit]), "a wrong result was recorded"
        assert held.units.keys() <= now.units.keys(), "a recorded unit was lost"
        return now

    def check_info(self, info, held, now, shard):
        """Checks what a finished count says of itself."""
        job = now.job
        assert info.units == job.units and info.method == job.method
        assert info.units_recorded == len(held.units)
        assert info.units_done == len(now.units), "a counted unit was not recorded"
        assert info.complete == (len(now.units) == job.units)
        assert info.complete or shard
        assert info.work == sum(unit.work for unit in now.units.values()), "wrong work"
        if info.complete:
            assert info.verified and info.solutions == len(SOLUTIONS[info.n])
        if info.units_recorded < info.units_done:
            assert len(now.runs) == len(held.runs) + 1
        assert sum(run.state == "open" for run in now.runs.values()) <= sum(
            run.state == "open" for run in held.runs.values()
        )

    def count_and_check(self, file, count, stop=None, kernel=None, fault=None, allowed=()):
        """Counts, and checks how the count ends. fault: the arguments of arm() for this count, or
        None. allowed: further statuses with which the count may end."""
        n, method, shard = count["n"], count["method"], count["shard"]
        expected, held = self.expected(file, n, method)
        before = content_or_none(file)
        calls = itertools.count(1)

        def progress(*_):
            if next(calls) == stop:
                raise Stop

        arm(*fault or ["none"])
        status, info = ended(
            lambda: nqueens.count_info(**count, kernel=kernel, ledger=file, progress=progress)
        )
        arm("none")
        refused = expected not in ("OK", "MISMATCH")
        if refused:
            assert status == expected or status in allowed, (status, expected)
            assert content_or_none(file) == before, "a refusal has changed the file"
            return status
        possible = {"OK", *allowed, *(["CANCELLED"] if stop else [])}
        possible |= {"MISMATCH"} if expected == "MISMATCH" else set()
        assert status in possible, (status, possible)
        if not os.path.exists(file):
            assert before is None and status in allowed, "the ledger has gone"
            return status
        now = self.check_file(file, before, held, n, method, torn=fault is not None)
        assert before is not None or now.job or content(file) or status == "CANCELLED"
        if status == "OK" and expected == "OK":
            self.check_info(info, held, now, shard)
        if status == "OK" and expected == "MISMATCH":
            assert not info.complete, "a wrong total is not told"
        return status

    # -- Counts

    @rule(
        file=files,
        count=counts,
        stop=st.none() | st.integers(1, 20),
        kernel=st.sampled_from([None, None, "scalar64"]),
    )
    def count(self, file, count, stop, kernel):
        self.count_and_check(file, count, stop, kernel)

    @rule(share=shares)
    def cut(self, share):
        data = content_or_none("a")
        if data:
            write("a", data[: int(len(data) * share)])

    @rule(file=files, to=files, keep=st.booleans())
    def copy_or_move(self, file, to, keep):
        if os.path.exists(file) and file != to:
            if keep:
                shutil.copy(file, to)
            else:
                os.replace(file, to)

    @rule(file=files)
    def remove(self, file):
        if os.path.exists(file):
            os.remove(file)


class DisturbedLedgers(Ledgers):
    """What the system and other programs do to a count."""

    @rule(
        file=files,
        count=counts,
        fault=st.sampled_from(["error", "short", "full", "memory", "locks"]),
        at=st.integers(1, 40),
        stored=st.integers(0, 400),
        stop=st.none() | st.integers(1, 20),
    )
    def count_while_something_fails(self, file, count, fault, at, stored, stop):
        allowed = {"error": {"LEDGER_IO"}, "full": {"LEDGER_IO"}, "memory": MEMORY_STATUSES}
        at = 1 if fault == "locks" else at
        self.count_and_check(
            file, count, stop, fault=(fault, at, stored), allowed=allowed.get(fault, ())
        )

    @rule(file=files, count=counts, at=st.integers(1, 30), stored=st.integers(0, 400))
    def count_is_killed(self, file, count, at, stored):
        expected, held = self.expected(file, count["n"], count["method"])
        before = content_or_none(file)
        words = [str(count["n"]), "--ledger", file, "--threads", str(count["threads"]), "--quiet"]
        if count["method"]:
            words += ["--method", count["method"]]
        if count["shard"]:
            words += ["--shard", "{}/{}".format(*count["shard"])]
        ending = run(FAULTY_PROGRAM, words, KILL_AT=str(at), KILL_STORED=str(stored)).returncode
        if expected not in ("OK", "MISMATCH"):
            # The process may be killed while it writes the message.
            assert ending in (1, 2, 3, -signal.SIGKILL) and content_or_none(file) == before
            return
        assert ending in (0, 1, -signal.SIGKILL), f"the program ended with {ending}"
        if os.path.exists(file):
            self.check_file(file, before, held, count["n"], count["method"], torn=True)

    @rule(
        file=files,
        count=counts,
        at=st.integers(1, 10),
        deed=st.sampled_from(["move", "copy", "remove", "replace", "append", "count"]),
        other=files,
    )
    def count_amid_which_something_is_done(self, file, count, at, deed, other):
        """The deed is done by the at-th call of the progress function."""
        n, method = count["n"], count["method"]
        expected, held = self.expected(file, n, method)
        before = content_or_none(file)
        calls, nested, share_then = itertools.count(1), [], None
        deeds = {
            "move": lambda: os.replace(file, other),
            "copy": lambda: file == other or shutil.copy(file, other),
            "remove": lambda: os.remove(file),
            "replace": lambda: (write("new", b""), os.replace("new", file)),
            "append": lambda: append(file, b"not a line\n"),
            "count": lambda: nested.append(ended(lambda: nqueens.count(n, ledger=file))[0]),
        }

        def progress(share, _):
            nonlocal share_then
            if next(calls) == at:
                share_then = share
                deeds[deed]()

        status, _ = ended(lambda: nqueens.count_info(**count, ledger=file, progress=progress))
        if expected not in ("OK", "MISMATCH"):
            assert status == expected and content_or_none(file) == before
            return
        was_done = share_then is not None
        was_amid = was_done and share_then < 1  # a unit was still to be written
        if deed in ("remove", "replace") and was_done:
            assert status == "LEDGER_IO" or not was_amid, "results are gone, and nobody is told"
            return
        assert status == expected or status == "OK" and count["shard"]
        assert not nested or not was_amid or nested == ["LEDGER_BUSY"], "two processes write"
        counted = other if deed == "move" and was_done else file
        now = self.check_file(counted, before, held, n, method, torn=deed == "append")
        if count["shard"] is None:
            assert len(now.units) == now.job.units, "a counted unit was not recorded"


class EditedLedgers(Ledgers):
    """What users and disks do to files between counts, and the commands for ledgers."""

    @rule(file=files, count=counts)
    def count_all_shards(self, file, count):
        for shard in (1, 2, 3):
            self.count_and_check(file, {**count, "shard": (shard, 3)})

    @rule(place=shares, bit=st.integers(0, 7))
    def flip_a_bit(self, place, bit):
        data = bytearray(content_or_none("a") or b"")
        if data:
            data[int(place * (len(data) - 1))] ^= 1 << bit
            write("a", data)

    @rule(garbage=st.sampled_from([b"\n", b"\r\n", b"\n\n", b"nq3 8", b"\0", b"x" * 70000]))
    def append_garbage(self, garbage):
        if os.path.exists("a"):
            append("a", garbage)

    @rule(place=shares, field=st.sampled_from(["solutions", "work", "version", "units"]))
    def forge_a_line(self, place, field):
        """Adds one to a number of a line, and gives the line its right hash."""
        lines = (content_or_none("a") or b"").split(b"\n")
        chosen = int(place * (len(lines) - 1))
        line = read_line(lines[chosen])
        if line is None or field in ("solutions", "work") and not isinstance(line[1], Unit):
            return
        words = lines[chosen].split(b" ")[:-1]
        at = {"version": 3, "units": 4, "solutions": 7, "work": 8}[field]
        words[at] = b"%d" % (int(words[at]) + 1)
        said = b" ".join(words)
        lines[chosen] = said + b" " + line_hash(said)
        write("a", b"\n".join(lines))

    @rule(how=st.sampled_from(["sorted", "backwards", "units", "windows", "twice"]))
    def rewrite(self, how):
        """Rewrites the lines as sort, tac, grep, unix2dos or cat would."""
        if not os.path.exists("a"):
            return
        lines = content("a").splitlines(keepends=True)
        ways = {
            "sorted": lambda: sorted(set(lines)),
            "backwards": lambda: lines[::-1],
            "units": lambda: [line for line in lines if b" unit " in line],
            "windows": lambda: [line.replace(b"\n", b"\r\n") for line in lines],
            "twice": lambda: lines + lines,
        }
        write("a", b"".join(ways[how]()))

    @rule(share=st.just(1) | shares, to=files)
    def join(self, share, to):
        """Joins two files as cat does. Of the first one, only a share of the bytes may be taken."""
        first, second = content_or_none("a"), content_or_none("b")
        if first is not None and second is not None:
            write(to, first[: int(len(first) * share)] + second)

    # -- Commands of the program

    @rule(inputs=st.lists(files, min_size=1, max_size=3), output=files)
    def merge(self, inputs, output):
        before = content_or_none(output)
        missing = [file for file in inputs if not os.path.exists(file)]
        held = Held() if missing else Held(*inputs)
        code, shown = program("ledger", "merge", *inputs, "-o", output)
        if missing or before or held.status != "OK" or held.job is None:
            if missing:
                refusal = "LEDGER_IO"
            elif before:
                refusal = Held(output).status
            else:
                refusal = held.status
            assert code == REFUSALS.get(refusal, 3), "what cannot be merged was merged"
            assert content_or_none(output) == before, "a failed merge has left a file"
            return
        now = Held(output)
        assert now.status == "OK" and now.lines_damaged == 0 and now.job == held.job
        assert now.units == held.units, "a merge has lost a unit"
        assert now.runs == held.runs, "a merge has lost a run"
        self.check_shown(code, shown, now)

    @rule(file=files)
    def show(self, file):
        code, shown = program("ledger", "show", file)
        if os.path.exists(file):
            self.check_shown(code, shown, Held(file))
        else:
            assert code == 3

    def check_shown(self, code, shown, held):
        """Checks the exit code and the document of `ledger show` or of a merge. held: what the
        ledger holds."""
        if held.status != "OK" or held.job is None or not held.is_of_this_version():
            assert code == REFUSALS.get(held.status, 3) and shown is None
            return
        true = true_units(held.job.n, held.job.method)[1]
        right = all(held.units[unit].solutions == true[unit].solutions for unit in held.units)
        complete = len(held.units) == held.job.units
        assert code == (1 if complete and not right else 0)
        assert shown["n"] == held.job.n and shown["method"] == held.job.method
        assert int(shown["units_done"]) == len(held.units)
        assert int(shown["lines_damaged"]) == held.lines_damaged
        assert shown["first_damaged"] == (held.first_damaged and str(held.first_damaged))
        assert shown["runs"] == len(held.runs) and shown["runs_open"] == 0
        unended = [run for run in held.runs.values() if run.state == "open"]
        assert shown["runs_killed"] == len(unended)
        verdicts = {(True, True): "verified", (True, False): "wrong"}
        assert shown["verdict"] == verdicts.get((complete, right), "unverified")
        assert not (complete and right) or int(shown["solutions"]) == len(SOLUTIONS[held.job.n])

    @rule(file=files)
    def audit(self, file):
        if not os.path.exists(file):
            return
        held, before = Held(file), content(file)
        code, _ = program("ledger", "audit", "--sample", "100%", "-t", "1", file)
        assert content(file) == before, "an audit has changed the ledger"
        if held.status != "OK" or held.job is None or not held.is_of_this_version():
            assert code == REFUSALS.get(held.status, 3)
        elif held.units:
            true = true_units(held.job.n, held.job.method)[1]
            right = all(unit == true[unit.id] for unit in held.units.values())
            assert code == (0 if right else 1)


# The exit codes with which the program refuses a ledger. For all other statuses the code is 3.
REFUSALS = {"LEDGER_OTHER": 2, "DISAGREE": 1}

# Lines on stderr that are no errors.
NOTE = re.compile(rb"nqueens: (warning|audit of .*): ")


def append(file, data):
    with open(file, "ab") as opened:
        opened.write(data)


def run(file, words, **variables):
    """Runs a program, without the sanitizer that is preloaded for the Python package."""
    kept = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(
        [file, *words],
        capture_output=True,
        check=False,
        env={**kept, **variables},
        timeout=PATIENCE,
    )


def program(*words):
    """Runs the program. Returns its exit code, and the document that it prints or None."""
    done = run(PROGRAM, [*words, "--json"])
    assert done.returncode in (0, 1, 2, 3), done
    errors = [line for line in done.stderr.splitlines() if not NOTE.match(line)]
    assert len(errors) == (1 if done.returncode > 1 else 0) or done.returncode == 1, done
    return done.returncode, json.loads(done.stdout) if done.stdout else None


@pytest.fixture(autouse=True)
def tell_the_seed(capsys):
    with capsys.disabled():
        print(f"\n# seed {SEED}, {SEQUENCES} sequences")


TestCalls = seed(SEED)(Calls).TestCase
TestDisturbedLedgers = seed(SEED)(DisturbedLedgers).TestCase
TestEditedLedgers = seed(SEED)(EditedLedgers).TestCase
TestCalls.settings = TestDisturbedLedgers.settings = TestEditedLedgers.settings = settings(
    max_examples=SEQUENCES,
    stateful_step_count=12,
    deadline=None,  # the machine may be slow
    derandomize=True,
    database=None,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
