# SPDX-License-Identifier: MIT
"""The program ends while a daemon thread counts. nqueens stops the count first."""
import atexit
import threading
import time

# Functions that atexit calls run in reverse order, so this one follows the one that nqueens
# registers. It gives a count that has not ended the time to do harm.
atexit.register(time.sleep, 0.2)
import nqueens

begun = threading.Event()


def count():
    nqueens.count(24, progress=lambda done, left: begun.set())


threading.Thread(target=count, daemon=True).start()
begun.wait()
