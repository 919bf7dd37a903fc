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

#include "core/failure.h"

#include <nqueens.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The CPU's instruction sets whose registers the operating system saves.
 *
 * FEATURE(id, name): the enumerator is CPU_id; `name` is for __builtin_cpu_supports. Compilers
 * predefine __id__ as 1 in a file that they compile for the feature. */
#define CPU_FEATURES(FEATURE)                                                                  \
    FEATURE(POPCNT, "popcnt")                                                                  \
    FEATURE(AVX2, "avx2")                                                                      \
    FEATURE(AVX512F, "avx512f")                                                                \
    FEATURE(AVX512BW, "avx512bw")                                                              \
    FEATURE(AVX512VL, "avx512vl")                                                              \
    FEATURE(AVX512VBMI2, "avx512vbmi2")

enum cpu_feature_bit {
#define FEATURE(id, name) CPU_##id##_BIT,
    CPU_FEATURES(FEATURE)
#undef FEATURE
};

/* A set of features is a word with one bit for each feature. */
enum cpu_feature {
#define FEATURE(id, name) CPU_##id = 1 << CPU_##id##_BIT,
    CPU_FEATURES(FEATURE)
#undef FEATURE
};

/* The set of features that the compiler may use in the file that this macro stands in: what a
 * CPU needs to run that file. __id__ becomes "1" as a string literal, or stays as it is. */
#define CPU_STRING(text)           #text
#define CPU_IS_ONE(macro)          (sizeof CPU_STRING(macro) == sizeof "1")
#define CPU_COMPILED_FOR(id, name) | (CPU_IS_ONE(__##id##__) ? CPU_##id : 0)
#define CPU_FEATURES_COMPILED_FOR  (0 CPU_FEATURES(CPU_COMPILED_FOR))

/* Returns the set of features that programs may use on this CPU and operating system. */
uint32_t nqi_cpu_features(void);

/* Writes the names of nqi_cpu_features(), separated by spaces, cut to `size` bytes. */
void nqi_cpu_feature_names(char *text, size_t size);

struct implementation {
    const char *name; /* of the instruction set, and a value of the option `kernel` */
    uint32_t needs;   /* CPU_FEATURES_COMPILED_FOR of its file */
};

/* Returns whether this CPU has all features that the implementation needs. */
bool nqi_implementation_runs_here(const struct implementation *implementation);

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
