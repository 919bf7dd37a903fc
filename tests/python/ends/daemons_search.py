# SPDX-License-Identifier: MIT
"""The program ends while one daemon thread searches for a solution, and another one for classes."""
import threading

import nqueens

# Only the same two neighbouring squares are allowed in each of the last two rows. Queens there
# attack each other, so the search for a solution goes on for longer than anyone waits.
BOARD = 26 * (28 * "." + "\n") + 2 * (13 * "*" + ".." + 13 * "*" + "\n")


def search_solution(begun):
    next(nqueens.solutions(28, board=BOARD, progress=lambda share, left: begun.set()))


def search_classes(begun):
    nqueens.count_classes(28, 0, progress=lambda share, left: begun.set())


for search in (search_solution, search_classes):
    begun = threading.Event()
    threading.Thread(target=search, args=(begun,), daemon=True).start()
    begun.wait()
