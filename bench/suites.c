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

void trial_free(struct trial *trial) {
    free(trial->seconds);
    free(trial->bind_list);
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

/* Suite `scaling`: the same count by more and more threads, spread over the machine or close
 * together, with and without the second hardware threads of a core. */

/* An order in which to fill PUs. */
struct series {
    const char *name;
    const nq_place *places;
    int count;
};

static int scaling_compare(const void *left, const void *right) {
    const nq_place *a = left, *b = right;
    const int difference[] = {a->package - b->package, a->cache - b->cache, a->core - b->core,
                              a->pu - b->pu};
    for (size_t i = 0; i < sizeof difference / sizeof *difference; i++)
        if (difference[i] != 0)
            return difference[i];
    return 0;
}

static bool scaling_has_pu(const nq_place *places, int count, int pu) {
    for (int i = 0; i < count; i++)
        if (places[i].pu == pu)
            return true;
    return false;
}

/* Whether an earlier series puts this number of threads on the same PUs. */
static bool scaling_has_same_pus(const struct series *series, size_t before,
                                 const struct series *this, int threads) {
    for (size_t i = 0; i < before; i++) {
        int same = 0;
        for (int t = 0; t < threads && threads <= series[i].count; t++)
            same += scaling_has_pu(series[i].places, threads, this->places[t].pu);
        if (same == threads)
            return true;
    }
    return false;
}

/* Chooses numbers of threads to measure, rising to `most`. Returns how many. */
static size_t scaling_steps(int most, int *threads) {
    size_t count = 0;
    for (int next = 1; next < most && count + 1 < MAX_LISTED_THREADS; next += next < 4    ? 1
                                                                              : next < 8  ? 2
                                                                              : next < 16 ? 4
                                                                              : next < 64 ? 8
                                                                                          : 32)
        threads[count++] = next;
    threads[count++] = most;
    return count;
}

/* "3,0,1": the first `count` PUs. Returns NULL if memory runs out. */
static char *scaling_list(const nq_place *places, int count) {
    size_t size = (size_t)count * 12 + 1, length = 0;
    char *list = malloc(size);
    for (int i = 0; list != NULL && i < count; i++)
        length += (size_t)snprintf(list + length, size - length, "%s%d", i > 0 ? "," : "",
                                   places[i].pu);
    return list;
}

static int scaling_add(struct bench *bench, const struct series *series, int threads) {
    nq_options options = bench->call->options;
    options.threads = threads;
    options.smt = false;
    const int code = suite_add(bench, &options, series->name, series->name);
    if (code != EXIT_DONE)
        return code;
    struct trial *trial = &bench->trial[bench->count - 1];
    trial->series = series->name;
    snprintf(trial->name, sizeof trial->name, "scaling/%s/n:%d/threads:%d", series->name,
             bench->n, threads);
    if (series->places == NULL)
        return EXIT_DONE;
    trial->bind_list = scaling_list(series->places, threads);
    trial->options.bind = NQ_BIND_LIST;
    trial->options.bind_list = trial->bind_list;
    return trial->bind_list != NULL ? EXIT_DONE : out_of_memory();
}

static int scaling_add_series(struct bench *bench, const struct series *series, size_t count) {
    int code = EXIT_DONE;
    for (size_t s = 0; s < count; s++) {
        int own[MAX_LISTED_THREADS];
        const int *threads = bench->thread_count > 0 ? bench->threads : own;
        size_t numbers =
            bench->thread_count > 0 ? bench->thread_count : scaling_steps(series[s].count, own);
        for (size_t i = 0; i < numbers && code == EXIT_DONE; i++)
            if (series[s].places == NULL ||
                (threads[i] <= series[s].count &&
                 !scaling_has_same_pus(series, s, &series[s], threads[i])))
                code = scaling_add(bench, &series[s], threads[i]);
    }
    return code;
}

/* Four orders, which may coincide on a small machine: cores far apart (as a count fills them)
 * or close together, then both with the second hardware threads as well. */
static int scaling_add_orders(struct bench *bench) {
    int pus = bench->machine.pus, cores = bench->machine.cores;
    size_t size = (size_t)pus * sizeof(nq_place);
    nq_place *compact = malloc(size), *compact_smt = malloc(size);
    int code = compact != NULL && compact_smt != NULL ? EXIT_DONE : out_of_memory();
    if (code == EXIT_DONE) {
        memcpy(compact, bench->places, size);
        qsort(compact, (size_t)cores, sizeof *compact, scaling_compare);
        memcpy(compact_smt, bench->places, size);
        qsort(compact_smt, (size_t)pus, sizeof *compact_smt, scaling_compare);
        const struct series orders[] = {{"spread", bench->places, cores},
                                        {"compact", compact, cores},
                                        {"smt-spread", bench->places, pus},
                                        {"smt-compact", compact_smt, pus}};
        code = scaling_add_series(bench, orders, sizeof orders / sizeof *orders);
    }
    free(compact);
    free(compact_smt);
    return code;
}

static int suite_make_scaling(struct bench *bench) {
    const nq_options *options = &bench->call->options;
    if (bench->machine.omp_places || options->bind != NQ_BIND_AUTO || bench->places[0].pu < 0) {
        const struct series unbound = {options->bind == NQ_BIND_LIST ? "listed" : "unbound",
                                       NULL, bench->machine.threads};
        return scaling_add_series(bench, &unbound, 1);
    }
    for (size_t i = 0; i < bench->thread_count; i++)
        if (bench->threads[i] > bench->machine.pus)
            return usage_error(
                "--threads: %d: expected 1 to %d, as this process may use %d PUs",
                bench->threads[i], bench->machine.pus, bench->machine.pus);
    return scaling_add_orders(bench);
}

int suite_make(struct bench *bench) {
    const enum action_id action = bench->call->action;
    return action == ACTION_bench_scaling   ? suite_make_scaling(bench)
           : action == ACTION_bench_kernels ? suite_make_kernels(bench)
           : action == ACTION_bench_plans   ? suite_make_plans(bench)
                                            : suite_make_methods(bench);
}
