/* Kernels: count the completions of states of one family.
 *
 * Kernels differ in speed only. Each takes any states of any family, and all agree on
 * solutions and nodes. A kernel knows nothing of symmetry, threads or files.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "board/family.h"
#include "cpu/implementation.h"
#include "work/heartbeat.h"

struct tally {
    uint64_t solutions; /* completions, unweighted */
    uint64_t nodes; /* states with three or more rows left that look-ahead lets live; the states
                       that the search starts from are not among them */
};

/* Look-ahead: a state lives when each of the next two rows has a free square. With few rows
 * left it must do so for all of them, and each column not yet taken must have a free square in
 * one of them: that drops half of the states that the first test lets live, and few that have
 * completions. */
enum { LOOK_AHEAD = 2, FULL_LOOK_AHEAD = 5 };

struct kernel {
    struct implementation impl; /* first: a list of kernels is one of implementations */
    size_t scratch_bytes; /* of memory, aligned to 64, that count needs to itself; 0: none */
    /* Adds to `tally` the completions of states[0..count-1], which stand at row `row` of the
     * family, 0..rows. heartbeat: NULL to go on whatever happens. False: the heartbeat said no;
     * what was added means nothing then. */
    bool (*count)(const struct family *family, int row, const struct state *states,
                  size_t count, void *scratch, const struct heartbeat *heartbeat,
                  struct tally *tally);
};

extern const struct kernel nqi_kernel_scalar64;
#ifdef NQ_X86_KERNELS
extern const struct kernel nqi_kernel_avx2, nqi_kernel_avx512;
#endif

/* The kernels of this build, each one's `impl`: slowest first, NULL at the end. */
extern const struct implementation *const nqi_kernel_list[];

#endif
