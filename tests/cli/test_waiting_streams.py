# SPDX-License-Identifier: MIT
"""The program works with streams that are not ready, because nobody reads what it writes, or
because input is still to come. If a stream has O_NONBLOCK, a call then fails instead of waiting."""
import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import unittest

from program import PATIENCE, TOTALS, ProcessTest, catches, read, run

LONG = ("24", "-t", "1", "--method", "search")  # takes hours


def fill(pipe):
    """Fills a pipe until a write would wait. The flags of the descriptor stay as they were."""
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        while True:
            os.write(pipe, b" " * 4096)
    except BlockingIOError:
        pass
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags)


def is_full(pipe):
    """Returns whether a pipe holds as much as it can."""
    held = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]
    return held >= fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)


class NobodyReads(ProcessTest):
    """The count goes on, and ends by itself or at a signal."""

    def with_full_pipe(self, *arguments, **how):
        """Starts the program with a full pipe, which nobody reads, as its stderr."""
        unread, full = os.pipe()
        self.addCleanup(os.close, unread)
        fill(full)
        process = self.launch(*arguments, stderr=full, **how)
        os.close(full)
        return process

    def test_objects_of_progress(self):
        process = self.with_full_pipe("14", "-t", "1", "--method", "search", "--progress", "json")
        self.assertEqual(self.end(process)[:2], (0, f"{TOTALS[14]}\n"))

    def test_a_signal_ends_it(self):
        process = self.with_full_pipe(*LONG, "--progress", "json")
        self.ready(process.pid)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.end(process)[:2], (128 + signal.SIGTERM, ""))

    def test_warnings(self):
        """Threads that count write warnings, too. Here the warning is that two threads take turns
        on one PU."""
        one = {min(os.sched_getaffinity(0))}
        process = self.with_full_pipe(
            "14", "-t", "2", preexec_fn=lambda: os.sched_setaffinity(0, one)
        )
        self.assertEqual(self.end(process)[:2], (0, f"{TOTALS[14]}\n"))

    def test_a_signal_ends_the_wait_for_a_message(self):
        """The program waits to write how long it took. When the signal comes, the program may have
        counted, or have hardly begun, so there are two exit codes."""
        process = self.with_full_pipe("8", "-t", "1", "--time")
        self.ready(process.pid)
        self.wait_until(
            lambda: "\nState:\tS" in read(f"/proc/{process.pid}/status"), "does not wait", process
        )
        process.send_signal(signal.SIGTERM)
        self.assertIn(self.end(process).returncode, (0, 128 + signal.SIGTERM))

    def test_there_is_room_for_the_last_messages(self):
        """Progress fills only half of the pipe, because a parent may begin to read only after the
        program has ended."""
        unread, writer = os.pipe()
        self.addCleanup(os.close, unread)
        half = fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ) // 2
        os.write(writer, b" " * (half + 1))
        process = self.launch(*LONG, "--progress", "always", "--for", "1", stderr=writer)
        os.close(writer)
        self.assertEqual(self.end(process)[:2], (128 + signal.SIGALRM, ""))
        text = os.read(unread, 2 * half).decode()
        self.assertRegex(text, r"\A +nqueens: n = 24: time is up [^\n]*\n\Z")

    def test_a_stopped_terminal(self):
        """After Ctrl-S the bar is dropped, and the count goes on."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        termios.tcflow(slave, termios.TCOOFF)
        process = self.launch(
            "15", "-t", "1", "--method", "search", "--progress", "always", stderr=slave
        )
        self.assertEqual(process.wait(PATIENCE), 0)


class WithoutWaiting(ProcessTest):
    """The parent has set O_NONBLOCK, as Node.js does."""

    def test_stdout(self):
        """A reader that begins once the pipe is full gets all output."""
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETFL, os.O_NONBLOCK)
        process = self.launch("list", "11", "--json", stdout=writer)
        os.close(writer)
        self.wait_until(lambda: is_full(reader), "does not fill it")
        with open(reader, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.end(process), (0, None, ""))
        self.assertEqual(text, run("list", "11", "--json").stdout)

    def test_stdin(self):
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_NONBLOCK)
        process = self.start("-", stdin=reader)
        os.close(reader)
        os.write(writer, b"8\n")
        self.assertEqual(process.stdout.readline(), b"92\n")
        os.close(writer)
        self.assertEqual(self.end(process), (0, "", ""))


class Blocked(ProcessTest):
    """The parent has blocked the signals, as a thread of a server may. They take effect all the
    same."""

    def launch_blocked(self, *arguments, **how):
        blocked = {signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1}
        return self.launch(
            *arguments, **how, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
        )

    def test_time_is_up(self):
        self.assertEqual(
            self.end(self.launch_blocked(*LONG, "--for", "1"))[:2], (128 + signal.SIGALRM, "")
        )

    def test_terminated(self):
        for arguments in (LONG, ("list", "28", "--limit", "1000000000")):
            process = self.launch_blocked(*arguments, stdout=subprocess.DEVNULL)
            process.send_signal(signal.SIGTERM)
            self.assertIn(self.end(process).returncode, (-signal.SIGTERM, 128 + signal.SIGTERM))


class Question(ProcessTest):
    def test_ends_no_command(self):
        """SIGUSR1 asks a count for progress. It does nothing to a command without progress."""
        process = self.launch("draw", "-", stdin=subprocess.PIPE)
        self.wait_until(lambda: catches(process.pid, signal.SIGUSR1), "does not catch it")
        process.send_signal(signal.SIGUSR1)
        stdout, stderr = process.communicate(b"2 4 1 3\n", timeout=PATIENCE)
        self.assertEqual((process.returncode, stderr), (0, b""))
        self.assertIn(b"Q", stdout)
