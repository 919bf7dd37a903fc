/* Implementations: one function written for several instruction sets, and the choice of one.
 *
 * A list of implementations is an array, slowest first, that ends with NULL. Its first one runs
 * on every CPU. Kernels and matchers are implementations: each begins with this structure.
 */
#ifndef CPU_IMPLEMENTATION_H
#define CPU_IMPLEMENTATION_H

#include "cpu/features.h"

#include <nqueens/nqueens.h>

struct implementation {
    const char *name; /* of the instruction set, as the option `kernel` gives it */
    uint32_t needs;   /* CPU features */
};

bool nqi_implementation_runs_here(const struct implementation *implementation);

/* Chooses the implementation of that name from a list. name: NULL for the one that the
 * environment variable NQUEENS_KERNEL names, or else for the fastest that runs here.
 * NQ_NO_KERNEL: the list has no such implementation, or this CPU cannot run it;
 * detail[0..size-1] then names those that run here. */
nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen, char *detail,
                                    size_t size);

#endif
