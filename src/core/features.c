#include "core/features.h"

#include <stdio.h>

uint32_t nqi_cpu_features(void) {
    uint32_t features = 0;
#ifdef __x86_64__
#define FEATURE(id, name)                                                                      \
    if (__builtin_cpu_supports(name))                                                          \
        features |= CPU_##id;
    CPU_FEATURES(FEATURE)
#undef FEATURE
#endif
    return features;
}

void nqi_cpu_feature_names(char *text, size_t size) {
    static const char *const names[] = {
#define FEATURE(id, name) name,
        CPU_FEATURES(FEATURE)
#undef FEATURE
    };
    const uint32_t features = nqi_cpu_features();
    size_t length = 0;
    if (size > 0)
        text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names && length < size; i++)
        if ((features >> i & 1) != 0)
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length > 0 ? " " : "", names[i]);
}
