/* Kernels: count the completions of states of one family.
 *
 * Kernels differ in speed only. Each takes any states of any family, and all agree on
 * solutions and nodes. A kernel knows nothing of symmetry, threads or files.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "board/family.h"

#include <stdbool.h>
#include <stddef.h>

struct tally {
    uint64_t solutions; /* completions, unweighted */
    /* Nodes: states with three or more rows left to fill that the search goes on from, which
     * takes a free square in each of the next two rows. The states it starts from are not
     * counted. */
    uint64_t nodes;
};

struct kernel {
    const char *name;
    bool (*runs_here)(void); /* on this CPU and operating system */
    size_t scratch_bytes;    /* of memory, aligned to 64, that count needs to itself; 0: none */
    /* Adds to `tally` the completions of states[0..count-1], which stand at row `row` of the
     * family, 0..rows. */
    void (*count)(const struct family *family, int row, const struct state *states,
                  size_t count, void *scratch, struct tally *tally);
};

extern const struct kernel kernel_scalar64;

/* The kernels of this build, slowest first; NULL past the last. */
const struct kernel *kernel_at(size_t index);

/* The kernel of that name, whether or not it runs here; NULL when there is none. NULL or "auto"
 * gives the fastest one that runs here. */
const struct kernel *kernel_by_name(const char *name);

#endif
