# SPDX-License-Identifier: MIT
"""Ctrl-C at any moment of a count: each count ends at once, and the next one is right."""
import contextlib
import os
import random
import signal
import threading
import time
import unittest

import nqueens
import pytest


@unittest.skipIf("/libomp" in open("/proc/self/maps", encoding="utf-8").read(), "libomp keeps its threads")
class Interruptions(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def nothing_is_said(self, capfd):
        yield
        self.assertEqual(capfd.readouterr().err, "")

    def test_of_short_counts_and_of_a_long_one(self):
        for n, runs in ((8, 30), (17, 10)):
            alarms(n, runs)

    def test_of_a_caller_that_does_not_wait_yet(self):
        """Python tells it of no signal then, as of none that another thread gets."""
        def interrupt(*_):
            next(calls)
            signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

        calls = iter(range(50))
        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, signal.default_int_handler))
        with self.assertRaises(KeyboardInterrupt):
            nqueens.count(24, progress=interrupt)
        self.assertTrue(list(calls), "the count has ended itself")


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
