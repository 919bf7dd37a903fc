/* SPDX-License-Identifier: MIT */
/* Prints the trials as a table, and reports them as JSON in the form of Google Benchmark, which
 * other tools can compare and plot. */
#include "bench/bench.h"
#include "cli/options.h"
#include "commands/counting.h"
#include "core/arrays.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Returns how many times as fast as the baseline the trial is. */
static double trial_speedup(const struct bench *bench, const struct trial *trial) {
    return bench->trial[0].statistics.median / trial->statistics.median;
}

static bool trial_is_of_devices(const struct trial *trial) {
    return trial->options.kernel == NULL;
}

/* Adds the efficiency: the speed of each thread, relative to that in the first trial with the
 * same kernel. Trials of devices have none. */
static void trial_add_efficiency(struct report *report, const char *name,
                                 const struct bench *bench, const struct trial *trial) {
    const struct trial *first = bench->trial;
    if (trial_is_of_devices(trial))
        return;
    while (first->options.kernel != trial->options.kernel)
        first++;
    report_share(report, name,
                 first->statistics.median * first->result.threads /
                     (trial->statistics.median * trial->result.threads));
}

/* Returns the number divided by the seconds of the median timing; 0 if these are 0. */
static double trial_rate(uint64_t number, const struct trial *trial) {
    return trial->statistics.median > 0 ? (double)number / trial->statistics.median : 0;
}

/* Returns the trial's line of the table. */
static struct report *trial_line(const struct bench *bench, const struct trial *trial) {
    struct report *line = report_new();
    report_text(line, "kernel", trial->result.kernel);
    if (!trial_is_of_devices(trial))
        report_number(line, "threads", trial->result.threads);
    report_seconds(line, "seconds", trial->statistics.median);
    if (bench->timings > 1)
        report_share(line, "MAD %", trial->statistics.relative_mad);
    report_rate(line, "completions/s", trial_rate(trial->result.work, trial));
    report_real(line, "speedup", trial_speedup(bench, trial));
    trial_add_efficiency(line, "efficiency %", bench, trial);
    return line;
}

void benchmark_print_table(const struct bench *bench) {
    static const struct column columns[] = {{"kernel", .width = -11},
                                            {"threads", .width = 7},
                                            {"seconds", .width = 11, .digits = 6},
                                            {"MAD %", .width = 6, .digits = 1},
                                            {"completions/s", .width = 13},
                                            {"speedup", .width = 8, .digits = 3},
                                            {"efficiency %", .width = 12, .digits = 1}};
    bool differ = false;
    for (size_t i = 0; i < bench->count; i++)
        differ |= !trial_is_of_devices(&bench->trial[i]) &&
                  bench->trial[i].options.threads != bench->trial[0].options.threads;
    /* Without trials of different numbers of threads, the last column, efficiency, is left out.
     */
    struct table table = {columns, differ ? 7 : 6, format_given(), false};
    const bool text = table.format == FORMAT_TEXT;
    if (text)
        printf("# n = %d, %zu timing%s of each in turns; seconds: the median timing\n",
               bench->n, bench->timings, bench->timings == 1 ? "" : "s");
    for (size_t i = 0; i < bench->count; i++)
        table_print_line(&table, trial_line(bench, &bench->trial[i]));
    if (text)
        printf("signature: %" PRIu64 " completions, verified\n", bench->signature);
}

extern char **environ;

/* Adds each environment variable for OpenMP or hwloc, as "NAME=VALUE". Leaves out
 * HWLOC_PLUGINS_PATH if it is empty, because the program sets that itself. */
static void context_add_settings(struct report *list) {
    static const char *const heeded[] = {"OMP_", "GOMP_", "HWLOC_"};
    for (char **variable = environ; *variable != NULL; variable++)
        for (size_t i = 0; i < LENGTH(heeded); i++)
            if (strncmp(*variable, heeded[i], strlen(heeded[i])) == 0 &&
                strcmp(*variable, "HWLOC_PLUGINS_PATH=") != 0)
                report_text(list, NULL, *variable);
}

/* Adds the frequency governor of the first CPU; "" if it is unknown. */
static void context_add_governor(struct report *context) {
    char governor[32] = "";
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
    if (file != NULL && fscanf(file, "%31s", governor) != 1)
        governor[0] = '\0';
    if (file != NULL)
        fclose(file);
    report_text(context, "governor", governor);
}

struct report *benchmark_report(const struct bench *bench, struct report **warnings) {
    const nq_machine *machine = &bench->machine;
    struct report *report = report_new(), *context = report_object(report, "context");
    char host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &local);
    report_text(context, "date", date);
    report_text(context, "host_name", host);
    report_text(context, "executable", "nqueens");
    report_number(context, "n", bench->n);
    report_text(context, "version", nq_version());
    report_text(context, "build", machine->build);
    report_text(context, "cpu", machine->cpu);
    report_text(context, "features", machine->features);
    report_number(context, "num_cpus", machine->pus);
    machine_add_topology(context, machine);
    report_real(context, "quota", machine->quota);
    context_add_governor(context);
    report_real(context, "load_average", bench->load);
    context_add_settings(report_list(context, "environment"));
    *warnings = report_list(context, "warnings");
    return report;
}

/* Adds an entry for a timing of a trial or, if `median` is true, for the median of its timings.
 * seconds: the time of that timing, or the median. */
static struct report *trial_add_entry(struct report *list, const struct bench *bench,
                                      size_t index, bool median, double seconds) {
    const struct trial *trial = &bench->trial[index];
    const nq_result *r = &trial->result;
    struct report *entry = report_object(list, NULL);
    char name[64];
    snprintf(name, sizeof name, "%s/n:%d/threads:%d", r->kernel, bench->n, r->threads);
    report_words(entry, "name", "%s%s", name, median ? "_median" : "");
    report_number(entry, "family_index", (int64_t)index);
    report_text(entry, "run_name", name);
    report_text(entry, "run_type", median ? "aggregate" : "iteration");
    report_number(entry, "repetitions", (int64_t)bench->timings);
    report_number(entry, "threads", r->threads);
    report_number(entry, "n", bench->n);
    report_count(entry, "solutions", r->solutions);
    report_real(entry, "real_time", 1e3 * seconds);
    report_text(entry, "time_unit", "ms"); /* Google's tools round it to 4 decimals */
    report_text(entry, "method", r->job.method);
    report_text(entry, "kernel", r->kernel);
    report_text(entry, "work_name", r->work_name);
    report_count(entry, "work", r->work);
    report_count(entry, "units", r->units);
    result_add_devices(entry, r);
    return entry;
}

/* Adds an entry for each timing of a trial, and one for their median, with its statistics. */
static void trial_add(struct report *list, const struct bench *bench, size_t index) {
    const struct trial *trial = &bench->trial[index];
    const struct statistics *s = &trial->statistics;
    for (size_t i = 0; i < bench->timings; i++) {
        const double seconds = trial->seconds[i];
        struct report *timing = trial_add_entry(list, bench, index, false, seconds);
        report_number(timing, "repetition_index", (int64_t)i);
        report_number(timing, "iterations", 1);
        report_real(timing, "cpu_time", 1e3 * trial->cpu_seconds[i]);
        report_rate(timing, "items_per_second", (double)trial->result.solutions / seconds);
    }
    struct report *median = trial_add_entry(list, bench, index, true, s->median);
    report_text(median, "aggregate_name", "median");
    report_real(median, "minimum", 1e3 * s->minimum);
    report_real(median, "maximum", 1e3 * s->maximum);
    report_share(median, "spread", s->relative_mad);
    report_number(median, "outliers", (int64_t)s->outliers);
    report_real(median, "speedup", trial_speedup(bench, trial));
    trial_add_efficiency(median, "efficiency", bench, trial);
}

void benchmark_add_trials(struct report *report, const struct bench *bench) {
    struct report *list = report_list(report, "benchmarks");
    for (size_t i = 0; i < bench->count; i++)
        trial_add(list, bench, i);
    report_count(report, "signature", bench->signature);
    report_text(report, "verdict", "verified");
}
