# SPDX-License-Identifier: MIT
"""Random command lines, and what must hold of each of them whatever it asks for.

What it can find: crashes, and errors that sanitizers see; a command that does not end; exit codes
that no page names; an error without a message, or with two; control characters in messages; an
answer that is no JSON where JSON was asked for; an option that means something else when it is
written in another way; success reported for an answer that could not be written; a signal that is
not heard; and ledgers that a sequence of kills, shards and merges leaves with a wrong sum.

What it cannot find: a wrong answer of a single command line, which is left to named cases; options
that no shell is offered; what a terminal shows; and waits for other processes
(test_waiting_streams.py).

Commands, options and values are those that the program offers to shells (`nqueens __complete`), so
a new option takes part at once. An option whose values are neither offered nor numbers named by
its description needs a line in VALUES. A command or option that measures for long belongs to
UNTRIED.

Hypothesis chooses the lines. It shrinks one that fails, and prints it for a shell.
NQUEENS_LINES says how many lines each test tries, and another NQUEENS_SEED gives other lines:

    NQUEENS_SEED=7 NQUEENS_LINES=5000 meson test -C build-test fuzz-command-lines
"""

import dataclasses
import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unicodedata

import pytest

pytest.importorskip("hypothesis", reason="Hypothesis is not installed (Debian: python3-hypothesis)")

from hypothesis import HealthCheck, given, note, seed, settings, strategies as st

from help_pages import all_options
from program import PATIENCE, PROGRAM, TOTALS, environment

SEED = int(os.environ.get("NQUEENS_SEED", "1"))
LINES = int(os.environ.get("NQUEENS_LINES", "15"))

random_lines = settings(
    max_examples=LINES,
    deadline=None,  # the machine may be slow
    derandomize=True,
    database=None,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)

# The files that command lines name, each with the shell commands that make it.
FILES = {
    b"board": r"printf '....\n...*\n....\n..Q.\n' >board",
    b"placements": r"printf '2 4 1 3\n1 2 3 4\n' >placements",
    b"whole": "nqueens 8 --ledger whole",
    b"half": "nqueens 8 --shard 1/2 --ledger half",
    b"rest": "nqueens 8 --shard 2/2 --ledger rest",
    b"folder": "mkdir folder",
    b"damaged": "nqueens 8 --ledger damaged; sed -i 3s/unit/unix/ damaged",
    b"cut": "nqueens 8 --ledger cut; truncate -s -20 cut",
    b"mixed": "nqueens 8 --ledger mixed; nqueens 7 --ledger other; cat other >>mixed",
}
NAMES = [*FILES, b"missing", b"board/x", b"new.svg", b"new.txt", b"/dev/full", b"/dev/null", b"-"]

# Values that are likely to be right, and words that are likely to be wrong. Boards of up to ten
# rows are counted in a moment.
NUMBERS = [b"0", b"1", b"2", b"4", b"5", b"6", b"8", b"10", b"007", b"2..5", b"0..8", b"1/2"]
WRONG_NUMBERS = [b"-1", b"+4", b"4..2", b"29", b"2/3,3/3", b"1s", b"50%", b"9" * 20, b"4x"]
ODD_WORDS = [
    *[b"", b"-", b"--", b"\xff\xfe", b"x" * 300, b"a\nb", b"\x1b[31m", b"%s%n", b"#"],
    "\x9b♛".encode(),
]
VALUES = {b"--threads": NUMBERS[:7]}

# Commands and options that measure for long, or print the help of other commands.
UNTRIED = {b"bench", b"help", b"--minutes", b"--seconds"}

# What differs between two runs of one line: times, rates and blanks that align them.
VARIABLE = re.compile(
    rb"seconds\W*\d[\d.e+-]*|-?\d+\.\d+(e[+-]?\d+)?|remaining.*|\d{4}-\d\d-\d\dT[\d:]+Z| +"
)

# Reports of progress, which are no messages; and what PoCL's compiler prints after a signal.
PROGRESS = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z n = |\{\"n\": |n = |1 error generated")

EXIT_CODES = (0, 1, 2, 3)
SAVED = 75  # the exit code of a stopped count whose units are in a ledger


@dataclasses.dataclass
class Line:
    """A command line: the words of its command, its options with their values (None for a flag),
    its operands, and what it reads from stdin."""

    command: tuple = ()
    options: tuple = ()
    operands: tuple = ()
    stdin: bytes = b""

    @property
    def name(self):
        """The first word of the command: "count" if there is none, as in `nqueens 8`."""
        return self.command[0] if self.command else b"count"

    def has(self, *names):
        """Returns whether one of these options is given."""
        return any(name in names for name, _ in self.options)

    def option_words(self):
        """Returns the words of each option."""
        return [[name] if value is None else [name, value] for name, value in self.options]

    def words(self):
        return [*self.command, *sum(self.option_words(), []), *self.operands]


def shell(words, stdin=b""):
    """Returns lines for bash, which make the files that the words name, and call the program."""

    def quoted(data):
        characters = [
            chr(byte) if 31 < byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}"
            for byte in data
        ]
        return f"$'{''.join(characters)}'"

    made = [command for name, command in FILES.items() if any(name in word for word in words)]
    command = f"nqueens {' '.join(map(quoted, words))}"
    return "\n".join([*made, f"{command} <<<{quoted(stdin)}" if stdin else command])


# ---- What the program offers -----------------------------------------------------------------


def offers(*words):
    """Returns what the program offers to a shell after these words: words with descriptions."""
    done = subprocess.run([PROGRAM, "__complete", *words], capture_output=True, check=True)
    lines = [line.partition(b"\t") for line in done.stdout.splitlines()]
    return [(word, about) for word, _, about in lines if word not in UNTRIED]


@functools.cache
def commands():
    """Returns the words of each command."""
    first = [(name,) for name, _ in offers("") if name != b"ledger"]
    return first + [(b"ledger", second) for second, _ in offers("ledger", "")]


@functools.cache
def options_of(command):
    """Returns the values of each option of a command: those that are offered, and the numbers of
    its description. An option has none if it is a flag."""
    found = {}
    for name, about in offers(*command, "-"):
        if all_options()[name.decode().removeprefix("--")] == "":  # a flag
            found[name] = []
            continue
        offered = [value for value, _ in offers(*command, name, "")]
        named = re.findall(rb"(?<!\S)\d[\w/,:%-]*", about)
        values = VALUES.get(name) or offered + named or NUMBERS[:7]
        found[name] = NAMES if b"FILE" in values else values
    return found


def test_the_program_offers_commands_and_options():
    """If the program offered nothing, all other tests would pass without a command."""
    assert len(commands()) > 8
    assert (b"ledger", b"merge") in commands()
    assert {b"--board", b"--ledger", b"--shard"} <= options_of((b"count",)).keys()
    assert options_of((b"count",))[b"--quiet"] == []


# ---- Lines that are made up ------------------------------------------------------------------


def words_of(likely):
    """Chooses one of these words in nine of ten cases, and otherwise a wrong number or odd word."""
    unlikely = [*WRONG_NUMBERS, *ODD_WORDS]
    repeats = 1 + 9 * len(unlikely) // len(likely)
    return st.sampled_from(likely * repeats + unlikely)


@st.composite
def texts(draw):
    """Chooses what is read from stdin: sizes, placements, a board, or bytes. One word may be very
    long."""
    n = draw(st.integers(1, 8))
    digit = st.integers(0, 8).map(lambda number: b"%d" % number)
    row = st.lists(st.sampled_from([b".", b".", b".", b"Q", b"*"]), min_size=n, max_size=n)
    permutation = st.permutations([b"%d" % column for column in range(1, n + 1)])
    words = draw(
        st.one_of(
            st.lists(digit, max_size=8),
            permutation,
            st.lists(row.map(b"".join), min_size=n, max_size=n),
            permutation.map(lambda columns: [b"." * (int(c) - 1) + b"Q" for c in columns]),
            st.lists(st.binary(max_size=8), max_size=2),
        )
    )
    if words and draw(st.booleans()):
        i = draw(st.integers(0, len(words) - 1))
        words[i] = b"019.Q*" * draw(st.sampled_from([1, 40, 60, 500, 5000])) + words[i]
    separator = draw(st.sampled_from([b" ", b"\n", b"\n", b"\r\n", b", ", b"\n\n"]))
    return separator.join(words) + draw(st.sampled_from([b"\n", b""]))


@st.composite
def lines(draw, names=None):
    """Chooses a line. names: the commands among which it chooses, or None for all."""
    command = draw(st.sampled_from([c for c in commands() if names is None or c[0] in names]))
    offered = options_of(command)
    chosen = draw(st.lists(st.sampled_from(sorted(offered)), unique=True, max_size=3))
    options = [(name, draw(words_of(offered[name])) if offered[name] else None) for name in chosen]
    likely = NAMES if command[0] in (b"check", b"ledger") else [*NUMBERS, b"-"]
    operands = draw(st.lists(words_of(likely), max_size=2))
    return Line(command, tuple(options), tuple(operands), draw(texts()))


# ---- Running them ----------------------------------------------------------------------------


@functools.cache
def made_files():
    """Returns a folder with all FILES, which lasts until the tests end."""
    folder = tempfile.TemporaryDirectory(prefix="nq-")
    for command in FILES.values():
        script = f'nqueens() {{ {shlex.quote(PROGRAM)} "$@"; }}; {command}'
        subprocess.run(["sh", "-c", script], cwd=folder.name, check=True, capture_output=True)
    return folder


def run(words, stdin=b"", output=""):
    """Runs the program in a folder that has the files that the words name. output: a redirection of
    the shell, or "". The program must end."""
    with tempfile.TemporaryDirectory(prefix="nq-") as folder:
        for name in FILES:
            if any(name in word for word in words) and name != b"folder":
                shutil.copy(os.path.join(made_files().name, name.decode()), folder)
            elif any(name in word for word in words):
                os.mkdir(os.path.join(folder, "folder"))
        return subprocess.run(
            ["sh", "-c", f'exec "$0" "$@" {output}', PROGRAM, *words],
            input=stdin,
            cwd=folder,
            env=environment(),
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )


def without_times(output):
    return VARIABLE.sub(b"", output)


def messages(stderr):
    """Returns the lines of stderr that are no progress. A bar of progress ends with a line feed or
    is erased."""
    kept = re.sub(rb".*\r\x1b\[K", b"", stderr)
    return [line for line in kept.splitlines() if line and not PROGRESS.match(line)]


def check_streams(done):
    """Asserts what holds of the streams of every run."""
    assert not re.search(rb"Sanitizer|runtime error", done.stderr), done.stderr
    said = messages(done.stderr)
    for character in (done.stdout + b"\n".join(said)).decode():  # it is UTF-8
        assert character == "\n" or unicodedata.category(character) != "Cc"
    assert all(line.startswith(b"nqueens: ") for line in said), said


def check_json(line, done):
    """Asserts that the answer is one document of JSON. Commands that answer for several boards or
    files print one document on each line."""
    several = line.name in (b"count", b"check", b"verify")
    for text in done.stdout.splitlines() if several else [done.stdout]:
        json.loads(text)


# ---- The tests -------------------------------------------------------------------------------


@seed(SEED)
@random_lines
@given(lines())
def test_every_line_ends_with_a_known_code_and_a_message_if_it_fails(line):
    note(shell(line.words(), line.stdin))
    done = run(line.words(), line.stdin)
    check_streams(done)
    assert done.returncode in EXIT_CODES
    assert done.returncode != 1 or line.name in (b"check", b"draw"), "no count is wrong"
    if done.returncode > 1:
        assert messages(done.stderr), "an error without a message"
        # These commands answer for one operand or line after the other, until one is wrong.
        assert not done.stdout or line.name in (b"check", b"count", b"ledger")
    elif line.has(b"--json") and not line.has(b"--help", b"--version"):
        check_json(line, done)


@seed(SEED)
@random_lines
@given(lines())
def test_with_quiet_one_error_is_told_and_nothing_else(line):
    if b"--quiet" not in options_of(line.command) or line.has(b"--quiet", b"--progress", b"--time"):
        return
    quiet = dataclasses.replace(line, options=(*line.options, (b"--quiet", None)))
    note(shell(quiet.words(), quiet.stdin))
    done = run(quiet.words(), quiet.stdin)
    said = messages(done.stderr)
    if line.name == b"ledger":  # `ledger show` has an error for each file that it cannot read
        assert bool(said) == (done.returncode > 1), said
    else:
        assert len(said) == (1 if done.returncode > 1 else 0), said
    loud = run(line.words(), line.stdin)
    measured = line.command in ((b"estimate",), (b"ledger", b"audit"))
    if loud.returncode < 2 and done.returncode < 2 and not measured:
        assert done.returncode == loud.returncode
        assert done.stdout in (b"", loud.stdout) or (
            without_times(done.stdout) == without_times(loud.stdout)
        )


def other_ways(line):
    """Returns other ways to write a line: the words of each, by a description."""
    options = line.option_words()
    backwards = sum(reversed(options), [])
    ways = {
        "options first": [*backwards, *line.command, *line.operands],
        "options last": [*line.command, *line.operands, *backwards],
        "with =": [*line.command, *map(b"=".join, options), *line.operands],
    }
    # After --, an operand that begins with - could mean something else.
    if not any(operand.startswith(b"-") for operand in line.operands):
        ways["after --"] = [*backwards, *line.command, b"--", *line.operands]
    short = {b"--threads": b"-t", b"--quiet": b"-q", b"--output": b"-o"}
    ways["short names"] = [
        *line.command,
        *(short.get(word, word) for option in options for word in option),
        *line.operands,
    ]
    return ways


@seed(SEED)
@random_lines
@given(lines(), st.integers(0, 4))
def test_a_line_means_the_same_however_it_is_written(line, chosen):
    measured = line.command in ((b"estimate",), (b"ledger", b"audit"))
    if b"--" in line.operands or measured:
        return
    ways = list(other_ways(line).items())
    way, words = ways[chosen % len(ways)]
    note(f"{shell(line.words(), line.stdin)}\n{shell(words, line.stdin)}   # {way}")
    first, second = run(line.words(), line.stdin), run(words, line.stdin)
    assert first.returncode == second.returncode, (first.stderr, second.stderr)
    assert without_times(first.stdout) == without_times(second.stdout)


@seed(SEED)
@random_lines
@given(lines(), st.sampled_from([">/dev/full", ">&-"]))
def test_an_answer_that_cannot_be_written_is_an_error(line, output):
    note(f"{shell(line.words(), line.stdin)} {output}")
    whole = run(line.words(), line.stdin)
    lost = run(line.words(), line.stdin, output)
    check_streams(lost)
    if whole.stdout:  # a verdict of `check` is told by the exit code as well
        assert lost.returncode == 3 or lost.returncode == whole.returncode > 0
        assert messages(lost.stderr)
    else:
        assert lost.returncode == whole.returncode


@seed(SEED)
@random_lines
@given(
    st.sampled_from([(b"count",), (b"list",)]),
    st.sampled_from([b"19", b"22", b"28"]),
    st.booleans(),
    st.lists(st.sampled_from([signal.SIGTERM, signal.SIGINT]), min_size=1, max_size=2),
    st.floats(0, 0.05),
)
def test_a_signal_ends_long_work_and_a_second_one_at_once(command, n, keeps, signals, seconds):
    words = [*command, n, b"--method", b"search"] if command == (b"count",) else [*command, n]
    if keeps and command == (b"count",):
        words += [b"--ledger", b"ledger"]
    note(f"timeout -s {signals[0].name} {seconds} {shell(words)}   # {signals}")
    with tempfile.TemporaryDirectory(prefix="nq-") as folder, subprocess.Popen(
        [PROGRAM, *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        for number in signals:
            time.sleep(seconds)
            process.send_signal(number)
        _, stderr = process.communicate(timeout=PATIENCE)
    assert not re.search(rb"Sanitizer|runtime error", stderr), stderr
    # While the program has no handler, at its beginning and end, a signal kills the process.
    by_signal = {-number for number in signals} | {128 + number for number in signals}
    assert process.returncode in by_signal | ({SAVED} if keeps else set()), stderr


# The steps of a sequence of commands on a ledger of n = 9: a method of Ledgers and its argument.
SHARDS = 3
ledger_steps = st.one_of(
    st.tuples(st.just("count"), st.integers(1, SHARDS)),
    st.tuples(st.just("kill"), st.floats(0, 0.03)),
    st.tuples(st.just("interrupt"), st.floats(0, 0.03)),
    st.tuples(st.just("merge"), st.integers(1, SHARDS)),
    st.tuples(st.just("show"), st.just(0)),
)


class Ledgers:
    """A folder with a ledger "whole", on which each command of a sequence works."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *words):
        """Runs a command, which must succeed. Returns its answer."""
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def count(self, shard):
        self.run("9", "--ledger", "whole", "--shard", f"{shard}/{SHARDS}")

    def stop(self, number, seconds):
        """Sends a signal to a count, which may have ended."""
        with subprocess.Popen(
            [PROGRAM, "9", "--ledger", "whole"],
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            time.sleep(seconds)
            process.send_signal(number)

    def kill(self, seconds):
        self.stop(signal.SIGKILL, seconds)

    def interrupt(self, seconds):
        self.stop(signal.SIGTERM, seconds)

    def merge(self, shard):
        """Counts a shard into another ledger, and merges it with "whole"."""
        for name in ("part", "joined"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        self.count(shard)  # so that "whole" exists
        self.run("9", "--ledger", "part", "--shard", f"{shard}/{SHARDS}")
        self.run("ledger", "merge", "whole", "part", "--output", "joined")
        os.replace(os.path.join(self.folder, "joined"), os.path.join(self.folder, "whole"))

    def show(self, _):
        self.run("9", "--ledger", "whole", "--shard", f"1/{SHARDS}")  # so that "whole" exists
        self.run("ledger", "show", "whole")


@seed(SEED)
@settings(random_lines, max_examples=max(1, LINES // 4))
@given(st.lists(ledger_steps, min_size=1, max_size=6))
def test_commands_on_one_ledger_never_spoil_its_sum(steps):
    with tempfile.TemporaryDirectory(prefix="nq-") as folder:
        ledgers = Ledgers(folder)
        for name, argument in steps:
            getattr(ledgers, name)(argument)
        assert ledgers.run("9", "--ledger", "whole") == b"%d\n" % TOTALS[9]
