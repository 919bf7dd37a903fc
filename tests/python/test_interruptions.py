# SPDX-License-Identifier: MIT
"""Ctrl-C at any moment of a count: each count ends at once, and the next one is right. The counts run in
processes of their own, which call this file."""
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
import traceback
import unittest

import nqueens

MORE = 20 if os.environ.get("NQUEENS_MANY") else 1


@unittest.skipIf("/libomp" in open("/proc/self/maps", encoding="utf-8").read(), "libomp keeps its threads")
class Interruptions(unittest.TestCase):
    def assert_ends(self, how, n, runs):
        result = subprocess.run([sys.executable, __file__, how, str(n), str(runs * MORE)], stderr=subprocess.PIPE,
                                text=True, check=False, timeout=1200)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_at_random_lines(self):
        self.assert_ends("lines", 8, 100)

    def test_of_short_counts(self):
        self.assert_ends("alarms", 8, 30)

    def test_of_a_long_count(self):
        self.assert_ends("alarms", 17, 10)


def check():
    """The interrupted count's threads are gone, and the package still counts."""
    patience = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > 1:
        assert time.monotonic() < patience, "the count goes on"
        time.sleep(0.001)
    assert nqueens.count(8) == nqueens.known(8)


def alarms(n, runs):
    """One or two alarms at random moments of a loop of count(n)."""
    to_come = 0

    def interrupt(*_):
        nonlocal to_come
        to_come -= 1
        if to_come:
            signal.setitimer(signal.ITIMER_REAL, random.choice((1e-6, 1e-5, 1e-4, 1e-3, 1e-2)))
        raise KeyboardInterrupt

    def count():
        try:
            while True:
                nqueens.count(n)
        except KeyboardInterrupt:
            pass
        while to_come:
            time.sleep(0.001)

    signal.signal(signal.SIGALRM, interrupt)
    for _ in range(runs):
        to_come = random.choice((1, 2))
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 0.03))
            count()
        except KeyboardInterrupt:  # the second alarm, after the count, or the first one, before
            with contextlib.suppress(KeyboardInterrupt):
                while to_come:
                    time.sleep(0.001)
        check()


def lines(n, runs):
    """At random lines of Python in the first count(n) of a process."""
    seen, last = 0, None

    def trace(_frame, event, _argument):
        nonlocal seen
        seen += event == "line"
        if seen == last:
            raise KeyboardInterrupt
        return trace

    def traced():
        sys.settrace(trace)
        try:
            nqueens.count(n)
        except KeyboardInterrupt:
            pass
        sys.settrace(None)

    def in_a_child(work):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            try:
                work()
            except BaseException:  # pylint: disable=broad-except
                traceback.print_exc()
            os._exit(1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def all_lines():
        traced()
        with open(written, "wb") as pipe:
            pipe.write(b"%d" % seen)
        os._exit(0)

    def interrupted():
        traced()
        check()
        os._exit(0)

    read, written = os.pipe()
    assert in_a_child(all_lines) == 0
    os.close(written)
    with open(read, "rb") as pipe:
        number = int(pipe.read())
    for last in random.sample(range(1, number + 1), min(runs, number)):
        ended = in_a_child(interrupted)
        assert ended == 0, f"interrupted at line {last} of {number}: {ended}"


if __name__ == "__main__":
    {"alarms": alarms, "lines": lines}[sys.argv[1]](*map(int, sys.argv[2:]))
