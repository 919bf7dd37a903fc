# SPDX-License-Identifier: MIT
"""Shared by the tests of the program: running it, in the background too, and assertions about answers and
refusals."""
import collections
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["NQUEENS"]
WRONG_PROGRAM = os.environ["NQUEENS_WRONG"]  # some of its known totals are wrong
SOURCE = os.environ["NQUEENS_SOURCE"]  # the top of the source tree
BUILD = os.environ["NQUEENS_BUILD"]

# https://oeis.org/A000170, from n = 0
TOTALS = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2680,
    14200,
    73712,
    365596,
    2279184,
    14772512,
    95815104,
    666090624,
    4968057848,
    39029188884,
    314666222712,
    2691008701644,
    24233937684440,
    227514171973736,
    2207893435808352,
    22317699616364044,
    234907967154122528,
]

DONE, WRONG, USAGE, SYSTEM = 0, 1, 2, 3  # exit codes

# Seconds until a test gives up waiting. All that it waits for takes a twentieth of it, or hours if
# the program is wrong: a slow or busy machine fails no test.
PATIENCE = 600

# Under nohup or in the background of a shell these are ignored. The programs that tests start would
# inherit that, and never hear the signals that a test sends.
for _signal in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, signal.SIG_DFL)

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


Result = collections.namedtuple("Result", "returncode stdout stderr")


def call(command, stdin="", env=None, **how):
    """Runs a command through pipes. stdin: the text to feed it, or an open file."""
    how.update({"input": stdin.encode()} if isinstance(stdin, str) else {"stdin": stdin})
    how.setdefault("stdout", subprocess.PIPE)
    how.setdefault("timeout", PATIENCE)
    done = subprocess.run(command, stderr=subprocess.PIPE, env=environment(env), **how)
    return Result(done.returncode, text_of(done.stdout), text_of(done.stderr))


def succeed(*command, **how):
    """Runs a command that must not fail. Returns its stdout."""
    result = call(command, **how)
    assert result.returncode == DONE, (command, result.stdout + result.stderr)
    return result.stdout


def build_options():
    """Meson's options of this build."""
    return {
        row["name"]: row["value"]
        for row in json.loads(succeed("meson", "introspect", "--buildoptions", BUILD))
    }


def run(*arguments, program=PROGRAM, **how):
    return call([program, *arguments], **how)


@functools.cache
def methods():
    """The names of the methods."""
    return re.split(
        ", | or ", run("0", "--method", "?").stderr.strip().split(": expected auto, ")[1]
    )


def need_libgomp(test):
    """clang's libomp prints warnings of its own, and aborts where libgomp goes on."""
    if " clang " in run("info").stdout:
        test.skipTest("libomp")


def documents(text):
    """The JSON documents of a text, one a line."""
    return [json.loads(line) for line in text.splitlines()]


def document(*arguments, **how):
    """The JSON document that the program prints."""
    return json.loads(run(*arguments, "--json", **how).stdout)


@functools.cache
def works():
    """By method the name of its work, which no other method's results have."""
    keys = {method: document("4", "--method", method).keys() for method in methods()}
    return {
        method: min(found - set.intersection(*map(set, keys.values())))
        for method, found in keys.items()
    }


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def content(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write(path, data, mode=0o644):
    """Makes a file of text or bytes."""
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    os.chmod(path, mode)


def through_shell(script, *arguments, **how):
    """Runs a line of shell, in which "$@" is the program and its arguments."""
    return call(["sh", "-c", script, "sh", PROGRAM, *arguments], **how)


def beside_turns(stderr):
    """stderr without the note that this machine has fewer PUs than a call has threads."""
    return re.sub(r"\Anqueens: \d+ threads on \d+ PUs?: they take turns, .*\n", "", stderr)


def printed(*sizes):
    """The output of the program for boards of these sizes."""
    return "".join(f"{TOTALS[n]}\n" for n in sizes)


def catches(process, *numbers):
    """Whether the process with this id has handlers for all these signals."""
    status = read(f"/proc/{process}/status")
    caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16)
    return all(caught >> (number - 1) & 1 for number in numbers)


class ProgramTest(unittest.TestCase):
    maxDiff = 2000

    def assert_answers(self, answer, *arguments, **how):
        """The program prints exactly this, nothing on stderr that every machine says, and exits
        with 0."""
        code, stdout, stderr = run(*arguments, **how)
        self.assertEqual((code, stdout, beside_turns(stderr)), (DONE, answer, ""), arguments)

    def assert_has(self, document, **members):
        """The JSON document has these members, among others."""
        self.assertEqual({name: document.get(name) for name in members}, members)

    def assert_one_message(self, stderr, *named, program="nqueens"):
        """stderr is one line "nqueens: ..." with all these words in it."""
        self.assertRegex(stderr, rf"\A{program}: [^\n]+\n\Z")
        for word in named:
            self.assertIn(word, stderr)

    def assert_fails(self, code, result, *named):
        """The exit code is this one, stderr is one line with these words, and stdout is empty."""
        self.assertEqual((result.returncode, result.stdout or ""), (code, ""), (result, named))
        self.assert_one_message(result.stderr, *named)

    def assert_refused(self, arguments, *named, **how):
        self.assert_fails(USAGE, run(*arguments, **how), *named)

    def assert_each_refused(self, *cases):
        """Each case: the arguments in one string, or as a list, and what the message names."""
        for arguments, *named in cases:
            self.assert_refused(
                arguments.split() if isinstance(arguments, str) else arguments, *named
            )

    def assert_refusals(self, name):
        """Asserts that each command line of a refused.txt is refused with the message below it.

        tests/README.md describes the file. A failure names its line.
        """
        commands = []
        lines = read(os.path.join(SOURCE, "tests", name)).splitlines()
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                continue
            if line.startswith("$ "):
                commands.append((number, line.removeprefix("$ ")))
                continue
            for command_number, command in commands:
                with self.subTest(f"{name}:{command_number}: {command}"):
                    self.assert_refuses_line(command, line)
            commands = []
        self.assertEqual(commands, [], f"{name} ends without a message")

    def assert_refuses_line(self, command, message):
        """Asserts that a command line of the shell prints only this message, in which each … is a
        word of the line, exits with 2, and leaves no file."""
        with tempfile.TemporaryDirectory() as folder:
            script = f'program=$1; nqueens() {{ "$program" "$@"; }}; {command}'
            result = through_shell(script, cwd=folder)
            self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
            self.assertEqual(os.listdir(folder), [], "it left files")
            pattern = re.escape(message).replace("…", "(.*)") + "\n"
            found = re.fullmatch(pattern, result.stderr)
            self.assertTrue(found, f"expected {message}\nsaid     {result.stderr}")
            for word in found.groups():
                self.assertIn(word, command)


class FolderTest(ProgramTest):
    """Each case has a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nq-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)


class ProcessTest(ProgramTest):
    def launch(self, *arguments, env=None, program=(PROGRAM,), **how):
        """Starts the program, or the given command, and returns at once."""
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        process = subprocess.Popen([*program, *arguments], env=environment(env), **how)
        self.addCleanup(process.__exit__, None, None, None)
        self.addCleanup(process.kill)
        return process

    def start(self, *arguments, **how):
        """Starts the program and waits until it is ready for a signal."""
        process = self.launch(*arguments, **how)
        self.ready(process.pid)
        return process

    def wait_until(self, condition, failure, process=None, pause=0.02):
        """Waits until the condition, a function, yields something true, and returns that. failure: the message if
        it never does. process: one that must not end before."""
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            if process is not None:
                self.assertIsNone(process.poll(), "ended before that")
            self.assertLess(time.monotonic(), deadline, failure)
            time.sleep(pause)
        return found

    def ready(self, process, pause=0.01):
        """Waits until the process with this id is ready for a signal. Returns the id."""
        self.wait_until(
            lambda: catches(process, signal.SIGINT, signal.SIGTERM),
            "catches no signals",
            pause=pause,
        )
        return process

    def wait_for_work(self, process, seconds):
        """Waits until a process has computed for so long, however busy the machine is."""

        def has_computed():
            user, system = read(f"/proc/{process.pid}/stat").rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") >= seconds

        self.wait_until(has_computed, "does not compute")

    def end(self, process):
        stdout, stderr = process.communicate(timeout=PATIENCE)
        return Result(process.returncode, text_of(stdout), text_of(stderr))

    def stopped(self, number, *arguments, work=0, **how):
        """The result of a run that gets this signal once it has computed for so many seconds."""
        process = self.start(*arguments, **how)
        self.wait_for_work(process, work)
        process.send_signal(number)
        return self.end(process)
