#include "cli/bench/trial.h"

#include "cli/bench/process.h"
#include "cli/bench/system.h"
#include "cli/bench/textbook.h"
#include "cli/counting.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct trial *trials_add(struct trials *trials, int n, const nq_options *options) {
    struct trial *more = realloc(trials->trial, (trials->count + 1) * sizeof *trials->trial);
    if (more == NULL)
        return NULL;
    trials->trial = more;
    struct trial *trial = &more[trials->count];
    *trial = (struct trial){.n = n, .options = *options, .result = NQ_RESULT_INIT};
    trial->seconds = calloc((size_t)trials->repeat, sizeof *trial->seconds);
    trial->cpu_seconds = calloc((size_t)trials->repeat, sizeof *trial->cpu_seconds);
    trials->count++; /* even if incomplete: trials_free frees it */
    return trial->seconds != NULL && trial->cpu_seconds != NULL ? trial : NULL;
}

void trials_free(struct trials *trials) {
    for (size_t i = 0; i < trials->count; i++) {
        free(trials->trial[i].seconds);
        free(trials->trial[i].cpu_seconds);
        free(trials->trial[i].bind_list);
        free(trials->trial[i].command);
    }
    free(trials->trial);
    *trials = (struct trials){0};
}

static int run_textbook(struct trial *trial, double *seconds, double *cpu_seconds) {
    double begun = system_seconds(CLOCK_MONOTONIC);
    double cpu = system_seconds(CLOCK_THREAD_CPUTIME_ID);
    uint64_t solutions = textbook_count(trial->n), known;
    *seconds = system_seconds(CLOCK_MONOTONIC) - begun;
    *cpu_seconds = system_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    trial->threads = 1;
    trial->result =
        (nq_result){.size = sizeof(nq_result), .n = trial->n, .solutions = solutions};
    if (nq_known_total(trial->n, &known) && known == solutions)
        return EXIT_DONE;
    message("n = %d: the textbook recursion counted %" PRIu64 ", which is not the known total",
            trial->n, solutions);
    return EXIT_WRONG;
}

static int run_count(struct trial *trial, const struct call *call, double *seconds,
                     double *cpu_seconds) {
    struct call one = *call;
    one.options = trial->options;
    double cpu = system_seconds(CLOCK_PROCESS_CPUTIME_ID);
    int code = count_one(&one, trial->n, &trial->result);
    *cpu_seconds = system_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    *seconds = trial->result.seconds;
    trial->threads = trial->result.threads;
    return code;
}

/* kind, number, count: "run 3 of 15", or "warm-up 1 of 3". */
static int run_trial(struct trial *trial, const struct call *call, const char *kind,
                     size_t number, size_t count, double *seconds, double *cpu_seconds) {
    int code = signals_check();
    if (code != EXIT_DONE)
        return code;
    char run[256], short_run[48];
    snprintf(run, sizeof run, "%s %zu of %zu: %s", kind, number, count, trial->label);
    snprintf(short_run, sizeof short_run, "%zu/%zu", number, count);
    struct call one = *call;
    one.run = run;
    one.short_run = short_run;
    if (!trial->textbook && trial->command == NULL && !trial->whole_process)
        return run_count(trial, &one, seconds, cpu_seconds);
    struct progress_view view;
    progress_begin(&view, &one);
    progress_say(&view, trial->n, "counting");
    code = trial->textbook ? run_textbook(trial, seconds, cpu_seconds)
                           : process_run(trial, seconds, cpu_seconds);
    progress_end(&view);
    return code;
}

int trials_run(struct trials *trials, const struct call *call) {
    double seconds, cpu_seconds;
    int code = EXIT_DONE;
    const size_t count = trials->count, runs = count * (size_t)trials->repeat;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        code =
            run_trial(&trials->trial[i], call, "warm-up", i + 1, count, &seconds, &cpu_seconds);
    struct call timed = *call;
    timed.said_choice = true; /* in the warm-up */
    for (size_t run = 0; run < runs && code == EXIT_DONE; run++) {
        struct trial *trial = &trials->trial[run % count];
        code = run_trial(trial, &timed, "run", run + 1, runs, &trial->seconds[run / count],
                         &trial->cpu_seconds[run / count]);
    }
    for (size_t i = 0; i < trials->count && code == EXIT_DONE; i++)
        trials->trial[i].statistics =
            statistics_of(trials->trial[i].seconds, (size_t)trials->repeat);
    return code;
}
