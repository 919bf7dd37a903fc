/* Implementations: the same functions written for several instruction sets, and the choice of
 * one at run time.
 *
 * A list of implementations is an array, slowest first, that ends with NULL. The first one runs
 * on every CPU that the rest of the build runs on. Kernels and completers are implementations:
 * struct kernel and struct completer begin with a struct implementation.
 */
#ifndef CORE_IMPLEMENTATION_H
#define CORE_IMPLEMENTATION_H

#include "core/failure.h"
#include "core/features.h"

#include <nqueens.h>

struct implementation {
    const char *name; /* of the instruction set, and a value of the option `kernel` */
    uint32_t needs;   /* CPU_FEATURES_COMPILED_FOR of its file */
};

/* Returns whether this CPU has all features that the implementation needs. */
bool nqi_implementation_runs_here(const struct implementation *implementation);

/* Returns the implementation of that name, or NULL: the list has none. */
const struct implementation *
nqi_implementation_by_name(const struct implementation *const *list, const char *name);

/* Writes "auto, a, b or c": the implementations that run here, cut to `size` bytes. */
void nqi_implementation_choices(const struct implementation *const *list, char *text,
                                size_t size);

/* Chooses an implementation from a list by its name; NULL, "auto": the fastest that runs here.
 * NQ_NO_KERNEL: the list has no such implementation, or this CPU cannot run it;
 * `failure` then names the implementations that run here. */
nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen,
                                    struct failure *failure);

#endif
