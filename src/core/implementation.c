#include "core/implementation.h"
#include <stdio.h>
#include <string.h>

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

bool nqi_implementation_runs_here(const struct implementation *implementation) {
    return (implementation->needs & ~nqi_cpu_features()) == 0;
}

static const struct implementation *fastest(const struct implementation *const *list) {
    const struct implementation *best = list[0];
    for (; *list != NULL; list++)
        if (nqi_implementation_runs_here(*list))
            best = *list;
    return best;
}

const struct implementation *
nqi_implementation_by_name(const struct implementation *const *list, const char *name) {
    while (*list != NULL && strcmp(name, (*list)->name) != 0)
        list++;
    return *list;
}

void nqi_implementation_choices(const struct implementation *const *list, char *text,
                                size_t size) {
    size_t left = 0, length = (size_t)snprintf(text, size, "auto");
    for (size_t i = 0; list[i] != NULL; i++)
        left += nqi_implementation_runs_here(list[i]);
    for (; *list != NULL && length < size; list++)
        if (nqi_implementation_runs_here(*list))
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       --left > 0 ? ", " : " or ", (*list)->name);
}

nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen,
                                    struct failure *failure) {
    if (named_choice(name) == NULL) {
        *chosen = fastest(list);
        return NQ_OK;
    }
    char choices[256];
    nqi_implementation_choices(list, choices, sizeof choices);
    const struct implementation *named = nqi_implementation_by_name(list, name);
    if (named == NULL)
        return nqi_fail(failure, NQ_NO_KERNEL,
                        "kernel '%.60s' is not in this build; accepted here: %s", name,
                        choices);
    if (!nqi_implementation_runs_here(named))
        return nqi_fail(failure, NQ_NO_KERNEL,
                        "kernel '%s' needs instructions that this CPU lacks; accepted here: %s",
                        name, choices);
    *chosen = named;
    return NQ_OK;
}

void nqi_text_choices(const char *const *names, size_t count, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "auto");
    for (size_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i + 1 < count ? ", " : " or ", names[i]);
}

int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure) {
    char choices[64];
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return (int)i;
    nqi_text_choices(names, count, choices, sizeof choices);
    nqi_fail(failure, NQ_BAD_OPTION, "%s '%.60s': expected %s", option, name, choices);
    return -1;
}
