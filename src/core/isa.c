/* SPDX-License-Identifier: MIT */
/* Asks the CPU for its features, and chooses the fastest kernel that they allow. */
#include "core/isa.h"

#include "core/text.h"

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
        nqi_add_word(text, size, name);
    CPU_FEATURES(FEATURE)
#undef FEATURE
}

bool nqi_kernel_runs_here(const struct kernel *kernel) {
    return !kernel->on_devices && (kernel->needs & ~cpu_features()) == 0;
}

void nqi_kernel_names(const struct kernel *const *list, char *words, size_t size) {
    for (; *list != NULL; list++)
        if (nqi_kernel_runs_here(*list))
            nqi_add_word(words, size, (*list)->name);
}

/* Returns whether the kernel has this name and may be chosen: it counts on devices, or this CPU
 * can run it. */
static bool kernel_is_named(const struct kernel *kernel, const char *name) {
    return strcmp(kernel->name, name) == 0 &&
           (kernel->on_devices || nqi_kernel_runs_here(kernel));
}

nq_status nqi_kernel_choose(const struct kernel *const *list, const char *name,
                            const struct kernel **chosen, struct failure *failure) {
    const char *named = choice_or_null(name);
    char here[80] = "auto";
    *chosen = NULL;
    nqi_kernel_names(list, here, sizeof here);
    for (; *list != NULL; list++)
        if (named == NULL ? nqi_kernel_runs_here(*list) : kernel_is_named(*list, named))
            *chosen = *list;
    return *chosen != NULL
               ? NQ_OK
               : nqi_fail_name(failure, NQ_NO_KERNEL, "kernel", name, here, " on this CPU");
}
