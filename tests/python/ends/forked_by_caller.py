# SPDX-License-Identifier: MIT
"""A child that is forked while another thread counts can count, too."""
import sys
import threading

import forks
import nqueens

begun = threading.Event()
threading.Thread(target=forks.count, args=(begun.set,), daemon=True).start()
begun.wait()
if forks.fork():
    assert nqueens.count(8) == 92
    sys.exit(0)
assert forks.exit_code_of_child() == 0
