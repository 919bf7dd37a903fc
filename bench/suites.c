/* SPDX-License-Identifier: MIT */
/* The suites: which counts are timed against each other. */
#include "bench/bench.h"
#include "core/collections.h"
#include "engine/methods.h"

#include <stdio.h>
#include <stdlib.h>

/* Adds a trial. name: what the suite compares. */
static int suite_add(struct bench *bench, const nq_options *options, const char *name,
                     const char *label) {
    struct trial *more =
        nqi_array_grow(bench->trial, bench->count, &bench->capacity, sizeof *more);
    if (more == NULL)
        return out_of_memory();
    bench->trial = more;
    struct trial *trial = &more[bench->count];
    *trial = (struct trial){.options = *options,
                            .result = NQ_RESULT_INIT,
                            .seconds = calloc(2 * (size_t)bench->repeat, sizeof(double))};
    if (trial->seconds == NULL)
        return out_of_memory();
    bench->count++;
    snprintf(trial->label, sizeof trial->label, "%s", label);
    snprintf(trial->name, sizeof trial->name, "%s/%s/n:%d", bench->suite, name, bench->n);
    return EXIT_DONE;
}

static int suite_make_kernels(struct bench *bench) {
    nq_options options = bench->call->options;
    options.kernel = options.device = NULL;
    if (bench->call->options.device != NULL && options.method == NULL)
        options.method = "colours"; /* as devices count */
    const struct method *method;
    const struct implementation *kernel;
    struct failure failure = {0};
    nq_status status = nqi_method_choose(bench->n, &options, &method, &kernel, &failure);
    if (status != NQ_OK)
        return say_options_failure(bench->call, status, &failure);
    int code = EXIT_DONE;
    for (size_t i = 0; (kernel = method->kernels[i]) != NULL && code == EXIT_DONE; i++) {
        char label[32];
        options.kernel = kernel->name;
        snprintf(label, sizeof label, "%s %s", method->name, kernel->name);
        if (nqi_implementation_runs_here(kernel))
            code = suite_add(bench, &options, kernel->name, label);
    }
    if (bench->call->options.device == NULL || code != EXIT_DONE)
        return code;
    options.kernel = NULL;
    options.device = bench->call->options.device;
    return suite_add(bench, &options, "opencl", "colours opencl");
}

/* The same count by more and more threads, for a score by one and by all, where a count puts
 * them: on cores far apart, then on the second hardware threads of the cores. */
static int suite_make_scaling(struct bench *bench) {
    nq_options options = bench->call->options;
    const char *name = options.bind == NQ_BIND_LIST                                ? "listed"
                       : options.bind == NQ_BIND_NONE || bench->machine.omp_places ? "unbound"
                                                                                   : "spread";
    if (options.device != NULL)
        return suite_add(bench, &options, "opencl", "colours opencl");
    const int most = bench->thread_count == 0 ? bench->machine.threads : 0;
    /* 1, 2, 3, 4, 6, 8, 12: powers of 2, and halfway between them */
    for (int next = 1; next < most && (next == 1 || !bench->score);
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
    return bench->scaling ? suite_make_scaling(bench) : suite_make_kernels(bench);
}
