# SPDX-License-Identifier: MIT
"""A function for progress forks. The child cannot go back into the count, and ends with exit code 1
and a message, which is hidden here."""
import os

import forks


def act():
    if forks.fork():
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    else:
        forks.stop()


try:
    forks.count(act)
except LookupError:
    assert forks.exit_code_of_child() == 1
