/* SPDX-License-Identifier: MIT */
/* `nqueens bench [N]`, `nqueens bench kernels|scaling N` */
#include "bench/bench.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "core/known.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SCORE_SECONDS = 10 }; /* for all runs of `score` */

static int bench_parse(const struct call *call, struct bench *bench) {
    bench->call = call;
    bench->score = call->command == COMMAND_bench_score;
    bench->scaling = call->command != COMMAND_bench_kernels;
    const int code = read_n(call, 0, NQ_MAX_N, &bench->n);
    if (code != EXIT_DONE)
        return code;
    return try_options(call); /* before anything is printed */
}

/* The threads of the call's options; for `scaling`, those that a count may have: for each PU
 * one, within the CPU quota. */
static int bench_describe_machine(struct bench *bench) {
    nq_options options = bench->call->options;
    if (!bench->score) {
        options.threads = 0;
        options.smt = options.bind == NQ_BIND_AUTO;
    }
    if (getloadavg(&bench->load, 1) != 1)
        bench->load = -1;
    bench->machine = (nq_machine)NQ_MACHINE_INIT;
    const nq_status status = nq_describe_machine(&options, &bench->machine, NULL, 0);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
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
    uint64_t right = bench->trial[0].result.work;
    bench->judged =
        strcmp(is.work_name, "completions") == 0 && nqi_known_completions(bench->n, &right);
    if (is.work == right)
        return EXIT_DONE;
    message("n = %d: %s: %" PRIu64 " %s, but %" PRIu64 " %s%s", bench->n, trial->label, is.work,
            is.work_name, right, bench->judged ? "are right" : "by ",
            bench->judged ? "" : bench->trial[0].label);
    return EXIT_WRONG;
}

/* Runs each trial once to warm up, then all in turns, `repeat` rounds; for `score`, unless they
 * are given, as many as there is time for. Checks every count, and that all do the same work.
 * Says what went wrong. After a signal, the rounds that had ended remain. */
static int bench_run_trials(struct bench *bench) {
    const double begun = bench_clock(CLOCK_MONOTONIC);
    const size_t count = bench->count;
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) /* the first round overwrites it */
        code = bench_run_trial(bench, &bench->trial[i], "warm-up", i + 1, count, 0);
    const double rounds = (double)SCORE_SECONDS / (bench_clock(CLOCK_MONOTONIC) - begun) - 1;
    if (bench->score && !is_given(bench->call, OPTION_repeat))
        bench->repeat = (int)fmax(1, fmin(round(rounds), MAX_REPEAT));
    const size_t runs = count * (size_t)bench->repeat;
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
    (bench->score ? report_score : report_table)(bench);
    return code;
}

static int bench_run_suite(struct bench *bench) {
    int code = bench_describe_machine(bench);
    if (code == EXIT_DONE)
        code = suite_make(bench);
    if (code == EXIT_DONE)
        code = bench_run_trials(bench);
    if (bench->runs == 0)
        return code;
    doubts_add_all(bench);
    const int reported = bench_report(bench);
    return code != EXIT_DONE ? code : reported;
}

static int bench_run(const struct call *call) {
    struct bench bench = {.repeat = (int)call->number[OPTION_repeat]};
    int code = bench_parse(call, &bench);
    if (code != EXIT_DONE)
        return code;
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
    code = bench_run_suite(&bench);
    if (is_new && !bench.saved)
        unlink(file);
    free(bench.trial);
    json_decref(bench.warnings);
    return code;
}

int run_bench_kernels(const struct call *call) {
    return bench_run(call);
}

int run_bench_scaling(const struct call *call) {
    return bench_run(call);
}

/* Chooses what the call leaves open. */
int run_bench_score(const struct call *call) {
    static char *n[] = {"18"}; /* half a second of a thread with AVX-512 */
    struct call own = *call;
    if (call->argument_count == 0)
        own.arguments = n;
    own.argument_count = 1;
    if (named_choice(call->options.method) == NULL)
        own.options.method = "colours"; /* one measure of work for every n */
    return bench_run(&own);
}
