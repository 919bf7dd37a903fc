# SPDX-License-Identifier: MIT
"""The library is closed after a count, and its threads do not run code that is gone."""
import _ctypes
import ctypes
import time

library = ctypes.CDLL("libnqueens.so.1")
result = (ctypes.c_uint64 * 64)(
    512
)  # room for an nq_result, whose first member is the size in bytes
assert library.nq_count_solutions(12, None, result) == 0
_ctypes.dlclose(library._handle)
time.sleep(0.1)
