#include "kernel/features.h"

#include <stdio.h>

#ifdef __x86_64__
void cpu_features(char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
#define FEATURE(name)                                                                          \
    if (__builtin_cpu_supports(name) && length < size)                                         \
    length +=                                                                                  \
        (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "", name)
    FEATURE("popcnt");
    FEATURE("bmi");
    FEATURE("bmi2");
    FEATURE("avx2");
    FEATURE("avx512f");
    FEATURE("avx512bw");
    FEATURE("avx512vl");
    FEATURE("avx512vbmi");
    FEATURE("avx512vbmi2");
    FEATURE("avx512bitalg");
    FEATURE("avx512vpopcntdq");
    FEATURE("gfni");
#undef FEATURE
}

bool cpu_runs_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;
}

bool cpu_runs_avx512(void) {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("popcnt") != 0;
}

bool cpu_matches_avx2(void) {
    return cpu_runs_avx2() && __builtin_cpu_supports("bmi2") != 0;
}

bool cpu_matches_avx512(void) {
    return cpu_runs_avx512() && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512vbmi") != 0 &&
           __builtin_cpu_supports("avx512bitalg") != 0 &&
           __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
           __builtin_cpu_supports("gfni") != 0;
}
#else
void cpu_features(char *text, size_t size) {
    if (size > 0)
        text[0] = '\0';
}
#endif
