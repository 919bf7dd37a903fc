/* SPDX-License-Identifier: MIT */
#include "core/implementation.h"

#include "core/text.h"

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

static const struct implementation *
implementation_fastest(const struct implementation *const *list) {
    const struct implementation *best = list[0];
    for (; *list != NULL; list++)
        if (nqi_implementation_runs_here(*list))
            best = *list;
    return best;
}

/* Writes the names of a list that run here, after "auto", as words. */
static void implementation_words(const struct implementation *const *list, char *words,
                                 size_t size) {
    size_t length = (size_t)snprintf(words, size, "auto");
    for (; *list != NULL && length < size; list++)
        if (nqi_implementation_runs_here(*list))
            length += (size_t)snprintf(words + length, size - length, " %s", (*list)->name);
}

nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen,
                                    struct failure *failure) {
    char words[128], choices[160];
    if (named_choice(name) == NULL) {
        *chosen = implementation_fastest(list);
        return NQ_OK;
    }
    const struct implementation *const *named = list;
    while (*named != NULL && strcmp(name, (*named)->name) != 0)
        named++;
    implementation_words(list, words, sizeof words);
    nqi_text_list(words, " or ", choices, sizeof choices);
    if (*named == NULL)
        return nqi_fail(failure, NQ_NO_KERNEL,
                        "kernel '%.60s' is not in this build; accepted here: %s", name,
                        choices);
    if (!nqi_implementation_runs_here(*named))
        return nqi_fail(failure, NQ_NO_KERNEL,
                        "kernel '%s' needs instructions that this CPU lacks; accepted here: %s",
                        name, choices);
    *chosen = *named;
    return NQ_OK;
}

int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure) {
    char words[64] = "auto", choices[80];
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0)
            return (int)i;
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, " %s", names[i]);
    }
    nqi_fail(failure, NQ_BAD_OPTION, "%s '%.60s': expected %s", option, name,
             nqi_text_list(words, " or ", choices, sizeof choices));
    return -1;
}
