# SPDX-License-Identifier: MIT
"""Prints counts by a pool of processes. The process that makes the pool has counted before.

The argument says how the pool starts its processes: fork or spawn.
"""
import multiprocessing
import sys

import nqueens

if __name__ == "__main__":
    nqueens.count(8)
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(nqueens.count, [8, 12, 12]))
