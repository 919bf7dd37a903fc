#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes how fast many threads would count a board, from the time that each of its units took.

    nqueens 18 -t 1 --kernel avx512 --ledger FILE --json     for example; names its plan_seconds
    bench/speedup.py --order BUILD/bench/order --before PLAN_SECONDS FILE...

Of several ledgers of one board, a unit's least time counts: other programs only make it longer. Units
go to the next idle thread in the order of the program, so only planning (--before, on one thread) and
the wait for the last unit cost anything. Memory bandwidth and clock rates are left out.
"""
import argparse
import heapq
import sqlite3
import subprocess


def read_units(paths):
    """Returns the board (n, method, plan) and each unit's least seconds."""
    boards, least = set(), {}
    for path in paths:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as ledger:
            board = ledger.execute("SELECT n, method, plan, units FROM job").fetchone()
            boards.add(board)
            for unit, nanoseconds in ledger.execute("SELECT id, nanoseconds FROM unit"):
                least[unit] = min(nanoseconds / 1e9, least.get(unit, float("inf")))
    if len(boards) != 1:
        raise SystemExit("speedup: the ledgers are of different boards, methods or plans")
    n, method, plan, units = boards.pop()
    if len(least) != units:
        raise SystemExit(f"speedup: {units - len(least)} of {units} units are not recorded")
    return (n, method, plan), least


def last_end(seconds, threads):
    """Returns when the last unit ends, if each goes to the thread that is idle first."""
    idle = [0.0] * threads
    for of_unit in seconds:
        heapq.heapreplace(idle, idle[0] + of_unit)
    return max(idle)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--order", required=True, help="the program that prints the order of units")
    parser.add_argument("--before", type=float, default=0.0, help="seconds before the first unit")
    parser.add_argument("ledger", nargs="+")
    arguments = parser.parse_args()
    board, least = read_units(arguments.ledger)
    order = subprocess.run([arguments.order, *map(str, board)], check=True, text=True,
                           capture_output=True).stdout.split()
    seconds = [least[int(unit)] for unit in order]
    one = arguments.before + sum(seconds)
    print(f"n = {board[0]}: {len(seconds)} units, the longest {max(seconds) * 1e3:.3f} ms;"
          f" {arguments.before * 1e3:.1f} ms before the first")
    print("threads    seconds   speed-up  efficiency")
    for threads in [2**i for i in range(10)]:
        wall = arguments.before + last_end(seconds, threads)
        print(f"{threads:7}  {wall:9.4f}  {one / wall:9.2f}  {one / wall / threads:10.3f}")


if __name__ == "__main__":
    main()
