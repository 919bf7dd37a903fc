/* SPDX-License-Identifier: MIT */
/* Suites `kernels`, `plans` and `methods`. */
#include "bench/bench.h"

#include "cli/message.h"
#include "engine/methods.h"

#include <stdio.h>
#include <string.h>

/* Adds the baseline: the textbook recursion at the same n, or at the largest that takes it
 * about a second. */
static int suite_add_textbook(struct bench *bench) {
    enum { ONE_SECOND_N = 15 };
    static const nq_options none = NQ_OPTIONS_INIT;
    struct trial *trial =
        trial_add(bench, bench->n < ONE_SECOND_N ? bench->n : ONE_SECOND_N, &none);
    if (trial == NULL)
        return EXIT_SYSTEM;
    trial->textbook = true;
    snprintf(trial->label, sizeof trial->label, "textbook %d", trial->n);
    snprintf(trial->name, sizeof trial->name, "textbook/n:%d", trial->n);
    return EXIT_DONE;
}

static int suite_add(struct bench *bench, const nq_options *options, const char *label) {
    struct trial *trial = trial_add(bench, bench->n, options);
    if (trial == NULL)
        return EXIT_SYSTEM;
    snprintf(trial->label, sizeof trial->label, "%s", label);
    snprintf(trial->name, sizeof trial->name, "%s/%s/n:%d", bench->suite, label, bench->n);
    return EXIT_DONE;
}

static int suite_make_kernels(struct bench *bench) {
    int code = EXIT_DONE;
    nq_options any = bench->call->options;
    any.kernel = NULL;
    const struct method *method;
    const struct implementation *kernel;
    struct failure failure = {0};
    nq_status status = nqi_method_choose(bench->n, &any, &method, &kernel, &failure);
    if (status != NQ_OK)
        return say_options_failure(bench->call, nqi_end_call(status, &failure));
    for (size_t i = 0; code == EXIT_DONE && (kernel = method->kernels[i]) != NULL; i++) {
        nq_options options = bench->call->options;
        options.kernel = kernel->name;
        if (!nqi_implementation_runs_here(kernel))
            continue;
        code = suite_add(bench, &options, kernel->name);
        if (code != EXIT_DONE)
            break;
        struct trial *trial = &bench->trial[bench->count - 1];
        snprintf(trial->label, sizeof trial->label, "%s %s", method->name, kernel->name);
    }
    return code;
}

static int suite_make_plans(struct bench *bench) {
    int code = EXIT_DONE;
    struct plan_info plan;
    const struct method *search = nqi_method_by_name("search", NULL);
    for (size_t i = 0; search->plan_at(i, &plan); i++)
        for (int depth = plan.min_depth; code == EXIT_DONE && depth <= plan.max_depth;
             depth++) {
            nq_options options = bench->call->options;
            char label[32];
            options.method = "search";
            options.plan = plan.name;
            options.depth = depth;
            if (depth > 0)
                snprintf(label, sizeof label, "%s %d", plan.name, depth);
            else
                snprintf(label, sizeof label, "%s", plan.name);
            code = suite_add(bench, &options, label);
        }
    return code;
}

static int suite_make_methods(struct bench *bench) {
    int code = EXIT_DONE;
    const struct method *method;
    for (size_t i = 0; code == EXIT_DONE && (method = nqi_method_at(i)) != NULL; i++) {
        nq_options options = bench->call->options;
        options.method = method->name;
        code = suite_add(bench, &options, method->name);
    }
    return code;
}

int suite_make(struct bench *bench) {
    if (bench->call->action == ACTION_bench_scaling)
        return scaling_make(bench);
    if (bench->call->action == ACTION_bench_kernels)
        return suite_make_kernels(bench);
    int code = suite_add_textbook(bench);
    return code != EXIT_DONE                           ? code
           : bench->call->action == ACTION_bench_plans ? suite_make_plans(bench)
                                                       : suite_make_methods(bench);
}
