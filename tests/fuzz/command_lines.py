#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random command lines against a model: command_lines.py PROGRAM [LINES [SEED]].

Commands, options and values are those that the program offers to shells. Each line runs twice, the second time written
in another way that must not matter. A line that fails is shrunk, and printed for a shell.
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

Case = collections.namedtuple("Case", "command options operands stdin env output signal way")
Result = collections.namedtuple("Result", "code out err")
NUMBERS = [b"0", b"1", b"2", b"4", b"5", b"6", b"8", b"10", b"007", b"2..5", b"0..8", b"-1", b"+4", b"4..2", b"29",
           b"1/2", b"2/3,3/3", b"1s", b"50%", b"9" * 20, b"4x"]
ODD = [b"", b"-", b"--", b"\xff\xfe", b"x" * 300, b"a\nb", b"\x1b[31m", b"\xc2\x9b\xe2\x99\x9b", b"%s%n", b"#", b"n\xc3\xa9"]
LARGE = [b"19", b"21", b"24", b"28"]  # not counted before the signal comes
FILES = {  # by the lines of shell that make them
    b"board": "printf '....\\n...*\\n....\\n..Q.\\n' >board", b"placements": "printf '2 4 1 3\\n1 2 3 4\\n' >placements",
    b"whole": "nqueens -q 8 --ledger whole", b"half": "nqueens 8 --shard 1/2 --ledger half 2>/dev/null",
    b"rest": "nqueens 8 --shard 2/2 --ledger rest 2>/dev/null", b"folder": "mkdir folder", b"fifo": "mkfifo fifo",
    b"damaged": "nqueens -q 8 --ledger damaged; printf x | dd of=damaged bs=1 seek=5000 conv=notrunc status=none"}
NAMES = [*FILES, b"missing", b"board/x", b"new.svg", b"new.txt", b"/dev/full", b"/dev/null", b"-"]
BOARD = b"....\n...*\n....\n..Q.\n"
LONG = {b"--minutes", b"--seconds"}
SMALL = {b"--threads", b"--from", b"--to"}  # their bounds take long
PATIENCE = 60
WAITED_FOR = {b"--board", b"--output", b"check"}  # they open a FIFO, and wait for its other end
ENVIRONMENT = {"NO_COLOR": ["", "1"], "TERM": ["", "dumb"], "COLUMNS": ["1", "x"], "OMP_NUM_THREADS": ["2", "7"],
               "LC_ALL": ["C", "C.UTF-8"], "NQUEENS_KERNEL": ["scalar64", "auto", "x\x1b", ""], "NQUEENS_DEVICE": ["", "\xe9"]}
OUTPUTS = [">/dev/full", ">&-", "| true"]
NOTE = re.compile(rb"nqueens: (n = \d+: (\d|method |shard |unverified|up to|interrupted|time is up)|warning: |audit of .*: |"
                  rb"\d+ threads on |(\d+: )?queens at |.*(nothing completes the board|a 0 ends the input|which is a blocked))")
TIME = re.compile(rb"-?\d+\.\d+(e[+-]?\d+)?( s)?|(seconds\"?:? *\"?)\d+|\d{4}-\d\d-\d\dT[\d:]+Z| +|,units_.*")
pick = random.choice


@functools.lru_cache(None)
def solutions(squares, placed=()):
    """All completions, in lexicographic order, of a board: a tuple of the columns that each row's queen may take."""
    row = len(placed)
    return (placed,) if row == len(squares) else sum(
        (solutions(squares, (*placed, c)) for c in squares[row]
         if all(c != d and abs(c - d) != row - r for r, d in enumerate(placed))), ())


def empty(n):
    return (tuple(range(1, n + 1)),) * n


def classes(n):
    def turned(one):
        return tuple(n - one.index(c) for c in range(1, n + 1))
    found = set()
    for one in solutions(empty(n)):
        images = [one, one[::-1]]
        for _ in range(3):
            images += [turned(image) for image in images[-2:]]
        found.add(min(images))
    return len(found)


def board(text):
    """The squares of a board as text, or None."""
    rows = text.split()
    if not rows or re.search(rb"[^.Q*#\n]", text) or b"\n\n" in text or {*map(len, rows)} != {len(rows)} or len(rows) > 8:
        return None
    queens = [[i for i, c in enumerate(row, 1) if c == 81] for row in rows]
    return tuple(tuple(q if len(q) == 1 else () if q else (i for i, c in enumerate(row, 1) if c == 46))
                 for q, row in zip(queens, rows))


def number(digits):
    return int(digits.lstrip(b"0")[:20] or b"0")


def sizes(words, stdin):
    """The boards that these words count; None: a word is wrong, or a board large."""
    found = []
    for word in words:
        match = re.fullmatch(rb"(\d+)(?:\.\.(\d+))?", word)
        first, last = (number(match[1]), number(match[2] or match[1])) if match else (1, 0)
        if first > last or last > 10:
            return None
        if stdin and last == 0:
            break
        found += range(first, last + 1)
    return found


def verdicts(text):
    """Of placements: whether each is a solution; None at the end: an error. None: not told."""
    if board(text) and b"*" not in text and b"#" not in text and text.count(b"Q") == len(text.split()):
        lines = [[row.index(b"Q") + 1 for row in text.split()]]
    elif re.fullmatch(rb"[0-9 \n]*", text) and text.strip():
        lines = [line.split() for line in text.splitlines() if line.strip()]
        lines = [re.findall(b".", line[0]) if len(line) == 1 and len(line[0]) < 10 else line for line in lines]
        lines = [[*map(number, line)] for line in lines]
    else:
        return None
    found = []
    for line in lines:
        if not all(1 <= c <= len(line) for c in line):
            return [*found, None]
        found.append(tuple(line) in solutions(tuple((c,) for c in line)))
    return found


def offers(*words):
    found = subprocess.run([PROGRAM, "__complete", *words], capture_output=True, check=False).stdout
    return [line.partition(b"\t")[::2] for line in found.splitlines()]


@functools.lru_cache(None)
def is_flag(name):
    return b"takes no value" in subprocess.run([PROGRAM, b"8", name + b"=x"], capture_output=True, check=False).stderr


def rows():
    """The options of each command, and their values: the words and the numbers that the program names."""
    commands = [(first,) for first, _ in offers("") if first not in (b"help", b"bench")]  # the second measures for long
    below = [(*first, second) for first in commands for second, _ in offers(*first, "") if re.fullmatch(b"[a-z]+", second)]
    commands = [command for command in commands if command[0] not in [first for first, _ in below]] + below
    return {command: {name: [value for value, _ in offers(*command, name, "")] + re.findall(rb"(?<!\S)\d[\w/,:%-]*", about)
                      for name, about in offers(*command, "-") if name.startswith(b"--") and name not in LONG}
            for command in commands}


def made_up_value(name, command):
    files = [file for file in NAMES if file != b"fifo" or not WAITED_FOR & {name, *command}]
    values = ROWS[command][name] if name not in SMALL else NUMBERS[:7]
    likely = files if b"FILE" in values else values or NUMBERS[:7]
    return [] if is_flag(name) else [pick(pick([likely] * 8 + [NUMBERS, ODD]))]


def made_up_text():
    """Sizes, placements, a board, or bytes; in some a word is long."""
    n = random.randint(1, 8)
    one = pick(solutions(empty(n)) or [(1,)])
    words = pick([[b"%d" % random.randint(0, 8) for _ in range(n)], random.sample([b"%d" % c for c in range(1, n + 1)], n),
                  [b"%d" % c for c in one], [bytes(pick(b"....Q*#") for _ in range(n)) for _ in range(n)], [b"2..4"],
                  [b"." * (c - 1) + b"Q" + b"." * (len(one) - c) for c in one], [random.randbytes(n)], []])
    if words and pick([True, False]):
        i, k = random.randrange(len(words)), int(9000 ** random.random())
        words[i] = pick([b"0" * k + words[i], pick([b"0", b"1", b"9", b".", b"Q"]) * k])
    return pick([b" ", b"\n", b"\n", b"\r\n", b", ", b"\n\n"]).join(words) + pick([b"\n", b""])


def made_up():
    command = pick(list(ROWS))
    stop = pick([None] * 7 + [(pick([signal.SIGTERM, signal.SIGINT, signal.SIGUSR1]), random.random() * 0.03)])
    names = random.sample(list(ROWS[command]), min(pick([0, 0, 1, 1, 2, 3]), len(ROWS[command])))
    if stop and stop[0] != signal.SIGUSR1 and command[0] in (b"count", b"list", b"estimate"):
        likely = LARGE
    elif command[0] in (b"check", b"ledger"):
        likely = [name for name in NAMES if name != b"fifo" or command[0] not in WAITED_FOR] + [b"-"] * 3
    else:
        likely = NUMBERS[:11] + [b"-"] * 4
    operands = [pick(pick([likely] * 9 + [NUMBERS, ODD])) for _ in range(pick([0, 1, 1, 1, 1, 2]))]
    env = {name: pick(ENVIRONMENT[name]) for name in random.sample(list(ENVIRONMENT), pick([0, 0, 1, 2]))}
    return Case(() if command == (b"count",) and operands and pick([True, False]) else command,
                [[name, *made_up_value(name, command)] for name in names], operands, made_up_text(), env,
                pick([""] * 12 + OUTPUTS), stop, pick(list(WAYS)))


WAYS = {
    "again": lambda command, options, operands: [*command, *sum(options, []), *operands],
    "backwards": lambda command, options, operands: [*sum(options[::-1], []), *command, *operands],
    "behind": lambda command, options, operands: [*command, *operands, *sum(options[::-1], [])],
    "glued": lambda command, options, operands: [*command, *(b"=".join(option) for option in options), *operands],
    "dashes": lambda command, options, operands: [*sum(options, []), *command, b"--", *operands],
    "quiet": lambda command, options, operands: [*command, b"-q", *sum(options, []), *operands],
    "sharded": None,
}


def run(case, way="again", output="", stop=None, more=()):
    """Runs it in a folder of its own. A code of None: it does not end."""
    words = [*WAYS[way](case.command, case.options, case.operands), *more]
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            if any(name in word for word in words):
                subprocess.run(["cp", "-a", os.path.join(os.fsencode(MADE), name), folder], check=True)
        stdout = subprocess.PIPE
        if output == "| true":
            reader, stdout = os.pipe()
            os.close(reader)
        with subprocess.Popen(["sh", "-c", 'exec "$0" "$@" ' + output.partition("|")[0], PROGRAM, *words], cwd=folder,
                              stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=stdout, env={**CLEAN, **case.env}) as process:
            if output == "| true":
                os.close(stdout)
            if stop:
                time.sleep(stop[1])
                process.send_signal(stop[0])
            try:
                out, err = process.communicate(case.stdin, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                return Result(None, b"", b"")
    return Result(process.returncode if process.returncode >= 0 else 128 - process.returncode, out or b"", err)


def end_fault(name, options, done, stop=None, output=""):
    """What is wrong with exit code and streams alone."""
    messages = [line for line in done.err.splitlines() if not (line.startswith(b"{") and b"--progress" in options)]
    bar = b"always" in options.get(b"--progress", [])
    messages = [line for line in messages if not bar or line.startswith(b"nqueens: ")]
    errors = [line for line in messages if not NOTE.match(line)]
    if done.code is None:
        return "no end"
    if b"Sanitizer" in done.err or b"runtime error" in done.err:
        return "sanitizer"
    try:
        control = [c for c in (b"" if bar else done.err + done.out).decode() if c != "\n" and unicodedata.category(c) == "Cc"]
    except UnicodeDecodeError:
        return "bytes that are not UTF-8"
    if control:
        return f"control characters {control}"
    if not all(line.startswith(b"nqueens: ") for line in messages):
        return "a line on stderr that is no message"
    if len({*errors}) < len(errors):
        return "a message twice"
    if stop and done.code in ({138} if stop[0] == signal.SIGUSR1 else {128 + stop[0], 75 if b"--ledger" in options else 143}):
        return None
    if output == "| true" and done.code == 141:
        return None
    if done.code not in (0, 1, 2, 3) or done.code == 1 and name not in (b"check", b"draw"):
        return f"exit code {done.code}"
    if len(errors) != (done.code > 1):
        return f"{len(errors)} errors and exit code {done.code}"
    if done.code == 0 and messages and b"--quiet" in options:
        return "a message in spite of --quiet"
    if done.code > 1 and done.out and name not in (b"check", b"count"):
        return "stdout and an error"
    if done.code < 2 and b"--json" in options and b"--help" not in options and b"--version" not in options and not output:
        try:
            [*map(json.loads, done.out.splitlines() if name in (b"count", b"check", b"verify") else [done.out])]
        except ValueError:
            return "no JSON"
    return None


def check_fault(case, given, done):
    """What is wrong with verdicts on stdin."""
    known = verdicts(case.stdin)
    if known is None or case.operands not in ([], [b"-"]):
        return None
    good = [verdict for verdict in known if verdict is not None]
    if done.code != (2 if None in known else 0 if all(good) else 1) and not (done.code == 2 and (given or is_long(case))):
        return f"exit code {done.code} of verdicts {known}"
    if done.code == 2 and (given or is_long(case)):
        return None
    found = [json.loads(line)["valid"] if b"--json" in given else line == b"valid" for line in done.out.splitlines()]
    return None if found == good or b"--quiet" in given else f"verdicts {found} of {known}"


def is_long(case):
    return any(len(word) > 59 for word in re.split(rb"[\s,]", case.stdin))


def count_fault(name, case, given, done):
    """What is wrong with the answer of count or list."""
    boards = {b"-": case.stdin, b"board": BOARD}
    text = b" ".join(line.partition(b"#")[0] for line in case.stdin.splitlines()).replace(b",", b" ")
    if b"--board" in given:
        squares = [board(boards.get(given[b"--board"][0], b""))] if not case.operands else [None]
    else:
        from_stdin = name == b"count" and case.operands == [b"-"]
        listed = sizes(text.split() if from_stdin else case.operands, from_stdin)
        squares = [None] if listed is None else [*map(empty, listed)]
    if None in squares or name == b"list" and len(squares) != 1 or not case.operands and b"--board" not in given:
        return None
    if done.code:
        plain = not given and not case.env and not is_long(case)
        return f"exit code {done.code} of a right line" if plain else None
    key = "fundamental" if b"--fundamental" in given else "solutions"
    if name == b"list":
        known = [solutions(squares[0])[:number(given.get(b"--limit", [b"9" * 9])[0])]]
        found = [tuple(tuple(one["columns"]) for one in json.loads(done.out)["solutions"]) if b"--json" in given else
                 tuple(tuple(map(int, line.split())) for line in done.out.splitlines())]
    elif b"--format" in given:
        known = [len(solutions(one)) for one in squares]
        found = [int(re.split(rb"[,|] *", line)[1]) for line in done.out.splitlines() if re.match(rb"(\| +)?\d", line)]
    else:
        known = [classes(len(one)) if b"--fundamental" in given else len(solutions(one)) for one in squares]
        found = [int(json.loads(line)[key]) if b"--json" in given else int(line) for line in done.out.splitlines()]
    return None if found == known else f"{found} of {known}"


def fault(case):
    """What is wrong with a command line, or None."""
    name, given = case.command[0] if case.command else b"count", {option: values for option, *values in case.options}
    done = run(case, output=case.output, stop=case.signal)
    wrong = end_fault(name, given, done, case.signal, case.output)
    if wrong or case.signal and done.code >= 75:
        return wrong
    plain = {b"--help", b"--version"}.isdisjoint(given) and not case.signal and not case.output
    if plain and name == b"check":
        wrong = check_fault(case, given, done)
    elif plain and name in (b"count", b"list") and b"--shard" not in given:
        wrong = count_fault(name, case, given, done)
    if wrong:
        return wrong
    way = case.way
    if any(operand.startswith(b"-") and operand != b"-" for operand in case.operands):
        way = "again"
    if way == "sharded":
        if not (plain and name == b"count" and done.code == 0 and len(case.operands) == 1 and
                {*given}.isdisjoint({b"--shard", b"--format", b"--json", b"--fundamental", b"--quiet"}) and case.operands[0].isdigit()):
            return None
        parts = [run(case, more=[b"--shard", b"%d/3" % i]) for i in (1, 2, 3)]
        return None if sum(int(part.out) for part in parts) == int(done.out) else "shards with another sum"
    again = run(case, way)
    random_out = case.command in ((b"estimate",), (b"ledger", b"audit"))
    if way == "quiet":
        if done.code > 1 or again.code == 2 and b"quiet" in again.err:
            return None
        return end_fault(name, {**given, b"--quiet": []}, again) or (
            None if again.code == done.code and (masked(again.out) in (masked(done.out), b"") or random_out) else "another answer with -q")
    if case.output:
        expected = 141 if case.output == "| true" else 3
        return None if done.code == (expected if again.out else again.code) else f"{done.code} instead of {expected}"
    if way == "again" and not case.signal and not random_out and masked(again.err) != masked(done.err):
        return "another stderr"
    return None if again.code == done.code and (random_out or masked(again.out) == masked(done.out)) else f"another answer, {way}"


def masked(text):
    return TIME.sub(b" ", text)


def smaller(case):
    for field in ("options", "operands"):
        for i, _ in enumerate(getattr(case, field)):
            yield case._replace(**{field: getattr(case, field)[:i] + getattr(case, field)[i + 1:]})
    yield from (case._replace(env={k: v for k, v in case.env.items() if k != name}) for name in case.env)
    yield from (case._replace(stdin=case.stdin[:i] + case.stdin[i + length:])
                for length in (len(case.stdin) >> shift for shift in range(8)) if length for i in range(0, len(case.stdin), length))
    yield from (case._replace(**{field: nothing}) for field, nothing in (("output", ""), ("signal", None), ("way", "again"))
                if getattr(case, field) != nothing)


def shrunk(case, wrong):
    for less in smaller(case):
        if fault(less) == wrong:
            return shrunk(less, wrong)
    return case


def shell(case):
    words = WAYS["again"](case.command, case.options, case.operands)
    lines = [f"{made}" for name, made in FILES.items() if any(name in word for word in words)]
    command = " ".join(f"{name}={shlex.quote(text)}" for name, text in case.env.items()) + " nqueens " + " ".join(
        "$'" + "".join(chr(c) if 32 < c < 127 and c not in b"'\\" else f"\\x{c:02x}" for c in word) + "'" if re.search(rb"[^\w./=,-]", word) or not word else
        word.decode() for word in words)
    text = "".join(chr(c) if 31 < c < 127 and c not in b"'\\%" else f"\\{c:03o}" for c in case.stdin)
    before = f"timeout -s {int(case.signal[0])} {case.signal[1]:.3f}" if case.signal else ""
    return "\n".join([*lines, f"printf '{text}' | {before}{command} {case.output}  # {case.way}"])


PROGRAM = os.path.abspath(sys.argv[1])
LINES, SEED = [*map(int, sys.argv[2:]), *(300, 1)[len(sys.argv) - 2:]]
random.seed(SEED)
CLEAN = {**os.environ, "OMP_WAIT_POLICY": "passive", "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd"}
ROWS = rows()
assert len(ROWS) > 8 and all(len(options) > 1 for options in ROWS.values()), ROWS
faults = 0
with tempfile.TemporaryDirectory() as MADE:
    for made in FILES.values():
        subprocess.run(["sh", "-ec", f'nqueens() {{ {shlex.quote(PROGRAM)} "$@"; }}; {made}'], cwd=MADE, stdout=subprocess.DEVNULL,
                       check=True)
    for _ in range(LINES):
        tried = made_up()
        found = fault(tried)
        if found:
            faults += 1
            print(f"# {found}\n{shell(shrunk(tried, found))}", flush=True)
print(f"{LINES} command lines, seed {SEED}: {faults} faults")
sys.exit(faults > 0)
