/* SPDX-License-Identifier: MIT */
/* The suites: which counts are timed against each other. */
#include "bench/bench.h"
#include "cli/output.h"
#include "core/collections.h"
#include "engine/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a trial of the board that was asked for. name: what the suite compares. */
static int suite_add(struct bench *bench, const nq_options *options, const char *name,
                     const char *label) {
    struct trial *more =
        nqi_array_grow(bench->trial, bench->count, &bench->capacity, sizeof *more);
    if (more == NULL)
        return out_of_memory();
    bench->trial = more;
    struct trial *trial = &more[bench->count];
    *trial = (struct trial){.n = bench->n,
                            .options = *options,
                            .result = NQ_RESULT_INIT,
                            .seconds = calloc(2 * (size_t)bench->repeat, sizeof(double))};
    if (trial->seconds == NULL)
        return out_of_memory();
    bench->count++;
    snprintf(trial->label, sizeof trial->label, "%s", label);
    snprintf(trial->name, sizeof trial->name, "%s/%s/n:%d", bench->suite, name, bench->n);
    return EXIT_DONE;
}

/* Adds the baseline: the textbook recursion at the same n, or at the largest that takes it
 * about a second. */
static int suite_add_textbook(struct bench *bench) {
    enum { ONE_SECOND_N = 15 };
    const int code = suite_add(bench, &bench->call->options, "", "");
    if (code != EXIT_DONE)
        return code;
    struct trial *trial = &bench->trial[bench->count - 1];
    trial->textbook = true;
    trial->n = bench->n < ONE_SECOND_N ? bench->n : ONE_SECOND_N;
    snprintf(trial->label, sizeof trial->label, "textbook %d", trial->n);
    snprintf(trial->name, sizeof trial->name, "textbook/n:%d", trial->n);
    return EXIT_DONE;
}

static int suite_make_kernels(struct bench *bench) {
    nq_options options = bench->call->options;
    options.kernel = NULL;
    const struct method *method;
    const struct implementation *kernel;
    struct failure failure = {0};
    nq_status status = nqi_method_choose(bench->n, &options, &method, &kernel, &failure);
    if (status != NQ_OK)
        return say_options_failure(bench->call, nqi_end_call(status, &failure));
    int code = EXIT_DONE;
    for (size_t i = 0; (kernel = method->kernels[i]) != NULL && code == EXIT_DONE; i++) {
        char label[32];
        options.kernel = kernel->name;
        snprintf(label, sizeof label, "%s %s", method->name, kernel->name);
        if (nqi_implementation_runs_here(kernel))
            code = suite_add(bench, &options, kernel->name, label);
    }
    return code;
}

static int suite_make_plans(struct bench *bench) {
    nq_options options = bench->call->options;
    int code = suite_add_textbook(bench);
    options.method = "search";
    for (const struct plan *const *plan = nqi_method_by_name("search", NULL)->plans;
         *plan != NULL; plan++)
        for (int depth = (*plan)->min_depth; depth <= (*plan)->max_depth && code == EXIT_DONE;
             depth++) {
            char name[32];
            options.plan = (*plan)->name;
            options.depth = depth;
            snprintf(name, sizeof name, depth > 0 ? "%s %d" : "%s", (*plan)->name, depth);
            code = suite_add(bench, &options, name, name);
        }
    return code;
}

static int suite_make_methods(struct bench *bench) {
    const struct method *method;
    nq_options options = bench->call->options;
    int code = suite_add_textbook(bench);
    for (size_t i = 0; (method = nqi_method_at(i)) != NULL && code == EXIT_DONE; i++) {
        options.method = method->name;
        code = suite_add(bench, &options, method->name, method->name);
    }
    return code;
}

/* The same count by more and more threads, where a count puts them: on cores far apart, then on
 * the second hardware threads of the cores. */
static int suite_make_scaling(struct bench *bench) {
    nq_options options = bench->call->options;
    const char *name = options.bind == NQ_BIND_LIST                                ? "listed"
                       : options.bind == NQ_BIND_NONE || bench->machine.omp_places ? "unbound"
                                                                                   : "spread";
    const int most = bench->thread_count == 0 ? bench->machine.threads : 0;
    /* 1, 2, 3, 4, 6, 8, 12: powers of 2, and halfway between them */
    for (int next = 1; next < most;
         next += next < 4 ? 1 : 1 << (30 - __builtin_clz((unsigned)next)))
        bench->threads[bench->thread_count++] = next;
    if (most > 0)
        bench->threads[bench->thread_count++] = most;
    int code = EXIT_DONE;
    for (size_t i = 0; i < bench->thread_count && code == EXIT_DONE; i++) {
        char label[32];
        options.threads = bench->threads[i];
        snprintf(label, sizeof label, "%d thread%s", options.threads,
                 options.threads == 1 ? "" : "s");
        code = suite_add(bench, &options, name, label);
        struct trial *trial = &bench->trial[bench->count - 1];
        if (code == EXIT_DONE)
            snprintf(trial->name, sizeof trial->name, "scaling/%s/n:%d/threads:%d", name,
                     bench->n, options.threads);
    }
    return code;
}

int suite_make(struct bench *bench) {
    const enum action_id action = bench->call->action;
    return action == ACTION_bench_scaling   ? suite_make_scaling(bench)
           : action == ACTION_bench_kernels ? suite_make_kernels(bench)
           : action == ACTION_bench_plans   ? suite_make_plans(bench)
                                            : suite_make_methods(bench);
}
