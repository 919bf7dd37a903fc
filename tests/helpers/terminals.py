# SPDX-License-Identifier: MIT
"""Runs the program on a pseudo-terminal, and returns the screen that it leaves."""
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


# How a program has ended: its exit code, its stdout if that was a pipe (else None), and all that it
# wrote to the terminal.
Session = collections.namedtuple("Session", "code stdout written")


def read_terminal(master):
    """Returns the next bytes that the program writes. They are empty if the program has closed the
    terminal, or writes nothing for a minute."""
    if not select.select([master], [], [], 60)[0]:
        return b""
    try:
        return os.read(master, 65536)
    except OSError:
        return b""


def run_on_terminal(*arguments, columns=80, env=None, stdout_is_pipe=False, signals=(), keys=""):
    """Runs the program on a terminal with this number of columns. Returns a Session.

    signals: pairs of a text and a signal. Each signal is sent when its text appears, after the text
    of the signal before it. keys: what is typed before the program starts. It is not echoed.
    """
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


# The program may write text, line ends, and the sequence with which a bar erases the bar before it:
# a carriage return and "erase to the end of the line". Any other control character is an error.
WRITTEN = re.compile(r"(?:[^\x00-\x1f\x7f]|\r\033\[K|\r?\n)*")


def shown(session):
    """Returns the text that is on the screen at the end."""
    assert WRITTEN.fullmatch(session.written), f"unexpected characters: {session.written!r}"
    lines = session.written.replace("\r\n", "\n").split("\n")
    return "\n".join(line.split("\r\033[K")[-1].rstrip() for line in lines).rstrip("\n")


def bars(session):
    """Returns the bars that the program wrote, in their order. A bar that is equal to the bar
    before it is left out."""
    lines = re.findall(r"\r\033\[K([^\r\n\033]+)", session.written)
    return [line for line, before in zip(lines, [None, *lines]) if line != before]
