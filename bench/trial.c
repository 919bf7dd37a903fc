/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "bench/textbook.h"
#include "cli/counting.h"
#include "cli/message.h"
#include "cli/monitor.h"
#include "cli/say_failure.h"
#include "cli/signals.h"
#include "core/collections.h"
#include "core/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct trial *trial_add(struct bench *bench, int n, const nq_options *options) {
    struct trial *more =
        nqi_array_grow(bench->trial, bench->count, &bench->capacity, sizeof *more);
    if (more != NULL) {
        bench->trial = more;
        struct trial *trial = &more[bench->count++]; /* freed even if incomplete */
        *trial = (struct trial){.n = n, .options = *options, .result = NQ_RESULT_INIT};
        trial->seconds = calloc((size_t)bench->repeat, sizeof *trial->seconds);
        trial->cpu_seconds = calloc((size_t)bench->repeat, sizeof *trial->cpu_seconds);
        if (trial->seconds != NULL && trial->cpu_seconds != NULL)
            return trial;
    }
    out_of_memory();
    return NULL;
}

void trial_free(struct trial *trial) {
    free(trial->seconds);
    free(trial->cpu_seconds);
    free(trial->bind_list);
}

static double trial_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int trial_run_textbook(struct trial *trial, double *seconds, double *cpu_seconds) {
    double begun = trial_seconds(CLOCK_MONOTONIC);
    double cpu = trial_seconds(CLOCK_THREAD_CPUTIME_ID);
    uint64_t solutions = textbook_count(trial->n);
    *seconds = trial_seconds(CLOCK_MONOTONIC) - begun;
    *cpu_seconds = trial_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    trial->threads = 1;
    trial->result =
        (nq_result){.size = sizeof(nq_result), .job.n = trial->n, .solutions = solutions};
    struct failure failure;
    if (nqi_known_verdict(trial->n, solutions, "the textbook recursion counted", &failure) !=
        NQ_WRONG)
        return EXIT_DONE;
    message("%s", failure.text);
    return EXIT_WRONG;
}

static int trial_run_count(struct trial *trial, const struct call *call, double *seconds,
                           double *cpu_seconds) {
    double cpu = trial_seconds(CLOCK_PROCESS_CPUTIME_ID);
    int code = count_one(call, trial->n, &trial->result);
    *cpu_seconds = trial_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    *seconds = trial->result.seconds;
    trial->threads = trial->result.threads;
    return code;
}

/* kind, number, count: "run 3 of 15", or "warm-up 1 of 3". */
static int trial_run(struct trial *trial, const struct call *call, const char *kind,
                     size_t number, size_t count, size_t round) {
    int code = signals_check();
    if (code != EXIT_DONE)
        return code;
    char run[256];
    snprintf(run, sizeof run, "%s %zu of %zu: %s", kind, number, count, trial->label);
    struct call one = *call;
    one.options = trial->options;
    one.run = run;
    if (!trial->textbook)
        return trial_run_count(trial, &one, &trial->seconds[round], &trial->cpu_seconds[round]);
    struct monitor monitor;
    monitor_begin(&monitor, &one);
    monitor_say(&monitor, trial->n, "counting");
    code = trial_run_textbook(trial, &trial->seconds[round], &trial->cpu_seconds[round]);
    monitor_end(&monitor);
    if (code == EXIT_DONE)
        monitor_done(&monitor, trial->n);
    return code;
}

/* Drops the trials without a run, which are the last ones. */
static void trials_keep_run(struct bench *bench) {
    while (bench->count > 0 && bench->trial[bench->count - 1].runs == 0)
        trial_free(&bench->trial[--bench->count]);
}

int trials_run(struct bench *bench) {
    int code = EXIT_DONE;
    const size_t count = bench->count, runs = count * (size_t)bench->repeat;
    struct call call = *bench->call;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) /* the first round overwrites it */
        code = trial_run(&bench->trial[i], &call, "warm-up", i + 1, count, 0);
    for (size_t run = 0; run < runs && code == EXIT_DONE; run++) {
        struct trial *trial = &bench->trial[run % count];
        code = trial_run(trial, &call, "run", run + 1, runs, run / count);
        trial->runs += code == EXIT_DONE;
    }
    bench->interrupted = code != EXIT_DONE && signals_caught() != 0 && bench->trial[0].runs > 0;
    trials_keep_run(bench);
    for (size_t i = 0; i < bench->count; i++)
        bench->trial[i].statistics =
            statistics_of(bench->trial[i].seconds, bench->trial[i].runs);
    return code;
}
