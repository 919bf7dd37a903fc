#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random command lines against a model: command_lines.py PROGRAM [LINES [SEED]].

Commands, options and values are those that the program offers to shells. A line runs twice, the second time written in
another way, which must not matter. A line that fails is shrunk, and printed for bash.
"""
import collections
import functools
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata

Case = collections.namedtuple("Case", "command options operands stdin env output stop way")
Result = collections.namedtuple("Result", "code out err")
BOARD = b"....\n...*\n....\n..Q.\n"
FILES = {  # by the lines of shell that make them
    b"board": f"printf '{BOARD.decode()}' >board",
    b"placements": "printf '2 4 1 3\\n1 2 3 4\\n' >placements",
    b"whole": "nqueens 8 --ledger whole",
    b"half": "nqueens 8 --shard 1/2 --ledger half",
    b"rest": "nqueens 8 --shard 2/2 --ledger rest",
    b"folder": "mkdir folder",
    b"fifo": "mkfifo fifo",
    b"damaged": "nqueens 8 --ledger damaged; sed -i 3s/unit/unix/ damaged",
    b"cut": "nqueens 8 --ledger cut; truncate -s -20 cut",
    b"mixed": "nqueens 8 --ledger mixed; nqueens 7 --ledger other; cat other >>mixed",
}
NAMES = [*FILES, b"missing", b"board/x", b"new.svg", b"new.txt", b"/dev/full", b"/dev/null", b"-"]
NUMBERS = [
    b"0",
    b"1",
    b"2",
    b"4",
    b"5",
    b"6",
    b"8",
    b"10",
    b"007",
    b"2..5",
    b"0..8",
    b"-1",
    b"+4",
    b"4..2",
    b"29",
    b"1/2",
    b"2/3,3/3",
    b"1s",
    b"50%",
    b"9" * 20,
    b"4x",
]
LARGE = [b"19", b"21", b"24", b"28"]  # counted until a signal comes
ODD = [
    b"",
    b"-",
    b"--",
    b"\xff\xfe",
    b"x" * 300,
    b"a\nb",
    b"\x1b[31m",
    "\x9b♛".encode(),
    b"%s%n",
    b"#",
]
ENVIRONMENT = {
    "NO_COLOR": ["", "1"],
    "TERM": ["", "dumb"],
    "COLUMNS": ["1", "x"],
    "OMP_NUM_THREADS": ["2", "7"],
    "LC_ALL": ["C", "C.UTF-8"],
}
CLOSED_PIPE = "| true"
WAITED_FOR = {b"--board", b"--output", b"check"}  # a FIFO of this name would be
# they measure for long; other commands' help
UNTRIED = {b"bench", b"help", b"--minutes", b"--seconds"}
# Lines on stderr that are no errors; and what differs between two runs.
NOTE = re.compile(
    rb"nqueens: (n = \d+: (\d|method |shard |unverified|up to)|warning: |audit of .*: |\d+ threads on |"
    rb"(\d+: )?queens at |.*(nothing completes the board|a 0 ends the input|which is a blocked))"
)
PROGRESS = re.compile(
    rb"\d{4}-\d\d-\d\dT[\d:]+Z n = |\{\"n\": |n = |"
    # also after a signal, which PoCL's compiler takes for an error
    rb"1 error generated"
)
VARIABLE = re.compile(
    rb"seconds\W*\d[\d.e+-]*|-?\d+\.\d+(e[+-]?\d+)?|remaining.*|\d{4}-\d\d-\d\dT[\d:]+Z| +"
)
WAYS = {  # to write a line
    "again": lambda command, options, operands: [*command, *sum(options, []), *operands],
    "backwards": lambda command, options, operands: [*sum(options[::-1], []), *command, *operands],
    "behind": lambda command, options, operands: [*command, *operands, *sum(options[::-1], [])],
    "glued": lambda command, options, operands: [*command, *map(b"=".join, options), *operands],
    "dashes": lambda command, options, operands: [*sum(options, []), *command, b"--", *operands],
    "quiet": lambda command, options, operands: [*command, b"-q", *sum(options, []), *operands],
    **{
        f"shard {i}/3": lambda command, options, operands, i=i: [
            *command,
            b"--shard=%d/3" % i,
            *sum(options, []),
            *operands,
        ]
        for i in (1, 2, 3)
    },
}
pick = random.choice


@functools.lru_cache(None)
def solutions(squares, placed=()):
    """All completions of a board, which has the columns that each row's queen may take, in lexicographic order."""
    row = len(placed)
    return (
        (placed,)
        if row == len(squares)
        else sum(
            (
                solutions(squares, (*placed, c))
                for c in squares[row]
                if all(c != d and abs(c - d) != row - r for r, d in enumerate(placed))
            ),
            (),
        )
    )


def empty(n):
    return (tuple(range(1, n + 1)),) * n


@functools.lru_cache(None)
def classes(n):
    def turned(one):
        return tuple(n - one.index(c) for c in range(1, n + 1))

    return len(
        {
            min(
                image
                for first in (one, one[::-1])
                for image in (
                    first,
                    turned(first),
                    turned(turned(first)),
                    turned(turned(turned(first))),
                )
            )
            for one in solutions(empty(n))
        }
    )


def board(text):
    """The squares of a board as text; None: the model reads no such text."""
    rows = text.split()
    if re.search(rb"[^.Q*\n]|\n\n|^\n", text) or {*map(len, rows)} != {len(rows)} or len(rows) > 8:
        return None
    return tuple(
        tuple(
            c
            for c, square in enumerate(row, 1)
            if square in (b"Q" if b"Q" in row else b".") and row.count(b"Q") < 2
        )
        for row in rows
    )


def number(digits):
    return int(digits.lstrip(b"0")[:20] or b"0")


def sizes(words, end):
    """The boards that these words count; None: one is wrong, or a board large. end: a 0 ends them."""
    found = []
    for word in words:
        match = re.fullmatch(rb"(\d+)(?:\.\.(\d+))?", word)
        first, last = (number(match[1]), number(match[2] or match[1])) if match else (1, 0)
        if first > last or last > 10:
            return None
        if end and last == 0:
            break
        found += map(empty, range(first, last + 1))
    return found


def verdicts(text):
    """Whether each placement of a text is a solution, and None for an error, with which it ends. None: not told."""
    if (
        b"Q" in text
        and board(text.replace(b"*", b"?"))
        and all(row.count(b"Q") == 1 for row in text.split())
    ):
        lines = [[row.index(b"Q") + 1 for row in text.split()]]
    elif re.fullmatch(rb"[0-9 \n]*\d[0-9 \n]*", text):
        lines = [line.split() for line in text.splitlines() if line.strip()]
        lines = [
            re.findall(b".", *line) if len(line) == 1 and len(line[0]) < 10 else line
            for line in lines
        ]
        lines = [[*map(number, line)] for line in lines]
    else:
        return None
    found = [
        (
            tuple(line) in solutions(tuple((c,) for c in line))
            if all(0 < c <= len(line) for c in line)
            else None
        )
        for line in lines
    ]
    return found[: found.index(None) + 1] if None in found else found


def offers(*words):
    found = subprocess.run([PROGRAM, "__complete", *words], capture_output=True, check=False).stdout
    return [
        line.partition(b"\t")[::2]
        for line in found.splitlines()
        if line.partition(b"\t")[0] not in UNTRIED
    ]


@functools.lru_cache(None)
def is_flag(name):
    return (
        b"takes no value"
        in subprocess.run([PROGRAM, b"8", name + b"="], capture_output=True, check=False).stderr
    )


def offered():
    """The options of each command, and their values: the words and the numbers that the program names."""
    commands = [(first,) for first, _ in offers("")]
    commands += [(b"ledger", second) for second, _ in offers("ledger", "")]
    return {
        command: {
            name: [value for value, _ in offers(*command, name, "")]
            + re.findall(rb"(?<!\S)\d[\w/,:%-]*", about)
            for name, about in offers(*command, "-")
            if name.startswith(b"--")
        }
        for command in commands
        if command != (b"ledger",)
    }


def made_up_option(name, command):
    values = NUMBERS[:7] if name == b"--threads" else OFFERED[command][name] or NUMBERS[:7]
    if b"FILE" in values:
        values = [file for file in NAMES if file != b"fifo" or not WAITED_FOR & {name, *command}]
    return [name] if is_flag(name) else [name, pick(pick([values] * 8 + [NUMBERS, ODD]))]


def made_up_text():
    """Sizes, placements, a board, or bytes; in some a word is long."""
    n = random.randint(1, 8)
    one = pick(solutions(empty(n)) or [(1,)])
    words = pick(
        [
            [b"%d" % random.randint(0, 8) for _ in range(n)],
            [b"%d" % c for c in random.sample(range(1, n + 1), n)],
            [b"%d" % c for c in one],
            [bytes(pick(b"....Q*") for _ in range(n)) for _ in range(n)],
            [b"2..4"],
            [b"." * (c - 1) + b"Q" + b"." * (len(one) - c) for c in one],
            [random.randbytes(n)],
            [],
        ]
    )
    if words and pick([True, False]):
        i, k = random.randrange(len(words)), pick(
            [int(9000 ** random.random()), random.randint(1, 9000)]
        )
        words[i] = pick(
            [b"0" * k + words[i], b"0" * k + words[i], pick([b"0", b"1", b"9", b".", b"Q"]) * k]
        )
    return pick([b" ", b"\n", b"\n", b"\r\n", b", ", b"\n\n"]).join(words) + pick([b"\n", b""])


def made_up():
    stop = pick(
        [None] * 7
        + [(pick([signal.SIGTERM, signal.SIGINT, signal.SIGUSR1]), random.random() * 0.05)]
    )
    command = pick(
        [(b"count",), (b"list",), (b"estimate",)]
        if stop
        else [*OFFERED, (b"count",), (b"count",), (b"check",)]
    )
    names = random.sample([*OFFERED[command]], min(pick([0, 0, 1, 1, 2, 3]), len(OFFERED[command])))
    likely = NUMBERS[:11] + [b"-"] * 9
    if command[0] in (b"check", b"ledger"):
        likely = [name for name in NAMES if name != b"fifo" or command[0] not in WAITED_FOR] + [
            b"-"
        ] * 9
    elif stop and stop[0] != signal.SIGUSR1:
        likely = LARGE
    operands = [pick(pick([likely] * 9 + [NUMBERS, ODD])) for _ in range(pick([0, 1, 1, 1, 1, 2]))]
    env = {
        name: pick(ENVIRONMENT[name]) for name in random.sample([*ENVIRONMENT], pick([0, 0, 1, 2]))
    }
    return Case(
        () if command == (b"count",) and operands and pick([True, False]) else command,
        [made_up_option(name, command) for name in names],
        operands,
        made_up_text(),
        env,
        pick([""] * 12 + [">/dev/full", ">&-", CLOSED_PIPE]),
        stop,
        pick([*WAYS]),
    )


def run(case, way="again", output="", stop=None):
    """Runs it in a folder of its own. A code of None: it does not end."""
    words = WAYS[way](case.command, case.options, case.operands)
    with tempfile.TemporaryDirectory() as folder:
        needed = [name for name in FILES if any(name in word for word in words)]
        if needed:
            subprocess.run(["cp", "-a", *needed, folder], cwd=MADE, check=True)
        out, in_ = os.pipe()
        os.close(out)
        with subprocess.Popen(
            ["sh", "-c", f'exec "$0" "$@" {output.partition("|")[0]}', PROGRAM, *words],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=in_ if output == CLOSED_PIPE else subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**CLEAN, **case.env},
        ) as process:
            os.close(in_)
            if stop:
                time.sleep(stop[1])
                process.send_signal(stop[0])
            try:
                out, err = process.communicate(case.stdin, timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                return Result(None, b"", b"")
    return Result(
        process.returncode if process.returncode >= 0 else 128 - process.returncode, out or b"", err
    )


def end_fault(name, given, done, stop=None, output=""):
    """What is wrong with exit code and streams alone. given: the options with their values."""
    if done.code is None:
        return "no end"
    always = b"always" in given.get(b"--progress", [])
    said = re.sub(rb".*\r\x1b\[K", b"", done.err) if always else done.err
    messages = [line for line in said.split(b"\n")[:-1] if line and not PROGRESS.match(line)]
    errors = [line for line in messages if not NOTE.match(line)]
    if (
        output
        and done.code > 0
        and errors
        and errors[-1].startswith(b"nqueens: cannot write to stdout")
    ):
        # after an earlier verdict or error
        errors[len(errors) - 1 :] = [] if done.code < 3 else errors[-1:]
    said = (done.out + said).decode(errors="replace")
    stopped = stop and done.code in (
        128 + stop[0],
        *([75] if b"--ledger" in given and stop[0] != signal.SIGUSR1 else []),
    )
    early = stopped or output == CLOSED_PIPE and done.code == 141
    if re.search(b"Sanitizer|runtime error", done.err):
        return "sanitizer"
    if any(c == "\ufffd" or unicodedata.category(c) == "Cc" and c != "\n" for c in said):
        return "a control character, or no UTF-8"
    if not all(line.startswith(b"nqueens: ") for line in messages) or len({*errors}) < len(errors):
        return "on stderr a line that is no message, or a message twice"
    if not early and (
        done.code not in (0, 1, 2, 3) or done.code == 1 and name not in (b"check", b"draw")
    ):
        return f"exit code {done.code}"
    told = bool(errors) if name == b"ledger" else len(errors)  # `ledger show` tells of each file
    if not early and told != (done.code > 1) or done.code == 0 and messages and b"--quiet" in given:
        return f"{len(messages)} messages, exit code {done.code}"
    if not early and done.code > 1 and done.out and name not in (b"check", b"count", b"ledger"):
        return "stdout and an error"
    if (
        not early
        and done.code < 2
        and b"--json" in given
        and {b"--help", b"--version"}.isdisjoint(given)
        and not output
    ):
        try:
            [
                *map(
                    json.loads,
                    (
                        done.out.splitlines()
                        if name in (b"count", b"check", b"verify")
                        else [done.out]
                    ),
                )
            ]
        except ValueError:
            return "no JSON"
    return None


def answer_fault(name, given, case, done):
    """What is wrong with an answer of count, list or check, where the model has one."""
    refusable = given or case.env or any(len(word) > 59 for word in re.split(rb"[\s,]", case.stdin))
    if name == b"check" and case.operands in ([], [b"-"]):
        known = verdicts(case.stdin)
        if known is None or done.code == 2 and refusable:
            return None
        found = [b"true" in line or line == b"valid" for line in done.out.splitlines()]
        found += [None] * (done.code == 2)
        right = done.code == (2 if None in known else 0 if all(known) else 1) and (
            found == known or b"--quiet" in given
        )
        return None if right else f"verdicts {found} of {known}, exit code {done.code}"
    if b"--board" in given and not case.operands:
        boards = [board({b"-": case.stdin, b"board": BOARD}.get(given[b"--board"][0], b""))]
    elif b"--board" not in given and name == b"count" and case.operands == [b"-"]:
        text = re.sub(rb"#.*", b"", case.stdin)
        boards = sizes(
            re.split(rb"[\s,]+", text.strip(b"\t\r\n ,")) if text.strip(b"\t\r\n ,") else [], True
        )
    else:
        boards = sizes(case.operands, False) if case.operands and b"--board" not in given else None
    if (
        name not in (b"count", b"list")
        or boards is None
        or None in boards
        or name == b"list"
        and len(boards) != 1
    ):
        return None
    if done.code:
        return None if refusable else f"exit code {done.code} of a right line"
    if name == b"list":
        limit = number(*given.get(b"--limit", [b"9" * 9]))
        found = [
            [*map(int, re.findall(rb"\d+", line))]
            for line in re.findall(
                rb'(?<="columns": )\[[^]]*' if b"--json" in given else rb".*\n", done.out
            )
        ]
        known = [*map(list, solutions(boards[0])[:limit])]
        return (
            None
            if found == known or {b"--format", b"--fundamental"} & {*given}
            else f"{found} instead of {known}"
        )
    of_classes = (
        b"--fundamental" in given
        and b"--json" not in given
        and given.get(b"--format", [b"text"]) == [b"text"]
    )
    found = re.findall(rb'^(?:\|? *\d+ *[,|] *)?(\d+)\b|"solutions": "(\d+)"', done.out, re.M)
    found = [int(one or other) for one, other in found]
    known = [classes(len(one)) if of_classes else len(solutions(one)) for one in boards]
    return None if found == known else f"{found} instead of {known}"


def fault(case):
    """What is wrong with a command line, or None."""
    name, given = case.command[0] if case.command else b"count", {
        option: values for option, *values in case.options
    }
    done = run(case, output=case.output, stop=case.stop)
    wrong = end_fault(name, given, done, case.stop, case.output)
    plain = (
        not case.output and not case.stop and not {b"--help", b"--version", b"--shard"} & {*given}
    )
    wrong = wrong or plain and answer_fault(name, given, case, done)
    if wrong or case.stop and (case.output or done.code >= 75):
        return wrong
    measured = case.command in ((b"estimate",), (b"ledger", b"audit"))
    dashed = (
        b"--" in case.operands
        or case.way == "dashes"
        and any(operand[:1] == b"-" for operand in case.operands)
    )
    way = "again" if dashed else case.way  # they would mean something else
    if way.startswith("shard"):
        counted = (
            plain
            and name == b"count"
            and not {b"--quiet", b"--fundamental", b"--ledger", b"--format"} & {*given}
            and (done.code == 0 and re.fullmatch(rb"\d+\n", done.out))
        )
        parts = (
            [run(case, part).out for part in WAYS if part.startswith("shard")]
            if counted
            else [done.out]
        )
        return (
            None
            if not counted
            or all(re.fullmatch(rb"\d+\n", part) for part in parts)
            and (sum(map(int, parts)) == int(done.out))
            else f"shards of {parts}"
        )
    again = run(case, way)
    out, before, same = (
        VARIABLE.sub(b"", again.out),
        VARIABLE.sub(b"", done.out),
        again.code == done.code,
    )
    if way == "quiet":
        taken = done.code < 2 and not (again.code == 2 and b"quiet" in again.err) and plain
        wrong = taken and end_fault(name, {**given, b"--quiet": []}, again)
        return (
            wrong
            or (
                taken
                and not (same and (out in (before, b"") or measured))
                and "another answer with -q"
            )
            or None
        )
    if case.output:
        expected = (
            again.code if again.code or not again.out else 141 if case.output == CLOSED_PIPE else 3
        )
        ends_early = case.output == CLOSED_PIPE and (done.code == 141 or name == b"list")
        ends_early |= done.code == 3 and again.code > 0  # at an answer, before the error
        return (
            None
            if done.code == expected or ends_early and again.out
            else f"exit code {done.code} with {case.output}"
        )
    if way == "again" and not measured and not case.stop:
        same = same and VARIABLE.sub(b"", again.err) == VARIABLE.sub(b"", done.err)
    return None if same and (measured or out == before) else f"another answer, {way}"


def smaller(case):
    for field in ("options", "operands"):
        whole = getattr(case, field)
        yield from (case._replace(**{field: whole[:i] + whole[i + 1 :]}) for i in range(len(whole)))
    yield from (
        case._replace(env={other: case.env[other] for other in case.env if other != name})
        for name in case.env
    )
    yield from (
        case._replace(stdin=case.stdin[:i] + case.stdin[i + size :])
        for size in (len(case.stdin) >> shift for shift in range(9))
        if size
        for i in range(0, len(case.stdin), size)
    )
    yield from (
        case._replace(**{field: none})
        for field, none in (("output", ""), ("stop", None), ("way", "again"))
        if getattr(case, field) != none
    )


def shrunk(case, wrong):
    return next((shrunk(less, wrong) for less in smaller(case) if fault(less) == wrong), case)


def shell(case):
    """The case as lines for bash, with those that make its files."""

    def quoted(word):
        return (
            "$'"
            + "".join(chr(c) if 31 < c < 127 and c not in b"'\\" else f"\\x{c:02x}" for c in word)
            + "'"
        )

    words = WAYS["again"](case.command, case.options, case.operands)
    env = [f"{name}={shlex.quote(value)}" for name, value in case.env.items()]
    stop = [f"timeout -s {case.stop[0].value} {case.stop[1]:.3f}"] if case.stop else []
    return "\n".join(
        [
            *(made for name, made in FILES.items() if any(name in word for word in words)),
            " ".join(
                [
                    "printf %b",
                    quoted(case.stdin.replace(b"\\", b"\\\\")),
                    "| env",
                    *env,
                    *stop,
                    "nqueens",
                    *map(quoted, words),
                    case.output,
                ]
            ),
        ]
    )


PROGRAM = os.path.abspath(sys.argv[1])
LINES, SEED = [*map(int, sys.argv[2:]), *(300, 1)[len(sys.argv) - 2 :]]
random.seed(SEED)
# in the background it may be ignored, and is inherited
signal.signal(signal.SIGINT, signal.default_int_handler)
CLEAN = {
    **os.environ,
    "OMP_WAIT_POLICY": "passive",
    "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd",
}
OFFERED = offered()
assert len(OFFERED) > 8 and all(len(options) > 1 for options in OFFERED.values()), OFFERED
faults = 0
with tempfile.TemporaryDirectory() as MADE:
    for made in FILES.values():
        subprocess.run(
            ["sh", "-c", f'nqueens() {{ {shlex.quote(PROGRAM)} "$@"; }}; {made}'],
            cwd=MADE,
            check=True,
            capture_output=True,
        )
    for _ in range(LINES):
        tried = made_up()
        found = fault(tried)
        if found:
            faults += 1
            print(f"# {found}; {tried.way}\n{shell(shrunk(tried, found))}", flush=True)
print(f"{LINES} command lines, seed {SEED}: {faults} faults")
sys.exit(faults > 0)
