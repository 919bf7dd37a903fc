# SPDX-License-Identifier: MIT
"""Shared by the tests of the program. Runs the program, in the background or not, and asserts
what it answers or how it refuses."""
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
WRONG_PROGRAM = os.environ["NQUEENS_WRONG"]  # has wrong known totals: see wrong_known.c
SOURCE = os.environ["NQUEENS_SOURCE"]  # the top of the source tree
BUILD = os.environ["NQUEENS_BUILD"]

# The totals of https://oeis.org/A000170, beginning with n = 0.
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

# Exit codes.
DONE, WRONG, USAGE, SYSTEM = 0, 1, 2, 3

# Seconds until a test gives up waiting. What it waits for takes at most a twentieth of this time if
# the program is right, so no test fails because the machine is slow or busy. If the program is
# wrong, what a test waits for may never come.
PATIENCE = 600

# Under nohup, SIGHUP is ignored; in the background of a shell, SIGINT is. The programs that tests
# start would inherit that, and never hear the signals that a test sends.
for _signal in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, signal.SIG_DFL)

# Prefixes of the environment variables that change what the program does.
SETTINGS = ("OMP_", "GOMP_", "HWLOC_", "NQUEENS", "POSIXLY_CORRECT", "NO_COLOR", "CDPATH")


def environment(settings=None):
    """Returns the environment for a program. Variables of the test that change what the program
    does are left out, and the variables of `settings` are added. A value None removes a
    variable."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    # Threads that wait for others sleep, because many tests share the cores.
    changed = {**clean, "TERM": "xterm", "OMP_WAIT_POLICY": "passive", **(settings or {})}
    return {name: value for name, value in changed.items() if value is not None}


def text_of(output):
    """Returns output as text that keeps every byte: line ends are not converted, and bytes that are
    not UTF-8 become surrogates."""
    return None if output is None else output.decode("utf-8", "surrogateescape")


Result = collections.namedtuple("Result", "returncode stdout stderr")


def call(command, stdin="", env=None, **how):
    """Runs a command and returns its exit code and output. stdin: the text that it reads, or an
    open file."""
    how.update({"input": stdin.encode()} if isinstance(stdin, str) else {"stdin": stdin})
    how.setdefault("stdout", subprocess.PIPE)
    how.setdefault("timeout", PATIENCE)
    done = subprocess.run(command, stderr=subprocess.PIPE, env=environment(env), **how)
    return Result(done.returncode, text_of(done.stdout), text_of(done.stderr))


def succeed(*command, **how):
    """Runs a command that must exit with 0. Returns its stdout."""
    result = call(command, **how)
    assert result.returncode == DONE, (command, result.stdout + result.stderr)
    return result.stdout


def build_options():
    """Returns the values of Meson's options in this build, by name."""
    options = json.loads(succeed("meson", "introspect", "--buildoptions", BUILD))
    return {option["name"]: option["value"] for option in options}


def run(*arguments, program=PROGRAM, **how):
    return call([program, *arguments], **how)


@functools.cache
def methods():
    """Returns the names of the methods, as the program lists them if it does not know a name."""
    return re.split(
        ", | or ", run("0", "--method", "?").stderr.strip().split(": expected auto, ")[1]
    )


def need_libgomp(test):
    """Skips the test if the program uses clang's libomp, which prints warnings of its own, and
    aborts in cases in which libgomp goes on."""
    if " clang " in run("info").stdout:
        test.skipTest("libomp")


def documents(text):
    """Parses JSON documents, each of which is one line."""
    return [json.loads(line) for line in text.splitlines()]


def document(*arguments, **how):
    """Runs the program with --json. Returns the document that it prints."""
    return json.loads(run(*arguments, "--json", **how).stdout)


@functools.cache
def works():
    """Returns, for each method, the key of its work in JSON, such as "nodes". Only counts by this
    method have that key."""
    keys = {method: set(document("4", "--method", method)) for method in methods()}
    shared = set.intersection(*keys.values())
    names = {}
    for method in keys:
        (names[method],) = keys[method] - shared
    return names


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def content(path):
    """Returns the bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write(path, data, mode=0o644):
    """Makes a file with this text or these bytes."""
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    os.chmod(path, mode)


def through_shell(script, *arguments, **how):
    """Runs a shell script, in which "$@" is the program with these arguments."""
    return call(["sh", "-c", script, "sh", PROGRAM, *arguments], **how)


def without_threads_note(stderr):
    """Returns stderr without the note that the call has more threads than this machine has PUs."""
    return re.sub(r"\Anqueens: \d+ threads share \d+ PUs?, so .*\n", "", stderr)


def printed(*sizes):
    """Returns what the program prints for boards of these sizes: a total on each line."""
    return "".join(f"{TOTALS[n]}\n" for n in sizes)


def catches(process, *numbers):
    """Returns whether the process with this id has handlers for all these signals."""
    status = read(f"/proc/{process}/status")
    caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16)
    # Bit 0 is for signal 1.
    return all(caught >> (number - 1) & 1 for number in numbers)


class ProgramTest(unittest.TestCase):
    maxDiff = 2000

    def assert_answers(self, answer, *arguments, **how):
        """Runs the program. Asserts that it prints exactly this on stdout and nothing on stderr,
        except for notes about this machine, and exits with 0."""
        code, stdout, stderr = run(*arguments, **how)
        self.assertEqual(
            (code, stdout, without_threads_note(stderr)), (DONE, answer, ""), arguments
        )

    def assert_has(self, document, **members):
        """Asserts that the JSON document has these members. It may have others."""
        self.assertEqual({name: document.get(name) for name in members}, members)

    def assert_one_message(self, stderr, *named, program="nqueens"):
        """Asserts that stderr is one line that begins with the program's name and a colon, and
        contains all these texts."""
        self.assertRegex(stderr, rf"\A{program}: [^\n]+\n\Z")
        for word in named:
            self.assertIn(word, stderr)

    def assert_fails(self, code, result, *named):
        """Asserts that the exit code is this one, that stdout is empty, and that stderr is one line
        that contains these texts."""
        self.assertEqual((result.returncode, result.stdout or ""), (code, ""), (result, named))
        self.assert_one_message(result.stderr, *named)

    def assert_refused(self, arguments, *named, **how):
        """Runs the program. Asserts that it exits with 2, and that its one message contains these
        texts."""
        self.assert_fails(USAGE, run(*arguments, **how), *named)

    def assert_each_refused(self, *cases):
        """Does what assert_refused() does for each case: a list of arguments, or a string of them,
        followed by the texts that the message contains."""
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
        """Asserts that a command line of the shell prints only this message, exits with 2, and
        leaves no file. Each … in the message stands for any part of the command line."""
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
    """Gives each case a folder of its own, which is deleted afterwards."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nq-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        """Returns the path of a file in the folder."""
        return os.path.join(self.folder, name)


class ProcessTest(ProgramTest):
    def launch(self, *arguments, env=None, program=(PROGRAM,), **how):
        """Starts the program, or another command, and returns at once. The process is killed when
        the case ends."""
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        process = subprocess.Popen([*program, *arguments], env=environment(env), **how)
        self.addCleanup(process.__exit__, None, None, None)
        self.addCleanup(process.kill)
        return process

    def start(self, *arguments, **how):
        """Starts the program, and returns when it is ready for a signal."""
        process = self.launch(*arguments, **how)
        self.ready(process.pid)
        return process

    def wait_until(self, condition, failure, process=None, pause=0.02):
        """Calls the condition until it returns something true, and returns this value.

        failure: the message if the condition never becomes true. process: a process that must not
        end before the condition is true.
        """
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            if process is not None:
                self.assertIsNone(process.poll(), "ended before that")
            self.assertLess(time.monotonic(), deadline, failure)
            time.sleep(pause)
        return found

    def ready(self, process, pause=0.01):
        """Waits until the process with this id handles SIGINT and SIGTERM. Returns the id."""
        self.wait_until(
            lambda: catches(process, signal.SIGINT, signal.SIGTERM),
            "catches no signals",
            pause=pause,
        )
        return process

    def wait_for_work(self, process, seconds):
        """Waits until a process has used this number of seconds of CPU time."""

        def has_computed():
            user, system = read(f"/proc/{process.pid}/stat").rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") >= seconds

        self.wait_until(has_computed, "does not compute")

    def end(self, process):
        """Waits until a process ends. Returns its exit code and output."""
        stdout, stderr = process.communicate(timeout=PATIENCE)
        return Result(process.returncode, text_of(stdout), text_of(stderr))

    def stopped(self, number, *arguments, work=0, **how):
        """Starts the program, and sends it this signal once it has used `work` seconds of CPU time.
        Returns its exit code and output."""
        process = self.start(*arguments, **how)
        self.wait_for_work(process, work)
        process.send_signal(number)
        return self.end(process)
