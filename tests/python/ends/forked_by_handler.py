# SPDX-License-Identifier: MIT
"""A handler of signals forks in the thread that waits for a count. The child has no count to wait
for, so the call raises an exception there, which names the parent."""
import os
import signal

import forks


def act():
    """Sends signals until the handler has forked, then ends the parent's count."""
    if forks.child:
        forks.stop()
    os.kill(os.getpid(), signal.SIGUSR1)


signal.signal(signal.SIGUSR1, forks.fork)
try:
    forks.count(act)
except LookupError:
    assert forks.exit_code_of_child() == 0
except RuntimeError as error:
    assert forks.child == 0 and str(os.getppid()) in str(error)
