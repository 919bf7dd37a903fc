# SPDX-License-Identifier: MIT
"""A child that is forked while another thread counts can count, too."""
import os
import signal
import sys
import threading

import nqueens

begun = threading.Event()
# Method search allocates nothing while it counts. Otherwise the child could wait for the locks of
# AddressSanitizer, which it does not release after a fork.
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
