/* Kernels: count the completions of states of one family.
 *
 * Kernels differ in speed only. Each takes any states of any family, and all agree on
 * solutions and nodes. A kernel knows nothing of symmetry, threads or files.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "board/family.h"
#include "kernel/pulse.h"

#include <stdbool.h>
#include <stddef.h>

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
    const char *name;
    bool (*runs_here)(void); /* on this CPU and operating system */
    size_t scratch_bytes;    /* of memory, aligned to 64, that count needs to itself; 0: none */
    /* Adds to `tally` the completions of states[0..count-1], which stand at row `row` of the
     * family, 0..rows. pulse: NULL to go on whatever happens. False: the pulse said no; what
     * was added means nothing then. */
    bool (*count)(const struct family *family, int row, const struct state *states,
                  size_t count, void *scratch, const struct pulse *pulse, struct tally *tally);
};

extern const struct kernel kernel_scalar64;
#ifdef NQ_X86_KERNELS
extern const struct kernel kernel_avx2, kernel_avx512;
#endif

/* The kernels of this build, slowest first; NULL past the last. */
const struct kernel *kernel_at(size_t index);

/* Chooses from a list, slowest first, the kernel of that name. NULL or "auto": the one that the
 * environment variable NQUEENS_KERNEL names, or else the fastest that runs here. NQ_NO_KERNEL:
 * there is no such kernel, or it does not run here; detail then says which would do. */
typedef bool kernel_at_function(size_t index, nq_kernel_info *info);
nq_status kernel_choose_from(kernel_at_function *info_at, const char *name, size_t *index,
                             char *detail, size_t size);

/* Chooses one of these kernels. */
nq_status kernel_choose(const char *name, const struct kernel **kernel, char *detail,
                        size_t size);

#endif
