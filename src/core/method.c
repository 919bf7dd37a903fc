/* SPDX-License-Identifier: MIT */
#include "core/method.h"

#include <stdio.h>

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

int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure) {
    char words[64] = "auto", choices[80];
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0)
            return (int)i;
        nqi_text_add(words, sizeof words, names[i]);
    }
    nqi_fail(failure, NQ_BAD_OPTION, "%s '%.60s': expected %s", option, name,
             nqi_text_list(words, " or ", choices, sizeof choices));
    return -1;
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

nq_status nqi_plan_choose(const struct plan *const *plans, const char *name,
                          const struct plan **plan, struct failure *failure) {
    const char *names[4];
    size_t count = 0;
    for (; plans[count] != NULL; count++)
        names[count] = plans[count]->name;
    const int chosen = name != NULL ? nqi_choose_name("plan", name, names, count, failure) : 0;
    if (chosen < 0)
        return NQ_BAD_OPTION;
    *plan = plans[chosen];
    return NQ_OK;
}

nq_job nqi_job(int n, const char *method, const char *plan, int plan_version, uint64_t units) {
    nq_job job = {.n = n, .plan_version = plan_version, .units = units};
    snprintf(job.method, sizeof job.method, "%.15s", method);
    snprintf(job.plan, sizeof job.plan, "%.15s", plan);
    return job;
}

bool nqi_job_equal(const nq_job *left, const nq_job *right) {
    return left->n == right->n && left->plan_version == right->plan_version &&
           left->units == right->units && strcmp(left->method, right->method) == 0 &&
           strcmp(left->plan, right->plan) == 0;
}

void nqi_job_text(const nq_job *job, char text[MAX_JOB_TEXT]) {
    snprintf(text, MAX_JOB_TEXT, "n = %d, method %s, plan %s (version %d)", job->n, job->method,
             job->plan, job->plan_version);
}
