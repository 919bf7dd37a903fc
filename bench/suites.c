/* SPDX-License-Identifier: MIT */
/* The suites: which counts are timed against each other. */
#include "bench/bench.h"
#include "engine/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a trial. what: the kernel, or where the threads are. */
static void suite_add(struct bench *bench, const nq_options *options, const char *what) {
    struct trial *trial = &bench->trial[bench->count++];
    trial->options = *options;
    snprintf(trial->name, sizeof trial->name, "%s/%s/n:%d",
             bench->scaling ? "scaling" : "kernels", what, bench->n);
    if (bench->scaling && options->device == NULL) {
        text_add(trial->name, sizeof trial->name, "/threads:%d", options->threads);
        snprintf(trial->label, sizeof trial->label, "%d thread%s", options->threads,
                 options->threads == 1 ? "" : "s");
    } else {
        snprintf(trial->label, sizeof trial->label, "%s %s", options->method, what);
    }
}

static int suite_make_kernels(struct bench *bench) {
    nq_options options = bench->call->options;
    options.kernel = options.device = NULL;
    if (bench->call->options.device != NULL && options.method == NULL)
        options.method = "colours"; /* as devices count */
    const struct method *method;
    const struct implementation *kernel;
    struct failure failure = {0};
    nq_status status = nqi_method_choose(&options, &method, &kernel, &failure);
    if (status != NQ_OK)
        return say_options_failure(bench->call, status, &failure);
    options.method = method->name;
    for (size_t i = 0; (kernel = method->kernels[i]) != NULL; i++) {
        options.kernel = kernel->name;
        if (nqi_implementation_runs_here(kernel))
            suite_add(bench, &options, kernel->name);
    }
    options.kernel = NULL;
    options.device = bench->call->options.device;
    if (options.device != NULL)
        suite_add(bench, &options, "opencl");
    return EXIT_DONE;
}

/* "1,2,4-8", in any order: listed[threads] becomes true. */
static bool suite_read_threads(const char *text, bool *listed) {
    while (text != NULL) {
        int first, last;
        if (!nqi_text_range(&text, &first, &last) || first < 1 || last > NQ_MAX_THREADS)
            return false;
        memset(listed + first, true, (size_t)(last - first) + 1);
    }
    return true;
}

/* The same count by more and more threads, for a score by one and by all, where a count puts
 * them: on cores far apart, then on the second hardware threads of the cores. */
static int suite_make_scaling(struct bench *bench) {
    nq_options options = bench->call->options;
    const char *given = bench->score ? NULL : bench->call->value[OPTION_threads],
               *where = options.bind == NQ_BIND_LIST                                ? "listed"
                        : options.bind == NQ_BIND_NONE || bench->machine.omp_places ? "unbound"
                                                                                    : "spread";
    bool listed[NQ_MAX_THREADS + 1] = {false};
    if (options.device != NULL) {
        suite_add(bench, &options, "opencl");
        return EXIT_DONE;
    }
    if (!suite_read_threads(given, listed))
        return usage_error("--threads: '%.60s': expected numbers from 1 to %d, such as 1,2,4-8",
                           given, NQ_MAX_THREADS);
    const int most = given == NULL ? bench->machine.threads : 0;
    if (most > 0)
        listed[most] = true;
    /* 1, 2, 3, 4, 6, 8, 12: powers of 2, and halfway between them */
    for (int next = 1; next < most && (next == 1 || !bench->score);
         next += next < 4 ? 1 : 1 << (30 - __builtin_clz((unsigned)next)))
        listed[next] = true;
    for (options.threads = 1; options.threads <= NQ_MAX_THREADS; options.threads++)
        if (listed[options.threads])
            suite_add(bench, &options, where);
    return EXIT_DONE;
}

int suite_make(struct bench *bench) {
    /* No suite has more; the system gives memory as it is used. */
    bench->trial = calloc(NQ_MAX_THREADS, sizeof *bench->trial);
    if (bench->trial == NULL)
        return out_of_memory();
    return bench->scaling ? suite_make_scaling(bench) : suite_make_kernels(bench);
}
