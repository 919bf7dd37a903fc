# SPDX-License-Identifier: MIT
"""Counts the ways to place n queens on an n x n board, none attacking another, on all cores.

>>> import nqueens
>>> nqueens.count(12)
14200

The functions are those of libnqueens; its header, nqueens.h, says more. Rows and columns are numbered
from 1. Arguments have the names and meanings of the command line's options.
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
import weakref
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

# The context of a count's callback is its own function.
_ffi.def_extern("report_progress", error=False)(
    lambda progress, context: _ffi.from_handle(context)(progress)
)

# The callback of lists, whose context is a share.
_pause_list = _ffi.addressof(_library, "pause_list")

# What each count under way does before the interpreter ends, and in a process that is forked meanwhile. The latter
# is kept by the count alone: Ctrl-C may end that before it has a thread.
_leaving: set[Callable[[], None]] = set()
_forked: weakref.WeakSet[Callable[[], None]] = weakref.WeakSet()
atexit.register(lambda: [end() for end in tuple(_leaving)])
os.register_at_fork(after_in_child=lambda: [forked() for forked in _forked])

_statuses = {
    name.removeprefix("NQ_"): value for value, name in _ffi.typeof("nq_status").elements.items()
}
Status = enum.IntEnum("Status", _statuses)  # type: ignore[misc]
Status.__doc__ = "What a function of the library returns, see nqueens.h."


class Error(Exception):
    """A function of the library failed; `status` says how."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)  # of these pickle and copy make another one
        self.status = Status(status)

    def __str__(self) -> str:
        return str(self.args[1])


class WrongValue(Error, ValueError):
    """An argument is out of range, unknown, or conflicts with another one or with this machine."""


class OutOfMemory(Error, MemoryError):
    """Memory ran out."""


_WRONG_VALUE = {"BAD_N", "BAD_OPTION", "NO_KERNEL", "NO_PU", "NO_SOLUTION", "NO_PLACEMENT"}


def _text(pointer: Any) -> str:
    return str(_ffi.string(pointer), "utf-8", "replace") if pointer else ""


def _error(status: int) -> Error:
    """Returns the error of the calling thread's last call."""
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
    """Returns an argument that is a whole number of this range. C has no room for larger ones."""
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
    """What a count found, and how; see nq_result in nqueens.h."""

    n: int
    solutions: int  #: of the whole board, or of the units that are done
    complete: bool  #: all units of the board are counted, not only a shard's
    verified: bool  #: the count equals the published one
    method: str
    kernel: str
    #: numbers of the devices that counted (of "all", those that can); empty if CPUs did
    devices: Tuple[int, ...]
    units: int
    units_done: int
    units_recorded: int  #: those of units_done that the ledger held before
    work: int
    work_name: str  #: what work counts: "nodes" or "completions"
    threads: int
    seconds: float
    plan_seconds: float


@dataclass(frozen=True)
class Part:
    """What a shard contributes to a count."""

    solutions: int  #: of the shard; with a ledger, of all units in it
    complete: bool  #: these are all units, so solutions is the count

    def __add__(self, other: object) -> NoReturn:
        raise TypeError("Part: add solutions, such as part.solutions + other.solutions")

    __radd__ = __add__  # sum() begins with 0


def _count(
    function: Callable[[Any], Any], members: dict[str, Any], progress: Optional[Progress]
) -> None:
    """Calls a function that counts, with options of these members, in a thread of its own: the caller's thread
    hears Ctrl-C meanwhile.

    An interruption may come at any moment, and another one while the first is handled. So the counting thread
    holds all memory that C uses, and the function holds what it uses.
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
        if ended:
            try:
                os.write(
                    2,
                    b"nqueens: progress has forked this process: it cannot go back into the count\n",
                )
            finally:
                os._exit(1)
        return not stop

    def end() -> None:
        """Ends a daemon's count before the interpreter ends, which its callback needs. The daemon waits on."""
        nonlocal leaving, stop
        leaving = stop = True
        while not ended:
            time.sleep(0.001)

    def forked() -> None:
        """Gives the count up: this process has no other thread than the one that forked it."""
        nonlocal ended, stop
        ended = stop = True
        errors[:] = [
            RuntimeError(f"the count goes on in process {os.getppid()}, which forked this one")
        ]
        if counting.locked():
            counting.release()

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
            # The library starts at most as many, or refuses a larger number itself.
            threads = members.get(
                "threads", min(_library.omp_get_max_threads(), _library.NQ_MAX_THREADS)
            )
            if not _library.can_start(threads - 1):
                raise RuntimeError(
                    f"the system refused to start {threads} threads: see 'ulimit -u', 'ulimit -v' and "
                    "the limits of the cgroup, or ask for fewer threads"
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
            _forked.discard(forked)

    try:
        _forked.add(forked)
        start_new_thread(call, ())  # one step, which Thread.start() is not
        while leaving or not ended:
            counting.acquire(timeout=0.1)  # a signal just before does not end the wait
    finally:
        stop = True  # units under way end, and a ledger keeps the finished ones
        while begun and not ended:  # a thread that begins later sees stop
            try:
                counting.acquire()
            except BaseException:  # pylint: disable=broad-except
                pass  # the first one is raised
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
    """Counts, and says how. Arguments: see count()."""
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
    """Returns the number of solutions for n = 0 to 28; of a shard, a Part.

    threads: one for each core if None. device: a number, or "all", or numbers such as "0,2-3": these devices()
    count, not the cores. board: n lines of n squares, Q for a queen that stands there, . for a free square, * for
    one that no queen may take, or a Board; the ways to complete it are counted. ledger: path of a file that keeps
    the result of each unit; the same call carries on after an interruption. shard: (i, k), the i-th of k shards.
    progress: a function of the finished share, 0 to 1, and the expected seconds to go, or None while they are not
    known. It is called some ten times a second by another thread, and in the end with 1 and 0; what it raises ends
    the count, and is raised here. Ctrl-C ends the count at once.

    Raises Error, or its subclasses WrongValue (a ValueError) and OutOfMemory (a MemoryError); TypeError, if
    a number is not a whole one (8.0 is not), or a name not a str.
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
    """A device that OpenCL finds; see nq_device in nqueens.h."""

    name: str
    driver: str
    local_memory: int  #: bytes for a work-group
    compute_units: int


def devices() -> Tuple[Device, ...]:
    """Returns the devices of this machine, in the order of their numbers, from 0. Empty without OpenCL."""
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
    """The classes of the solutions under the square's symmetries; see nq_classes in nqueens.h."""

    fundamental: int  #: classes
    half_turn: int  #: solutions that a half turn leaves as they are
    quarter_turn: int  #: solutions that a quarter turn leaves as they are
    verified: bool  #: the three numbers equal the published ones


def count_classes(
    n: SupportsIndex,
    solutions: Optional[SupportsIndex] = None,
    *,
    progress: Optional[Progress] = None,
) -> Classes:
    """Returns the number of classes for n = 0 to 28. solutions: their number; if None, count(n) finds it.

    A thread then searches for the symmetric solutions: 0.01 s for n = 20, about a minute for 28. progress: see
    count(); it is told of the count, and then of the search. Ctrl-C ends both at once. Raises Error if this number
    of solutions is impossible.
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
    """Returns the published number of solutions, or of classes (fundamental), or None."""
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
    """Yields the solutions in lexicographic order, as columns by row; fundamental: the first of each
    class. board: those that complete it; see count().

    progress: a function of the share of the list that is searched, 0 to 1, and None. It is called some ten times a
    second by the thread that waits for the next solution; what it raises ends the list. So does Ctrl-C.
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
    status = _library.nq_list_open(n, bool(fundamental), _ffi.new("nq_options *", members), handle)
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
    """Returns one solution, for n = 1 or 4 to 10^9, in time proportional to n."""
    n = _integer(n, "n =", 1, _library.NQ_MAX_SIDE, "BAD_N")
    columns = _ffi.new("int[]", n)
    status = _library.nq_construct_solution(n, columns)
    if status != Status["OK"]:
        raise _error(status)
    return tuple(_ffi.unpack(columns, n))


@dataclass(frozen=True)
class Attack:
    """Two queens that attack each other, the upper one first: (row, column)."""

    upper: Tuple[int, int]
    lower: Tuple[int, int]


def attack(columns: Iterable[SupportsIndex]) -> Optional[Attack]:
    """Returns the first two queens that attack each other, or None: the placement is a solution.

    columns: of the queens in rows 1 to n. Raises WrongValue if one is not in 1 to n.
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
    """Returns whether a placement is a solution. See attack()."""
    return attack(columns) is None


class Board:
    """A placement that shows itself, as text and, in notebooks, as a picture."""

    def __init__(self, columns: Iterable[SupportsIndex]) -> None:
        self.columns = tuple(map(operator.index, columns))
        self.attack = attack(self.columns)  #: None: the placement is a solution

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
        """Returns a picture. square: the side of a square in pixels. Queens that attack each other are
        red."""
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
        """Returns the picture for notebooks, as an image: nbconvert removes SVG elements from its pages."""
        data = base64.b64encode(self.to_svg().encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{self!r}">'
