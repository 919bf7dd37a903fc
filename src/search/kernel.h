/* SPDX-License-Identifier: MIT */
/* Kernels: count the completions of states of one family, one kernel for each instruction set.
 *
 * Kernels differ in speed only: each accepts any states of any family, and all agree on
 * solutions and nodes. A kernel knows nothing of symmetry, threads or files.
 */
#ifndef SEARCH_KERNEL_H
#define SEARCH_KERNEL_H

#include "core/isa.h"
#include "core/method.h"
#include "search/state.h"

/* Additions to a tally are not checked for overflow: docs/algorithm.md shows why the sums of
 * one unit stay below 2^64 ("Every unit counts once, and no sum wraps around"). */
struct tally {
    uint64_t solutions; /* completions, unweighted */
    uint64_t nodes; /* states with three or more rows to fill that look-ahead lets live, without
                       the states that the search starts from */
};

/* Look-ahead (forward checking): a state lives when each of the next LOOK_AHEAD rows has a free
 * square. With FULL_LOOK_AHEAD or fewer rows to fill, look-ahead is full: every one of them
 * must have a free square, and every column not yet taken must have one in one of these rows. A
 * state that fails has no completions. At n = 16 full look-ahead drops half of the states with
 * three rows to fill that pass the first test (docs/tried.md, which has the numbers of
 * rows tried). */
enum { LOOK_AHEAD = 2, FULL_LOOK_AHEAD = 5 };

struct kernel {
    struct implementation impl; /* first: a list of kernels is a list of implementations */
    size_t scratch_bytes;       /* of `count`; 0: none */
    /* Adds to `tally` the completions of states[0..count-1], which stand at row `row` of the
     * family, 0..rows. scratch: memory for this call alone, aligned to 64. heartbeat: NULL,
     * never stop. False: the heartbeat said stop, and the tally is meaningless. */
    bool (*count)(const struct family *family, int row, const struct state *states,
                  size_t count, void *scratch, const struct heartbeat *heartbeat,
                  struct tally *tally);
};

/* Returns the completions of states that stand at row `row` with fewer than three rows to fill.
 */
uint64_t nqi_kernel_last_rows(const struct family *family, int row, const struct state *states,
                              size_t count);

#define IN_SEARCH_0(...)
#define IN_SEARCH_1(...) __VA_ARGS__
#define KERNEL_DECLARE(name, in_search)                                                        \
    IN_SEARCH_##in_search(extern const struct kernel nqi_kernel_##name;)
KERNELS_HERE(KERNEL_DECLARE)

/* The `impl` of each kernel of this build: slowest first, NULL at the end. */
extern const struct implementation *const nqi_kernel_list[];

#endif
