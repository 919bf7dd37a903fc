/* SPDX-License-Identifier: MIT */
/* Implementations: the same functions written for several instruction sets, and the choice of
 * one at run time.
 *
 * A list of implementations is an array, slowest first, that ends with NULL. The first one runs
 * on every CPU that the rest of the build runs on. Kernels and completers are implementations:
 * struct kernel and struct completer begin with a struct implementation.
 */
#ifndef CORE_IMPLEMENTATION_H
#define CORE_IMPLEMENTATION_H

#include "core/text.h"

#include <stdint.h>
#include <string.h>

/* The CPU's instruction sets whose registers the operating system saves. A set of features is a
 * word with one bit for each.
 *
 * FEATURE(id, name, bit): `name` is for __builtin_cpu_supports. Compilers predefine __id__ as 1
 * in a file that they compile for the feature. */
#define CPU_FEATURES(FEATURE)                                                                  \
    FEATURE(POPCNT, "popcnt", 1)                                                               \
    FEATURE(AVX2, "avx2", 2)                                                                   \
    FEATURE(AVX512F, "avx512f", 4)                                                             \
    FEATURE(AVX512BW, "avx512bw", 8)                                                           \
    FEATURE(AVX512VL, "avx512vl", 16)                                                          \
    FEATURE(AVX512VBMI2, "avx512vbmi2", 32)

/* The set of features that the compiler may use in the file that this macro stands in: what a
 * CPU needs to run that file. __id__ becomes "1" as a string literal, or stays as it is. */
#define CPU_STRING(text)                #text
#define CPU_IS_ONE(macro)               (sizeof CPU_STRING(macro) == sizeof "1")
#define CPU_COMPILED_FOR(id, name, bit) | (CPU_IS_ONE(__##id##__) ? bit : 0)
#define CPU_FEATURES_COMPILED_FOR       (0 CPU_FEATURES(CPU_COMPILED_FOR))

/* Writes the names of the features that programs may use on this CPU and operating system,
 * separated by spaces, cut to `size` bytes. */
void nqi_cpu_feature_names(char *text, size_t size);

struct implementation {
    const char *name; /* of the instruction set, and a value of the option `kernel` */
    uint32_t needs;   /* CPU_FEATURES_COMPILED_FOR of its file */
};

/* Returns whether this CPU has all features that the implementation needs. */
bool nqi_implementation_runs_here(const struct implementation *implementation);

/* Appends the names of those that run here to `text`, separated by spaces, cut to `size` bytes.
 */
void nqi_implementation_names(const struct implementation *const *list, char *text,
                              size_t size);

/* Chooses an implementation from a list by its name; NULL, "auto": the fastest that runs here.
 * NQ_NO_KERNEL: the list has no such implementation, or this CPU cannot run it;
 * `failure` then names the implementations that run here. */
nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen,
                                    struct failure *failure);

/* Returns the value of an option that names something, or NULL if it leaves the choice to the
 * library: "auto" does. */
static inline const char *named_choice(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

/* Returns the index of a name; -1: it is none of these, and `failure` says which there are.
 * option: the option's name. */
int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure);

#endif
