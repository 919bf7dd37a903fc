/* The CPU's instruction sets, as far as the operating system saves their registers. */
#ifndef CPU_FEATURES_H
#define CPU_FEATURES_H

#include <stddef.h>
#include <stdint.h>

/* Each: the member of enum cpu_feature without its prefix, and the compiler's name for it. */
#define CPU_FEATURES(FEATURE)                                                                  \
    FEATURE(POPCNT, "popcnt")                                                                  \
    FEATURE(BMI, "bmi")                                                                        \
    FEATURE(BMI2, "bmi2")                                                                      \
    FEATURE(AVX2, "avx2")                                                                      \
    FEATURE(AVX512F, "avx512f")                                                                \
    FEATURE(AVX512BW, "avx512bw")                                                              \
    FEATURE(AVX512VL, "avx512vl")                                                              \
    FEATURE(AVX512VBMI, "avx512vbmi")                                                          \
    FEATURE(AVX512VBMI2, "avx512vbmi2")                                                        \
    FEATURE(AVX512BITALG, "avx512bitalg")                                                      \
    FEATURE(AVX512VPOPCNTDQ, "avx512vpopcntdq")                                                \
    FEATURE(GFNI, "gfni")

enum cpu_feature_bit {
#define FEATURE(id, name) CPU_##id##_BIT,
    CPU_FEATURES(FEATURE)
#undef FEATURE
};

/* A set of features is a word with a bit for each. */
enum cpu_feature {
#define FEATURE(id, name) CPU_##id = 1 << CPU_##id##_BIT,
    CPU_FEATURES(FEATURE)
#undef FEATURE
};

/* The features that programs may use on this CPU and operating system. */
uint32_t nqi_cpu_features(void);

/* Writes the names of those features, separated by spaces, cut to `size` bytes. */
void nqi_cpu_feature_names(char *text, size_t size);

#endif
