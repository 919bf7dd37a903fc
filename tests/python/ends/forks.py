# SPDX-License-Identifier: MIT
"""Shared by the programs that fork while nqueens counts."""
import os
import signal

import nqueens

child = None  # None before the fork; then the child's id, which is 0 in the child itself


def fork(*_):
    """Forks at the first call. Returns whether this process is the child. An alarm ends the child
    if it waits for something that it has not inherited."""
    global child
    if child is None:
        child = os.fork()
    if child == 0:
        signal.alarm(20)
    return child == 0


def exit_code_of_child():
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def count(act):
    """Counts for long, and calls `act` at each report once the count has begun. It never returns:
    `act` must raise an exception or end the process."""

    def progress(done, left):
        if done > 0:
            act()

    # Method search allocates nothing while it counts. Otherwise a child could wait for the locks of
    # AddressSanitizer, which it does not release after a fork.
    nqueens.count(18, method="search", threads=2, progress=progress)
    raise AssertionError("the count has ended")


def stop():
    raise LookupError
