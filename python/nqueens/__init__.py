# SPDX-License-Identifier: MIT
"""Counts the ways to place n queens on an n x n board so that none attacks another, on all cores.

>>> import nqueens
>>> nqueens.count(12)
14200

The functions call the library libnqueens; its header, nqueens.h, says more about them. Rows and
columns are numbered from 1. Arguments have the names and meanings of the command line's options.
"""
from __future__ import annotations

import atexit
import base64
import enum
import operator
import os
import sys
import threading
import time
from _thread import start_new_thread
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, SupportsIndex, Tuple, Union, overload

from nqueens._nqueens import ffi as _ffi, lib as _library

__all__ = [
    "Attack",
    "Board",
    "Classes",
    "Device",
    "Error",
    "Info",
    "OutOfMemory",
    "Part",
    "Status",
    "WrongValue",
    "__version__",
    "attack",
    "check",
    "construct",
    "count",
    "count_classes",
    "count_info",
    "devices",
    "known",
    "solutions",
    "version",
]


def __dir__() -> list[str]:
    return __all__


Progress = Callable[[float, Optional[float]], object]
Devices = Union[str, SupportsIndex]
Squares = Union[str, "Board"]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

# The callback of all counts calls the Python function that is its context.
_ffi.def_extern("report_progress", error=False)(
    lambda progress, context: _ffi.from_handle(context)(progress)
)

# The callback of all lists stores the share that is done in its context, a double.
_pause_list = _ffi.addressof(_library, "pause_list")

# Functions that end the counts under way. They are called before the interpreter ends. A forked
# process calls none of them, because it has no threads that count.
_leaving: set[Callable[[], None]] = set()
atexit.register(lambda: [end() for end in tuple(_leaving)])
os.register_at_fork(after_in_child=_leaving.clear)

_statuses = {
    name.removeprefix("NQ_"): value for value, name in _ffi.typeof("nq_status").elements.items()
}
Status = enum.IntEnum("Status", _statuses)  # type: ignore[misc]
Status.__doc__ = "What a function of the library returns, see nqueens.h."


class Error(Exception):
    """A function of the library failed; `status` says in which way."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)  # pickle and copy make a copy from these arguments
        self.status = Status(status)

    def __str__(self) -> str:
        return str(self.args[1])


class WrongValue(Error, ValueError):
    """An argument is out of range or unknown, or conflicts with another one or this machine."""


class OutOfMemory(Error, MemoryError):
    """Memory ran out."""


_WRONG_VALUE = {"BAD_N", "BAD_OPTION", "NO_KERNEL", "NO_PU", "NO_SOLUTION", "NO_PLACEMENT"}


def _text(pointer: Any) -> str:
    return str(_ffi.string(pointer), "utf-8", "replace") if pointer else ""


def _error(status: int) -> Error:
    """Returns the exception for a status, with the text of the calling thread's last error."""
    name = Status(status).name
    kind = WrongValue if name in _WRONG_VALUE else OutOfMemory if name == "NO_MEMORY" else Error
    return kind(status, _text(_library.nq_error_message()))


def _whole(value: SupportsIndex, name: str, what: str = "a whole number") -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected {what}, not {type(value).__name__}") from None


def _integer(
    value: SupportsIndex, name: str, least: int, most: Optional[int], status: str = "BAD_OPTION"
) -> int:
    """Returns an argument as a whole number from `least` to `most`.

    If `most` is None, there is no upper limit. Numbers are checked here, because C's types are too small for some of Python's.
    """
    number = _whole(value, name.removesuffix(" ="))
    if least <= number and (most is None or number <= most):
        return number
    bits = number.bit_length()
    # Python does not print numbers of every length.
    shown = number if bits <= 64 else f"a number of {bits} bits"
    raise WrongValue(
        Status[status],
        f"{name} {shown}: expected {least} {'or more' if most is None else f'to {most}'}",
    )


def _text_argument(value: str, name: str, what: str = "a str") -> Any:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected {what}, not {type(value).__name__}")
    return _string(value.encode(errors="backslashreplace"), name)


def _board_argument(board: Squares) -> Any:
    return _text_argument(
        str(board) if isinstance(board, Board) else board, "board", "a str or a Board"
    )


def _string(text: bytes, name: str) -> Any:
    """Returns an argument as a string of C, which would end at a null byte."""
    if b"\0" in text:
        raise WrongValue(Status["BAD_OPTION"], f"{name} {text!r}: there is a null byte")
    return _ffi.new("char[]", text)


def _check_progress(progress: Optional[Progress]) -> None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: {type(progress).__name__!r} object is not callable")


def version() -> str:
    """Returns the version of the library."""
    return _text(_library.nq_version())


__version__ = version()


@dataclass(frozen=True)
class Info:
    """What a count found, and how it counted; see nq_result in nqueens.h."""

    n: int
    solutions: int  #: number of solutions or, if not complete, of those in the finished units
    complete: bool  #: all units of the board are counted, not only those of a shard
    verified: bool  #: the count equals the published one
    method: str
    kernel: str
    devices: Tuple[int, ...]  #: numbers of the devices that counted; empty if CPUs did
    units: int  #: units of the board; those of the shard, if there is no ledger
    units_done: int
    units_recorded: int  #: units among units_done that the ledger held before
    work: int
    work_name: str  #: what `work` counts: "nodes" or "completions"
    threads: int
    seconds: float  #: time that the call took, by the wall clock
    plan_seconds: float  #: the part of `seconds` that preceded the first unit


@dataclass(frozen=True)
class Part:
    """What a shard contributes to a count."""

    solutions: int  #: solutions in the shard; with a ledger, in all units that it holds
    complete: bool  #: all units of the board are counted, so `solutions` is the count

    def __add__(self, other: object) -> NoReturn:
        raise TypeError("Part: add solutions, such as part.solutions + other.solutions")

    __radd__ = __add__  # sum() begins with 0


def _count(
    function: Callable[[Any], Any], members: dict[str, Any], progress: Optional[Progress]
) -> None:
    """Calls a function of the library that counts, with options of these members.

    The function runs in a thread of its own, so that the caller's thread can handle Ctrl-C. Ctrl-C
    may come at any moment, even while an earlier one is handled, and then ends this function. So
    the counting thread keeps all memory alive that C uses. It keeps `function`, too, and thereby
    whatever `function` refers to.
    """
    _check_progress(progress)
    if sys.is_finalizing():  # before version 3.12 Python starts a thread that never runs
        raise RuntimeError("the interpreter ends: no thread can count")
    begun = stop = ended = leaving = False
    errors: list[BaseException] = []
    counting = threading.Lock()
    counting.acquire()

    def goes_on(now: Any) -> bool:
        nonlocal stop
        if progress is not None and not stop:
            try:
                progress(now.share, now.remaining if now.remaining >= 0 else None)
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
                stop = True
        return not stop

    def end() -> None:
        """Stops the count before the interpreter ends, because its callback needs the interpreter.

        Only a daemon thread can still be waiting for a count then. That thread waits for ever.
        """
        nonlocal leaving, stop
        leaving = stop = True
        while not ended:
            time.sleep(0.001)

    def call() -> None:
        nonlocal begun, ended
        begun = True
        try:
            _leaving.add(end)
            context = _ffi.new_handle(goes_on)
            options = _ffi.new(
                "nq_options *",
                {
                    **members,
                    "size": _ffi.sizeof("nq_options"),
                    "progress": _library.report_progress,
                    "progress_context": context,
                },
            )
            # If `threads` is not given, the library starts at most as many threads as OpenMP would.
            # If that number exceeds NQ_MAX_THREADS, the library refuses it, or starts fewer.
            threads = members.get(
                "threads", min(_library.omp_get_max_threads(), _library.NQ_MAX_THREADS)
            )
            if not _library.can_start(threads - 1):
                raise RuntimeError(
                    f"the system refused to start {threads} threads: see 'ulimit -u', 'ulimit -v' "
                    "and the limits of the cgroup, or ask for fewer threads"
                )
            if not stop:
                status = function(options)
                if status != Status["OK"] and not errors:
                    errors.append(_error(status))
                if not errors and not stop and progress is not None:
                    progress(1.0, 0.0)
        except BaseException as error:  # pylint: disable=broad-except
            errors.append(error)
        finally:
            _leaving.discard(end)
            ended = True
            if not leaving:
                counting.release()

    try:
        start_new_thread(call, ())  # Ctrl-C can interrupt Thread.start(), but not this
        while leaving or not ended:
            # A signal that arrives just before acquire() does not interrupt it.
            counting.acquire(timeout=0.1)
    finally:
        stop = True  # ends the count; a ledger keeps the units that were finished
        while begun and not ended:  # a thread that begins later finds `stop` set
            try:
                counting.acquire()
            except BaseException:  # pylint: disable=broad-except
                pass  # the first interruption is the one that is raised
    if errors:
        raise errors[0]


def count_info(
    n: SupportsIndex,
    *,
    threads: Optional[SupportsIndex] = None,
    method: Optional[str] = None,
    kernel: Optional[str] = None,
    device: Optional[Devices] = None,
    board: Optional[Squares] = None,
    ledger: Optional[Path] = None,
    shard: Optional[Tuple[SupportsIndex, SupportsIndex]] = None,
    progress: Optional[Progress] = None,
) -> Info:
    """Counts the solutions, and returns how they were counted, too.

    The arguments and exceptions are those of count().
    """
    n = _integer(n, "n =", 0, _library.NQ_MAX_N, "BAD_N")
    members = {}
    if threads is not None:
        members["threads"] = _integer(threads, "threads", 1, _library.NQ_MAX_THREADS)
    if device is not None and not isinstance(device, str):
        device = str(_whole(device, "device", "a number or a str"))
    for name, value in (("method", method), ("kernel", kernel), ("device", device)):
        if value is not None:
            members[name] = _text_argument(value, name)
    if board is not None:
        members["board"] = _board_argument(board)
    if ledger is not None:
        members["ledger"] = _string(os.fsencode(ledger), "ledger")
    if shard is not None:
        if not isinstance(shard, Iterable) or isinstance(shard, (str, bytes)):
            raise TypeError(f"shard: expected two numbers, such as (1, 2), not {shard!r:.40}")
        pair = tuple(shard)
        if len(pair) != 2:
            raise WrongValue(Status["BAD_OPTION"], f"shard: {len(pair)} numbers: expected 2")
        members["shards"] = _integer(pair[1], "shards", 1, _library.NQ_MAX_SHARDS)
        members["shard"] = _integer(pair[0], "shard", 1, members["shards"])
    result = _ffi.new("nq_result *", {"size": _ffi.sizeof("nq_result")})
    _count(lambda options: _library.nq_count_solutions(n, options, result), members, progress)
    return Info(
        n=n,
        solutions=result.solutions,
        complete=result.complete,
        verified=result.verdict == _library.NQ_VERIFIED,
        method=_text(result.job.method),
        kernel=_text(result.kernel),
        devices=tuple(i for i in range(_library.NQ_MAX_DEVICES) if result.devices >> i & 1),
        units=result.units,
        units_done=result.units_done,
        units_recorded=result.units_recorded,
        work=result.work,
        work_name=_text(result.work_name),
        threads=result.threads,
        seconds=result.seconds,
        plan_seconds=result.plan_seconds,
    )


@overload
def count(
    n: SupportsIndex,
    *,
    threads: Optional[SupportsIndex] = None,
    method: Optional[str] = None,
    kernel: Optional[str] = None,
    device: Optional[Devices] = None,
    board: Optional[Squares] = None,
    ledger: Optional[Path] = None,
    shard: None = None,
    progress: Optional[Progress] = None,
) -> int:
    """Counts the whole board."""


@overload
def count(
    n: SupportsIndex,
    *,
    threads: Optional[SupportsIndex] = None,
    method: Optional[str] = None,
    kernel: Optional[str] = None,
    device: Optional[Devices] = None,
    board: Optional[Squares] = None,
    ledger: Optional[Path] = None,
    shard: Tuple[SupportsIndex, SupportsIndex],
    progress: Optional[Progress] = None,
) -> Part:
    """Counts a shard."""


def count(
    n: SupportsIndex,
    *,
    threads: Optional[SupportsIndex] = None,
    method: Optional[str] = None,
    kernel: Optional[str] = None,
    device: Optional[Devices] = None,
    board: Optional[Squares] = None,
    ledger: Optional[Path] = None,
    shard: Optional[Tuple[SupportsIndex, SupportsIndex]] = None,
    progress: Optional[Progress] = None,
) -> Union[int, Part]:
    """Returns the number of solutions, for n = 0 to 28. With `shard`, returns a Part.

    threads   number of threads; if None, one for each core
    method    "search", "colours" or "auto"; if None, the default
    kernel    name of a kernel, such as "avx2"; if None, the fastest one here
    device    a number, "all", or numbers such as "0,2-3": count on these of devices() instead of
              the cores
    board     a Board, or n lines of n squares: Q is a queen, . a free square, * a square that no
              queen may take. Only the ways to complete it are counted
    ledger    path of a file that keeps the result of each unit; after an interruption, the same
              call carries on
    shard     (i, k): count only the i-th of k shards, i = 1 to k
    progress  a function of two arguments: the finished share, 0 to 1, and the expected seconds to
              go, or None while they are not known. Another thread calls it about ten times a
              second, and at the end with 1 and 0. If it raises an exception, the count ends and
              raises the exception here

    Ctrl-C ends the count at once.

    Raises Error or one of its subclasses, WrongValue (a ValueError) and OutOfMemory (a
    MemoryError). Raises TypeError if a number is not a whole one (8.0 is not), or a name is not a
    str; RuntimeError if the system refuses threads, or the interpreter is ending.
    """
    info = count_info(
        n,
        threads=threads,
        method=method,
        kernel=kernel,
        device=device,
        board=board,
        ledger=ledger,
        shard=shard,
        progress=progress,
    )
    return info.solutions if shard is None else Part(info.solutions, info.complete)


@dataclass(frozen=True)
class Device:
    """A GPU or another device that OpenCL finds; see nq_device in nqueens.h."""

    name: str
    driver: str
    local_memory: int  #: bytes that a work-group can have
    compute_units: int


def devices() -> Tuple[Device, ...]:
    """Returns the devices of this machine in the order of their numbers, from 0.

    The tuple is empty if OpenCL is missing or finds no device.
    """
    found = _ffi.new("nq_device[]", _library.NQ_MAX_DEVICES)
    count = _ffi.new("size_t *")
    if _library.nq_list_devices(found, len(found), count) != Status["OK"]:
        return ()
    return tuple(
        Device(_text(device.name), _text(device.driver), device.local_memory, device.compute_units)
        for device in found[0 : count[0]]
    )


@dataclass(frozen=True)
class Classes:
    """Solutions counted up to turns and reflections of the board; see nq_classes in nqueens.h."""

    fundamental: int  #: number of classes of solutions
    half_turn: int  #: number of solutions that a half turn leaves as they are
    quarter_turn: int  #: number of solutions that a quarter turn leaves as they are
    verified: bool  #: the three numbers equal the published ones


def count_classes(
    n: SupportsIndex,
    solutions: Optional[SupportsIndex] = None,
    *,
    progress: Optional[Progress] = None,
) -> Classes:
    """Returns the number of solutions up to symmetry, and of symmetric ones, for n = 0 to 28.

    solutions  the number of all solutions; if None, count(n) finds it
    progress   as in count(); it is told of that count, and then of the search

    One thread searches for the symmetric solutions. The search takes 0.01 seconds for n = 20, and
    about a minute for n = 28. Ctrl-C ends the count or the search at once. Raises Error if a board
    of size n cannot have this number of solutions, and otherwise what count() raises.
    """
    n = _integer(n, "n =", 0, _library.NQ_MAX_N, "BAD_N")
    total = (
        count(n, progress=progress)
        if solutions is None
        else _integer(solutions, "solutions", 0, 2**64 - 1)
    )
    classes = _ffi.new("nq_classes *")
    _count(
        lambda options: _library.nq_count_classes(n, total, options, classes),
        {"threads": 1},
        progress,
    )
    return Classes(
        fundamental=classes.fundamental,
        half_turn=classes.half_turn,
        quarter_turn=classes.quarter_turn,
        verified=classes.verdict == _library.NQ_VERIFIED,
    )


def known(n: SupportsIndex, fundamental: bool = False) -> Optional[int]:
    """Returns the published number of solutions for n = 0 or more; None if none is published.

    fundamental  return the number of classes of solutions instead
    """
    n = _integer(n, "n =", 0, None, "BAD_N")
    number = _ffi.new("uint64_t *")
    published = _library.nq_known_fundamental if fundamental else _library.nq_known_total
    return int(number[0]) if n <= _library.NQ_MAX_KNOWN_N and published(n, number) else None


def solutions(
    n: SupportsIndex,
    fundamental: bool = False,
    *,
    board: Optional[Squares] = None,
    progress: Optional[Progress] = None,
) -> Iterator[Tuple[int, ...]]:
    """Yields the solutions in lexicographic order, each as the columns of the queens by row.

    fundamental  yield only the first solution of each class
    board        yield only the solutions that complete this board; see count()
    progress     a function of two arguments: the share of the search that is done, 0 to 1, and
                 None. The thread that waits for the next solution calls it about ten times a
                 second. If it raises an exception, the list ends

    Ctrl-C ends the list, too. n = 0 to 28. Raises Error or TypeError as count() does.
    """
    n = _integer(n, "n =", 0, _library.NQ_MAX_N, "BAD_N")
    _check_progress(progress)
    handle, share = _ffi.new("nq_list **"), _ffi.new("double *")
    members = {
        "size": _ffi.sizeof("nq_options"),
        "progress": _pause_list,
        "progress_context": share,
    }
    if board is not None:
        members["board"] = _board_argument(board)
    options = _ffi.new("nq_options *", members)
    status = _library.nq_list_open(n, bool(fundamental), options, handle)
    if status != Status["OK"]:
        raise _error(status)
    return _each_solution(n, _ffi.gc(handle[0], _library.nq_list_close), share, progress)


def _each_solution(
    n: int, handle: Any, share: Any, progress: Optional[Progress]
) -> Iterator[Tuple[int, ...]]:
    columns = _ffi.new("int[]", n)
    following, unpack = _library.nq_list_next, _ffi.unpack
    found, paused = int(Status["OK"]), int(Status["CANCELLED"])
    while True:
        status = following(handle, columns)
        if status == found:
            yield tuple(unpack(columns, n)) if n > 0 else ()
        elif status != paused:
            return
        elif progress is not None:
            progress(share[0], None)


def construct(n: SupportsIndex) -> Tuple[int, ...]:
    """Returns one solution, for n = 1 or 4 to 10^9, in time proportional to n.

    Raises WrongValue for n = 2 and 3, which have no solution.
    """
    n = _integer(n, "n =", 1, _library.NQ_MAX_SIDE, "BAD_N")
    columns = _ffi.new("int[]", n)
    status = _library.nq_construct_solution(n, columns)
    if status != Status["OK"]:
        raise _error(status)
    return tuple(_ffi.unpack(columns, n))


@dataclass(frozen=True)
class Attack:
    """Two queens that attack each other."""

    upper: Tuple[int, int]  #: (row, column) of the queen in the upper row
    lower: Tuple[int, int]  #: (row, column) of the other queen


def attack(columns: Iterable[SupportsIndex]) -> Optional[Attack]:
    """Returns the first two queens that attack each other; None if the placement is a solution.

    columns  the columns of the queens in rows 1 to n

    Raises WrongValue if a column is not in 1 to n.
    """
    pair = _ffi.new("nq_attack *")
    numbers = list(map(operator.index, columns))
    n = _integer(len(numbers), "n =", 0, _library.NQ_MAX_SIDE, "BAD_N")
    try:
        status = _library.nq_check_placement(n, _ffi.new("int[]", numbers), pair)
    except OverflowError:
        raise WrongValue(Status["NO_PLACEMENT"], "a column is out of range") from None
    if status == Status["ATTACK"]:
        return Attack((pair.row[0], pair.column[0]), (pair.row[1], pair.column[1]))
    if status != Status["OK"]:
        raise _error(status)
    return None


def check(columns: Iterable[SupportsIndex]) -> bool:
    """Returns whether a placement is a solution. The argument is that of attack()."""
    return attack(columns) is None


class Board:
    """A placement, which prints as text, and shows itself in notebooks as a picture."""

    def __init__(self, columns: Iterable[SupportsIndex]) -> None:
        self.columns = tuple(map(operator.index, columns))
        self.attack = attack(self.columns)  #: two queens that attack each other, or None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.columns == other.columns

    def __hash__(self) -> int:
        return hash(self.columns)

    def __iter__(self) -> Iterator[int]:
        return iter(self.columns)

    def __repr__(self) -> str:
        return f"Board({self.columns})"

    def __str__(self) -> str:
        n = len(self.columns)
        return "\n".join(
            " ".join("Q" if column == queen else "." for column in range(1, n + 1))
            for queen in self.columns
        )

    def to_svg(self, square: SupportsIndex = 32) -> str:
        """Returns a picture as SVG, in which queens that attack each other are red.

        square  the side of a square in pixels, 1 to 10000
        """
        n = len(self.columns)
        side = n * _integer(square, "square", 1, 10000)
        queens = list(enumerate(self.columns, 1))
        columns = Counter(column for _, column in queens)
        sums = Counter(row + column for row, column in queens)
        differences = Counter(row - column for row, column in queens)
        red = {
            (row, column)
            for row, column in queens
            if columns[column] > 1 or sums[row + column] > 1 or differences[row - column] > 1
        }
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" '
            f'viewBox="0 0 {n} {n}">',
            f'<rect width="{n}" height="{n}" fill="#f0d9b5"/>',
        ]
        parts += [
            f'<rect x="{column}" y="{row}" width="1" height="1" fill="#b58863"/>'
            for row in range(n)
            for column in range(n)
            if (row + column) % 2 == 1
        ]
        parts += [
            f'<circle cx="{column - 0.5}" cy="{row - 0.5}" r="0.32" '
            f'fill="{"#c00" if (row, column) in red else "#222"}"/>'
            for row, column in queens
        ]
        return "\n".join(parts + ["</svg>"]) + "\n"

    def _repr_html_(self) -> str:
        """Returns the picture for notebooks.

        It is an image, because nbconvert removes SVG elements from its pages.
        """
        data = base64.b64encode(self.to_svg().encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{self!r}">'
