"""Shared by the tests of the program: running it, and assertions about answers and refusals."""
import json
import os
import re
import subprocess
import unittest

PROGRAM = os.environ["NQUEENS"]
WRONG_PROGRAM = os.environ["NQUEENS_WRONG"]  # some of its known totals are wrong
SOURCE = os.environ["NQUEENS_SOURCE"]  # the top of the source tree

# https://oeis.org/A000170, from n = 0
TOTALS = [
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
    95815104, 666090624, 4968057848, 39029188884, 314666222712, 2691008701644, 24233937684440,
    227514171973736, 2207893435808352, 22317699616364044, 234907967154122528,
]

# https://oeis.org/A002562, from n = 1
FUNDAMENTAL = [
    1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285053, 1846955, 11977939, 83263591,
    621012754, 4878666808, 39333324973, 336376244042, 3029242658210, 28439272956934,
    275986683743434, 2789712466510289, 29363495934315694,
]

# https://oeis.org/A032522 and https://oeis.org/A033148, from n = 1: solutions that a half turn,
# and a quarter turn, leaves as they are
HALF_TURN = [1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420]
QUARTER_TURN = [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0]

DONE, WRONG, USAGE, SYSTEM = 0, 1, 2, 3  # exit codes

# Seconds until a test gives up waiting. All that it waits for takes a twentieth of it, or hours if
# the program is wrong: a slow or busy machine fails no test.
PATIENCE = 600

# Prefixes of variables that change what the program does.
SETTINGS = ("OMP_", "GOMP_", "HWLOC_", "NQUEENS", "POSIXLY_CORRECT", "NO_COLOR", "CDPATH")


def environment(settings=None):
    """The environment without these variables, but with `settings`. None: not set."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    # Threads that wait for the others sleep: many tests share the cores.
    changed = {**clean, "TERM": "xterm", "OMP_WAIT_POLICY": "passive", **(settings or {})}
    return {name: value for name, value in changed.items() if value is not None}


def text_of(output):
    """Output as text, byte for byte: line ends as they are, odd bytes kept."""
    return None if output is None else output.decode("utf-8", "surrogateescape")


def call(command, stdin="", env=None, **how):
    """Runs a command through pipes. stdin: the text to feed it, or an open file."""
    how.update({"input": stdin.encode()} if isinstance(stdin, str) else {"stdin": stdin})
    how.setdefault("stdout", subprocess.PIPE)
    how.setdefault("timeout", PATIENCE)
    result = subprocess.run(command, stderr=subprocess.PIPE, env=environment(env), **how)
    result.stdout, result.stderr = text_of(result.stdout), text_of(result.stderr)
    return result


def run(*arguments, program=PROGRAM, **how):
    return call([program, *arguments], **how)


def documents(text):
    """The JSON documents of a text, one a line."""
    return [json.loads(line) for line in text.splitlines()]


def through_shell(script, *arguments, shell="sh", **how):
    """Runs a line of shell, in which "$@" is the program and its arguments."""
    return call([shell, "-c", script, shell, PROGRAM, *arguments], **how)


def beside_turns(stderr):
    """stderr without the note that this machine has fewer PUs than a call has threads."""
    return re.sub(r"\Anqueens: \d+ threads on \d+ PUs?: they take turns, .*\n", "", stderr)


def printed(*sizes):
    """The output of the program for boards of these sizes."""
    return "".join(f"{TOTALS[n]}\n" for n in sizes)


class ProgramTest(unittest.TestCase):
    maxDiff = 2000

    def assert_answers(self, answer, *arguments, **how):
        """The program prints exactly this, nothing on stderr that every machine says, and exits
        with 0."""
        result = run(*arguments, **how)
        self.assertEqual((result.returncode, result.stdout, beside_turns(result.stderr)),
                         (DONE, answer, ""), f"arguments: {arguments}")

    def assert_one_message(self, stderr, *named, program="nqueens"):
        """stderr is one line "nqueens: ..." with all these words in it."""
        self.assertRegex(stderr, rf"\A{program}: [^\n]+\n\Z")
        for word in named:
            self.assertIn(word, stderr)

    def assert_fails(self, code, result, *named):
        """The exit code is this one, stderr is one line with these words, and stdout is empty."""
        self.assertEqual((result.returncode, result.stdout or ""), (code, ""), result.stderr)
        self.assert_one_message(result.stderr, *named)

    def assert_refused(self, arguments, *named, **how):
        self.assert_fails(USAGE, run(*arguments, **how), *named)
