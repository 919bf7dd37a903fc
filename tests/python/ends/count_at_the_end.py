# SPDX-License-Identifier: MIT
"""A count that begins when the interpreter ends raises an exception, because no thread can be
started then."""
import os
import signal
import sys

import nqueens


class Last:
    def __del__(self):
        try:
            nqueens.count(8)
        except RuntimeError:
            os._exit(0)


last = Last()  # deleted by the interpreter at its end
signal.alarm(20)  # ends the program if the count waits for ever
sys.exit(1)
