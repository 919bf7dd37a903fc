# SPDX-License-Identifier: MIT
"""Ctrl-C may come at any moment of a count or a search. Each ends at once, and the next count is
right."""
import contextlib
import os
import random
import signal
import threading
import time
import unittest

import nqueens
import pytest

# Only the same two neighbouring squares are allowed in each of the last two rows. Queens there
# attack each other, so the search for a solution goes on for longer than anyone waits.
HOPELESS = 26 * (28 * "." + "\n") + 2 * (13 * "*" + ".." + 13 * "*" + "\n")


@unittest.skipIf(
    "/libomp" in open("/proc/self/maps", encoding="utf-8").read(), "libomp keeps its threads"
)
class Interruptions(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def nothing_is_said(self, capfd):
        """Asserts after each case that nothing was written to stderr."""
        yield
        self.assertEqual(capfd.readouterr().err, "")

    def test_of_short_counts_and_of_a_long_one(self):
        for n, runs in ((8, 30), (17, 10)):
            alarms(lambda n=n: nqueens.count(n), runs)

    def test_of_a_search_for_classes(self):
        alarms(lambda: nqueens.count_classes(28, 0), 10)

    def test_of_a_search_for_the_next_solution(self):
        alarms(lambda: next(nqueens.solutions(28, board=HOPELESS)), 10)

    def test_while_another_thread_searches(self):
        """Ctrl-C while the main thread waits does not end a search by another thread. An exception
        in the search's progress function does."""
        searches, goes_on, may_end = threading.Event(), threading.Event(), threading.Event()
        shares, ended = [], []

        def progress(share, left):
            shares.append((share, left))
            if searches.is_set():
                goes_on.set()
            else:
                searches.set()
            if may_end.is_set():
                raise LookupError("enough")

        def search():
            try:
                next(nqueens.solutions(28, board=HOPELESS, progress=progress))
            except LookupError as error:
                ended.append(str(error))

        thread = threading.Thread(target=search)
        thread.start()
        searches.wait()
        with self.assertRaises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
            thread.join()
        goes_on.clear()
        goes_on.wait()
        may_end.set()
        thread.join()
        self.assertEqual(ended, ["enough"])
        for share, left in shares:
            self.assertTrue(0 <= share < 0.01, share)
            self.assertIsNone(left)

    def test_of_a_caller_that_does_not_wait_yet(self):
        """Python does not wake the main thread if the signal comes before that thread waits, or if
        another thread gets the signal, as here. The count is interrupted all the same."""

        def interrupt(*_):
            next(calls)
            signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

        calls = iter(range(50))
        self.addCleanup(
            signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, signal.default_int_handler)
        )
        with self.assertRaises(KeyboardInterrupt):
            nqueens.count(24, progress=interrupt)
        self.assertTrue(list(calls), "no interruption was heard until the 50 calls were used up")


def check():
    """Asserts that the threads of the interrupted count are gone, and that the package counts."""
    patience = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > 1:
        assert time.monotonic() < patience, "the count goes on"
        time.sleep(0.001)
    assert nqueens.count(8) == nqueens.known(8)


def alarms(call, runs):
    """Repeats a call until one or two alarms, at random moments, have interrupted it. Then calls
    check(). Does all of this `runs` times."""
    to_come = 0  # the alarms that have not come yet

    def interrupt(*_):
        nonlocal to_come
        to_come -= 1
        if to_come:
            signal.setitimer(signal.ITIMER_REAL, random.choice((1e-6, 1e-5, 1e-4, 1e-3, 1e-2)))
        raise KeyboardInterrupt

    def repeat():
        try:
            while True:
                call()
        except KeyboardInterrupt:
            pass
        while to_come:
            time.sleep(0.001)

    signal.signal(signal.SIGALRM, interrupt)
    for _ in range(runs):
        to_come = random.choice((1, 2))
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 0.03))
            repeat()
        except KeyboardInterrupt:
            # The first alarm came before repeat(), or the second one after a call had ended.
            with contextlib.suppress(KeyboardInterrupt):
                while to_come:
                    time.sleep(0.001)
        check()
