/* SPDX-License-Identifier: MIT */
/* `nqueens bench [N]` */
#include "bench/bench.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "core/known.h"
#include "engine/methods.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Boards whose completions are known; one that takes half a second of a thread with AVX-512;
 * and the time for all runs. */
enum { LEAST_N = 8, MOST_N = 22, USUAL_N = 18, ALL_SECONDS = 10 };

static int bench_describe_machine(struct bench *bench) {
    nq_options options = bench->call->options;
    options.threads = 0;
    options.kernel = options.device = NULL;
    if (getloadavg(&bench->load, 1) != 1)
        bench->load = -1;
    bench->machine = (nq_machine)NQ_MACHINE_INIT;
    const nq_status status = nq_describe_machine(&options, &bench->machine, NULL, 0);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}

/* Adds a trial, unless it is there, and has the library check its options. kernel: a name in
 * the method's list; NULL: devices count. */
static int bench_add(struct bench *bench, const char *kernel, int threads) {
    for (size_t i = 0; i < bench->count; i++)
        if (bench->trial[i].options.kernel == kernel &&
            bench->trial[i].options.threads == threads)
            return EXIT_DONE;
    struct trial *grown = realloc(bench->trial, (bench->count + 1) * sizeof *grown);
    if (grown == NULL)
        return out_of_memory();
    bench->trial = grown;
    struct trial *trial = &grown[bench->count++];
    struct call one = *bench->call;
    one.options.kernel = kernel;
    one.options.threads = threads;
    snprintf(trial->label, sizeof trial->label, "opencl");
    if (kernel == NULL) {
        one.options.bind = NQ_BIND_AUTO;
        one.options.smt = false;
    } else {
        one.options.device = NULL;
        snprintf(trial->label, sizeof trial->label, "%s, %d thread%s", kernel, threads,
                 threads == 1 ? "" : "s");
    }
    trial->options = one.options;
    return try_options(&one);
}

/* Adds the kernel with each number of threads. */
static int bench_add_kernel(struct bench *bench, const char *kernel) {
    const char *given = bench->call->value[OPTION_threads];
    char usual[32];
    snprintf(usual, sizeof usual, "1,%d", bench->machine.threads);
    int code = EXIT_DONE, first, last;
    for (const char *rest = given != NULL ? given : usual; rest != NULL && code == EXIT_DONE;) {
        if (!nqi_text_range(&rest, &first, &last) || first < 1 || last > NQ_MAX_THREADS)
            return usage_error("--threads: '%.60s': expected numbers from 1 to %d, such as "
                               "1,2,4-8",
                               given, NQ_MAX_THREADS);
        for (int threads = first; threads <= last && code == EXIT_DONE; threads++)
            code = bench_add(bench, kernel, threads);
    }
    return code;
}

/* Adds each kernel of the list with each number of threads, and then devices. */
static int bench_add_all(struct bench *bench) {
    const struct call *call = bench->call;
    const struct implementation *const *kernels = nqi_method_by_name("colours", NULL)->kernels,
                                       *kernel;
    const bool devices = call->options.device != NULL;
    const char *list = call->options.kernel != NULL ? call->options.kernel : "auto";
    char all[96] = "", word[64];
    int code = EXIT_DONE;
    for (size_t i = 0; kernels[i] != NULL; i++)
        if (nqi_implementation_runs_here(kernels[i]))
            text_add(all, sizeof all, "%s%s", i > 0 ? "," : "", kernels[i]->name);
    if (strcmp(list, "all") == 0)
        list = all;
    if (devices && !is_given(call, OPTION_threads) && !is_given(call, OPTION_kernel))
        list = NULL;
    while (list != NULL && code == EXIT_DONE) {
        struct failure failure = {0};
        const size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        list = list[length] == ',' ? list + length + 1 : NULL;
        const nq_status status = nqi_implementation_choose(kernels, word, &kernel, &failure);
        code = status == NQ_OK ? bench_add_kernel(bench, kernel->name)
                               : say_options_failure(call, status, &failure);
    }
    return code == EXIT_DONE && devices ? bench_add(bench, NULL, 0) : code;
}

static double bench_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* kind, number, count: "run 3 of 15", or "warm-up 1 of 3". */
static int bench_run_trial(struct bench *bench, struct trial *trial, const char *kind,
                           size_t number, size_t count, size_t round) {
    int code = say_interrupted();
    if (code != EXIT_DONE)
        return code;
    char run[256];
    snprintf(run, sizeof run, "%s %zu of %zu: %s", kind, number, count, trial->label);
    struct call one = *bench->call;
    one.options = trial->options;
    one.run = run;
    nq_result is = NQ_RESULT_INIT;
    const double cpu = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
    code = count_one(&one, bench->n, &is);
    if (code != EXIT_DONE) /* perhaps a part, which is not kept */
        return code;
    trial->cpu_seconds[round] = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    trial->seconds[round] = is.seconds;
    trial->result = is;
    if (is.work == bench->signature)
        return EXIT_DONE;
    message("n = %d: %s: %" PRIu64 " completions, but %" PRIu64 " are right", bench->n,
            trial->label, is.work, bench->signature);
    return EXIT_WRONG;
}

/* Runs each trial once to warm up, then all in turns, --repeat rounds, or as many as there is
 * time for. Says what went wrong. After a signal, the rounds that had ended remain. */
static int bench_run_trials(struct bench *bench) {
    const double begun = bench_clock(CLOCK_MONOTONIC);
    const size_t count = bench->count;
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) /* the first round overwrites it */
        code = bench_run_trial(bench, &bench->trial[i], "warm-up", i + 1, count, 0);
    const double time = bench_clock(CLOCK_MONOTONIC) - begun,
                 rounds = fmax(1, fmin(round(ALL_SECONDS / time - 1), MAX_REPEAT));
    const uint64_t repeat = bench->call->number[OPTION_repeat];
    const size_t runs = count * (repeat > 0 ? repeat : (size_t)rounds);
    for (size_t run = 0; run < runs && code == EXIT_DONE; run++) {
        code = bench_run_trial(bench, &bench->trial[run % count], "run", run + 1, runs,
                               run / count);
        if (code == EXIT_DONE)
            bench->runs = (run + 1) / count;
    }
    if (code != EXIT_DONE && code != 128 + signals_caught())
        bench->runs = 0; /* figures of what failed say nothing */
    return code;
}

static int bench_cannot_write(const char *file) {
    message("'%.100s': cannot be written: %s", file, strerror(errno));
    return EXIT_SYSTEM;
}

static int bench_report(struct bench *bench) {
    const struct call *call = bench->call;
    const char *file = call->value[OPTION_output];
    json_t *document = report_json(bench);
    int code = EXIT_DONE;
    bench->saved = file != NULL &&
                   json_dump_file(document, file, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    if (file != NULL && !bench->saved)
        code = bench_cannot_write(file);
    if (is_given(call, OPTION_json)) /* even if the file could not be written */
        return output_document(document, true) == EXIT_DONE ? code : EXIT_SYSTEM;
    json_decref(document);
    report_table(bench);
    return code;
}

static int bench_run_all(struct bench *bench) {
    int code = bench_describe_machine(bench);
    if (code == EXIT_DONE)
        code = bench_add_all(bench);
    if (code == EXIT_DONE)
        code = bench_run_trials(bench);
    if (bench->runs == 0)
        return code;
    doubts_add_all(bench);
    const int reported = bench_report(bench);
    return code != EXIT_DONE ? code : reported;
}

int run_bench(const struct call *call) {
    struct bench bench = {.call = call, .n = USUAL_N};
    int code = call->argument_count > 0 ? read_n(call, LEAST_N, MOST_N, &bench.n) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    nqi_known_completions(bench.n, &bench.signature);
    const char *file = call->value[OPTION_output];
    const bool is_new =
        file != NULL && faccessat(AT_FDCWD, file, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    FILE *stream = file != NULL ? fopen(file, "ae") : NULL; /* before anything is measured */
    if (file != NULL && stream == NULL)
        return bench_cannot_write(file);
    if (stream != NULL)
        fclose(stream);
    signals_catch();
    bench.warnings = json_array();
    code = bench_run_all(&bench);
    if (is_new && !bench.saved)
        unlink(file);
    free(bench.trial);
    json_decref(bench.warnings);
    return code;
}
