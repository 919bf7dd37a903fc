#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Interrupts counts, and fails unless each of them ends at once and the next one is right.

usage: interrupted.py alarms N RUNS   one or two alarms at random moments of a loop of count(N)
       interrupted.py lines N RUNS    at random lines of Python in the first count(N) of a process
"""
import os
import random
import signal
import sys
import time
import traceback

import nqueens

KNOWN = nqueens.known(8)

def check():
    """The interrupted count's threads are gone, and the package still counts."""
    patience = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > 1:
        assert time.monotonic() < patience, "the count goes on"
        time.sleep(0.001)
    assert nqueens.count(8) == KNOWN

def alarms(n, runs):
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
        except KeyboardInterrupt:  # the second alarm, after the count
            pass
        check()


def lines(n, runs):
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
