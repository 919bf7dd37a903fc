/* The CPU's instruction sets whose registers the operating system saves. */
#ifndef CORE_FEATURES_H
#define CORE_FEATURES_H

#include <stddef.h>
#include <stdint.h>

/* FEATURE(id, name): the enumerator is CPU_id; `name` is for __builtin_cpu_supports. Compilers
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

#endif
