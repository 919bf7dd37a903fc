# SPDX-License-Identifier: MIT
"""A child that is forked while another thread counts can count, too."""
import os
import signal
import sys
import threading

import nqueens

begun = threading.Event()
# The thread counts by method search, which allocates nothing. If the thread held a lock of
# AddressSanitizer at the fork, the child would have the lock, too, and nobody would release it.
threading.Thread(
    target=nqueens.count,
    args=(18,),
    kwargs={"method": "search", "threads": 2, "progress": lambda share, left: begun.set()},
    daemon=True,
).start()
begun.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)  # ends the child if it waits for something that it has not inherited
    assert nqueens.count(8) == 92
    sys.exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
