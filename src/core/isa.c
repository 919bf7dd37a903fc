/* SPDX-License-Identifier: MIT */
#include "core/isa.h"

#include <string.h>

static uint32_t cpu_features(void) {
    uint32_t features = 0;
#ifdef __x86_64__
#define FEATURE(id, name, bit)                                                                 \
    if (__builtin_cpu_supports(name))                                                          \
        features |= bit;
    CPU_FEATURES(FEATURE)
#undef FEATURE
#endif
    return features;
}

void nqi_cpu_feature_names(char *text, size_t size) {
    const uint32_t features = cpu_features();
    text[0] = '\0';
#define FEATURE(id, name, bit)                                                                 \
    if ((features & bit) != 0)                                                                 \
        nqi_text_add(text, size, name);
    CPU_FEATURES(FEATURE)
#undef FEATURE
}

bool nqi_implementation_runs_here(const struct implementation *implementation) {
    return (implementation->needs & ~cpu_features()) == 0;
}

nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen,
                                    struct failure *failure) {
    const struct implementation *here[8];
    const char *names[8];
    size_t count = 0;
    for (; *list != NULL && count < 8; list++)
        if (nqi_implementation_runs_here(*list)) {
            names[count] = (*list)->name;
            here[count++] = *list;
        }
    const int index = named_choice(name) == NULL
                          ? (int)count - 1
                          : nqi_choose_name("kernel", name, names, count, failure);
    if (index < 0) {
        if (failure != NULL)
            strcat(failure->text, " on this CPU"); /* a short sentence of nqi_choose_name */
        return NQ_NO_KERNEL;
    }
    *chosen = here[index];
    return NQ_OK;
}
