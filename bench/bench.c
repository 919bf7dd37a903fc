/* SPDX-License-Identifier: MIT */
/* The command `nqueens bench [N]`: lists the trials that the options ask for, and times them in
 * turns. */
#include "bench/bench.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "commands/counting.h"
#include "commands/input.h"
#include "core/known.h"
#include "core/text.h"
#include "machine/clock.h"
#include "methods/methods.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* `bench` counts boards from LEAST_N to MOST_N, because their completions are known. USUAL_N is
 * the default; a thread with AVX-512 counts it in half a second. */
enum { LEAST_N = 8, MOST_N = 22, USUAL_N = 18 };

/* Options of the command line. */
static const char *threads_given, *output; /* NULL if not given */
static uint64_t repeat;                    /* 0 if not given */
static double all_seconds = 10; /* seconds for all timings, those to warm up included */

static int bench_describe_machine(struct bench *bench) {
    nq_options options = given.count;
    options.kernel = options.device = NULL;
    options.threads = 0;
    if (options.bind == NQ_BIND_NONE && threads_given == NULL)
        bench->options.smt = false; /* it only decides the default number of threads */
    if (getloadavg(&bench->load, 1) != 1)
        bench->load = -1;
    bench->machine = (nq_machine)NQ_MACHINE_INIT;
    const nq_status status = nq_describe_machine(&options, &bench->machine, NULL, 0);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}

/* Adds a trial, unless there is one like it, and has the library check its options. kernel: a
 * name in the method's list, or NULL for devices. Returns an exit code. */
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
    trial->options = bench->options;
    trial->options.kernel = kernel;
    trial->options.threads = threads;
    if (kernel != NULL) {
        trial->options.device = NULL;
        snprintf(trial->label, sizeof trial->label, "%s, %d thread%s", kernel, threads,
                 threads == 1 ? "" : "s");
    } else { /* bind and smt are for the threads of the other trials */
        trial->options.bind = NQ_BIND_AUTO;
        trial->options.smt = false;
        snprintf(trial->label, sizeof trial->label, "%s", nqi_kernel_named(&trial->options));
    }
    return counting_try_options(&trial->options);
}

/* Adds a trial of the kernel with each number of threads. Returns an exit code. */
static int bench_add_kernel(struct bench *bench, const char *kernel) {
    char usual[32];
    snprintf(usual, sizeof usual, "1,%d", bench->machine.threads);
    int code = EXIT_DONE, first, last;
    for (const char *rest = threads_given != NULL ? threads_given : usual;
         rest != NULL && code == EXIT_DONE;) {
        if (!nqi_text_range(&rest, &first, &last) || first < 1 || last > NQ_MAX_THREADS)
            return usage_error("--threads: '%.60s': expected numbers from 1 to %d, such as "
                               "1,2,4-8",
                               threads_given, NQ_MAX_THREADS);
        for (int threads = first; threads <= last && code == EXIT_DONE; threads++)
            code = bench_add(bench, kernel, threads);
    }
    return code;
}

/* Adds trials of each kernel in the list with each number of threads, and then one of devices.
 * Returns an exit code. */
static int bench_add_all(struct bench *bench) {
    const struct kernel *const *kernels = nqi_default_method()->kernels, *kernel;
    const bool devices = bench->options.device != NULL;
    const char *list = bench->options.kernel != NULL ? bench->options.kernel : "auto";
    char all[96] = "", word[64];
    int code = EXIT_DONE;
    for (size_t i = 0; kernels[i] != NULL; i++)
        if (nqi_kernel_runs_here(kernels[i]))
            text_add(all, sizeof all, "%s%s", i > 0 ? "," : "", kernels[i]->name);
    if (strcmp(list, "all") == 0)
        list = all;
    if (devices && threads_given == NULL && given.count.kernel == NULL)
        list = NULL;
    while (list != NULL && code == EXIT_DONE) {
        struct failure failure = {0};
        const size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        list = list[length] == ',' ? list + length + 1 : NULL;
        const nq_status status = nqi_kernel_choose(kernels, word, &kernel, &failure);
        if (status != NQ_OK)
            return say_failure(status, &failure);
        if (kernel->on_devices)
            return usage_error("--kernel: '%s': devices are timed by '--device'", kernel->name);
        code = bench_add_kernel(bench, kernel->name);
    }
    return code == EXIT_DONE && devices ? bench_add(bench, NULL, 0) : code;
}

/* Returns the CPU time of all threads of the process, in seconds. */
static double bench_cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Counts once, and stores the time as timing number `round` of the trial. kind, number, count:
 * shown as in "timing 3 of 15" or "warm-up 1 of 3". Returns an exit code. */
static int bench_time_trial(struct bench *bench, struct trial *trial, const char *kind,
                            size_t number, size_t count, size_t round) {
    int code = say_interrupted();
    if (code != EXIT_DONE)
        return code;
    char label[256];
    snprintf(label, sizeof label, "%s %zu of %zu: %s", kind, number, count, trial->label);
    nq_result is = NQ_RESULT_INIT;
    const double cpu = bench_cpu_seconds();
    const struct counting how = {
        .function = nq_count_solutions, .options = &trial->options, .label = label};
    code = counting_count(&how, bench->n, &is);
    if (code != EXIT_DONE) /* the count may have been stopped, so its time says nothing */
        return code;
    trial->cpu_seconds[round] = bench_cpu_seconds() - cpu;
    trial->seconds[round] = is.seconds;
    trial->result = is;
    if (is.work == bench->signature)
        return EXIT_DONE;
    message("n = %d: %s: %" PRIu64 " completions, but %" PRIu64 " are right", bench->n,
            trial->label, is.work, bench->signature);
    return EXIT_WRONG;
}

/* Times each trial once to warm up. Then times all of them in turns, for the number of rounds
 * that --repeat gives or, without this option, for as many as the time allows. Prints what went
 * wrong. After a signal, the rounds that had ended are kept. Returns an exit code. */
static int bench_time_trials(struct bench *bench) {
    const double begun = nqi_seconds_now();
    const size_t count = bench->count;
    int code = EXIT_DONE;
    /* Each warm-up is stored as the trial's first timing, until the first round replaces it. */
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        code = bench_time_trial(bench, &bench->trial[i], "warm-up", i + 1, count, 0);
    const double time = nqi_seconds_now() - begun,
                 rounds = fmax(1, fmin(round(all_seconds / time - 1), MAX_REPEAT));
    const size_t timings = count * (repeat > 0 ? repeat : (size_t)rounds);
    for (size_t i = 0; i < timings && code == EXIT_DONE; i++) {
        code = bench_time_trial(bench, &bench->trial[i % count], "timing", i + 1, timings,
                                i / count);
        if (code == EXIT_DONE)
            bench->timings = (i + 1) / count;
    }
    if (code != EXIT_DONE && code != 128 + signals_caught())
        bench->timings = 0; /* after a failure, timings are not to be trusted */
    return code;
}

static int bench_cannot_write(const char *file) {
    message("'%.100s': cannot be written: %s", file, strerror(errno));
    return EXIT_SYSTEM;
}

static int bench_report(struct bench *bench) {
    struct report *warnings, *report = benchmark_report(bench, &warnings);
    bench_add_statistics(bench, warnings);
    benchmark_add_trials(report, bench);
    int code = EXIT_DONE;
    bench->saved = output != NULL && report_write(report, output);
    if (output != NULL && !bench->saved)
        code = bench_cannot_write(output);
    if (given.json) /* printed even if the file could not be written */
        return report_print(report, true) == EXIT_DONE ? code : EXIT_SYSTEM;
    report_free(report);
    benchmark_print_table(bench);
    return code;
}

static int bench_measure(struct bench *bench) {
    int code = bench_describe_machine(bench);
    if (code == EXIT_DONE)
        code = bench_add_all(bench);
    if (code == EXIT_DONE)
        code = bench_time_trials(bench);
    if (bench->timings == 0)
        return code;
    const int reported = bench_report(bench);
    return code != EXIT_DONE ? code : reported;
}

static int bench_run(int count, char **arguments) {
    struct bench bench = {.n = USUAL_N, .options = given.count};
    int code =
        count > 0 ? read_n("bench", count, arguments, LEAST_N, MOST_N, &bench.n) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    nqi_known_completions(bench.n, &bench.signature);
    const bool is_new =
        output != NULL && faccessat(AT_FDCWD, output, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    FILE *stream = output != NULL ? fopen(output, "ae") : NULL; /* fails before time is spent */
    if (output != NULL && stream == NULL)
        return bench_cannot_write(output);
    if (stream != NULL)
        fclose(stream);
    signals_catch();
    code = bench_measure(&bench);
    if (is_new && !bench.saved)
        unlink(output);
    free(bench.trial);
    return code;
}

static const struct option_spec option_thread_list =
    OPTION('t', "threads", "LIST",
           "numbers of threads from 1 to 4096, such as 1,2,4-8 (default: 1, and one per core, "
           "at most the CPU quota)",
           .expected = "numbers from 1 to 4096, such as 1,2,4-8", .text = &threads_given);

static const struct option_spec option_device_trial =
    OPTION(0, "device", "LIST",
           "time devices (GPUs), too: all, or their numbers, such as 0,2-3; without --threads "
           "and --kernel, time devices only",
           .words = "all", .expected = "all, or numbers such as 0,2-3",
           .text = &given.count.device, .read = read_list);

static bool read_kernels(const char *value) {
    (void)value; /* bench_add_all() reads the list */
    return true;
}

static const struct option_spec option_kernel_list =
    OPTION(0, "kernel", "LIST",
           "all, or kernels that 'nqueens info' lists, such as avx2,avx512 (default: auto, the "
           "fastest here)",
           .words = "auto all" KERNEL_WORDS, .text = &given.count.kernel, .read = read_kernels);

static const struct option_spec option_repeat =
    OPTION(0, "repeat", "R",
           "timings of each way to count, 1 to 1000 (default: as many as --for allows)",
           .number = &repeat, .least = 1, .most = MAX_REPEAT);

static bool read_all_seconds(const char *value) {
    return read_time(value, 1, &all_seconds);
}

static const struct option_spec option_measure_for = OPTION(
    0, "for", "TIME",
    "time for all timings, such as 90 (seconds) or 5m (default: 10 s); each way to count "
    "is timed at least once",
    .expected = TIME_EXPECTED("seconds"), .read = read_all_seconds, .conflicts = "repeat");

static const struct option_spec option_output =
    OPTION('o', "output", "FILE", "also write JSON with all timings to FILE",
           .expected = "the name of a file", .text = &output);

const struct command command_bench = {
    .name = "bench",
    .arguments = "[N]",
    .heading = "Measuring",
    .help = "measure the speed of kernels, threads and devices",
    .about =
        "Measures how long a count of N takes with one thread and with one per core; or with "
        "each kernel and each number of threads that the options list, and with the listed "
        "devices together. The counts take turns. Prints medians, and the number of "
        "completions. This signature of N is the same for every kernel and machine, and is "
        "compared with the known one. 'nqueens-plot FILE --output NAME' draws what --output "
        "FILE wrote.",
    .argument = {{"N",
                  "size of the board, 8 to 22, whose completions are known (default: 18)"}},
    .example =
        {{"nqueens bench",
          "in ten seconds: how fast this machine is, and whether it counts as others do"},
         {"nqueens bench 19 --threads 1,2 --output threads.json",
          "one thread and two, and a file for nqueens-plot"},
         {"nqueens bench 17 --kernel all --threads 1", "each kernel that this CPU runs"}},
    .options = {&option_thread_list, &option_device_trial, &option_kernel_list, &option_output,
                &option_measure_for, &option_repeat, &option_format, &option_progress,
                &option_quiet, &option_json, &option_bind, &option_smt},
    .also = "benchmark",
    .run = RUN(bench_run)};
