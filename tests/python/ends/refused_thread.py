# SPDX-License-Identifier: MIT
"""If the system refuses threads, a count raises an exception. A later count by fewer threads is
still right.

The first argument is a value for OMP_NUM_THREADS, and the second one is how many threads to ask
for. If the second argument is missing, the variable decides.
"""
import os
import resource
import sys

variable, *asked = sys.argv[1:]
os.environ["OMP_NUM_THREADS"] = variable  # read when libgomp is loaded, with nqueens
import nqueens

# One GiB of addresses has no room for the stacks of 2000 threads.
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    nqueens.count(12, threads=int(asked[0]) if asked else None)
except RuntimeError as error:
    assert "2000 threads" in str(error)
else:
    raise AssertionError("2000 threads were started")
assert nqueens.count(12, threads=1) == 14200
