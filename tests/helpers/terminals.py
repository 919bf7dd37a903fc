# SPDX-License-Identifier: MIT
"""The program on a pseudo-terminal, and the screen that it leaves."""
import collections
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import unittest

from program import PATIENCE, PROGRAM, environment


# A finished run: the exit code, stdout if it was a pipe, and all output on the terminal.
Session = collections.namedtuple("Session", "code stdout written")


def read_terminal(master):
    """The next text; empty if the other side of the terminal is closed or silent."""
    if not select.select([master], [], [], 60)[0]:
        return b""
    try:
        return os.read(master, 65536)
    except OSError:
        return b""


def run_on_terminal(*arguments, columns=80, env=None, stdout_is_pipe=False, signals=(), keys=""):
    """Runs the program on a terminal. signals: (text, signal), each sent when its text appears after the
    one before; keys: typed before it starts, not echoed."""
    try:
        master, slave = pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    if keys:
        modes = termios.tcgetattr(slave)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        os.write(master, keys.encode())
    process = subprocess.Popen(
        [PROGRAM, *arguments],
        env=environment(env),
        stdin=slave,
        stdout=subprocess.PIPE if stdout_is_pipe else slave,
        stderr=slave,
    )
    os.close(slave)
    written, seen, signals = b"", 0, list(signals)
    try:
        while data := read_terminal(master):
            written += data
            if signals and signals[0][0].encode() in written[seen:]:
                seen = len(written)
                process.send_signal(signals.pop(0)[1])
        stdout = process.stdout.read().decode() if stdout_is_pipe else None
        return Session(process.wait(timeout=PATIENCE), stdout, written.decode())
    finally:
        process.kill()
        process.wait()
        os.close(master)
        if stdout_is_pipe:
            process.stdout.close()


# What the program may write: text and newlines; and bars, each of which begins with a carriage return and
# erases the one before. Anything else is an error.
WRITTEN = re.compile(r"(?:[^\x00-\x1f\x7f]|\r\033\[K|\r?\n)*")


def shown(session):
    """The screen at the end."""
    assert WRITTEN.fullmatch(session.written), f"unexpected characters: {session.written!r}"
    lines = session.written.replace("\r\n", "\n").split("\n")
    return "\n".join(line.split("\r\033[K")[-1].rstrip() for line in lines).rstrip("\n")


def bars(session):
    """The lines that the program wrote over each other, in order, without repetitions."""
    lines = re.findall(r"\r\033\[K([^\r\n\033]+)", session.written)
    return [line for line, before in zip(lines, [None, *lines]) if line != before]
