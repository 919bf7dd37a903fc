# SPDX-License-Identifier: MIT
"""The program ends while a daemon thread counts. nqueens stops the count first, because a callback
from a counting thread would crash once the interpreter has ended."""
import ctypes
import threading

import nqueens

# The C library calls sleep(1) when the process exits, after the interpreter has ended. A count that
# goes on reports several times in that second.
libc = ctypes.CDLL(None)
libc.__cxa_atexit(libc.sleep, 1, None)
begun = threading.Event()


def count():
    nqueens.count(24, progress=lambda done, left: begun.set())


threading.Thread(target=count, daemon=True).start()
begun.wait()
