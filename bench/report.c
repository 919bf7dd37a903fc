/* SPDX-License-Identifier: MIT */
/* What the trials say: a table, and a JSON document. */
#include "bench/bench.h"
#include "cli/devices.h"
#include "cli/output.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How many times as fast as the baseline a trial is. */
static double report_speedup(const struct bench *bench, const struct trial *trial) {
    return bench->trial[0].statistics.median / trial->statistics.median;
}

static bool report_is_of_devices(const struct trial *trial) {
    return trial->options.kernel == NULL;
}

/* The speed of a thread, against that in the first trial with the same kernel, times `full`.
 * NULL: devices count. */
static json_t *report_efficiency(const struct bench *bench, const struct trial *trial,
                                 double full) {
    const struct trial *first = bench->trial;
    if (report_is_of_devices(trial))
        return NULL;
    while (first->options.kernel != trial->options.kernel)
        first++;
    return json_real(full * first->statistics.median * first->result.threads /
                     (trial->statistics.median * trial->result.threads));
}

/* Per second of the median run; 0 if that took no time. */
static double report_rate(double number, const struct trial *trial) {
    return trial->statistics.median > 0 ? number / trial->statistics.median : 0;
}

static json_t *report_row(const struct bench *bench, const struct trial *trial) {
    const struct statistics *s = &trial->statistics;
    const nq_result *r = &trial->result;
    return json_pack(
        "{s:s, s:o*, s:f, s:o*, s:f, s:f, s:o*}", "kernel", r->kernel, "threads",
        report_is_of_devices(trial) ? NULL : json_integer(r->threads), "seconds", s->median,
        "MAD %", bench->runs > 1 ? json_real(100 * s->relative_mad) : NULL, "completions/s",
        report_rate((double)r->work, trial), "speedup", report_speedup(bench, trial),
        "efficiency %", report_efficiency(bench, trial, 100));
}

void report_table(const struct bench *bench) {
    static const struct column columns[] = {{"kernel", .width = -11},
                                            {"threads", .width = 7},
                                            {"seconds", .width = 11, .format = "%.6f"},
                                            {"MAD %", .width = 6, .format = "%.1f"},
                                            {"completions/s", .width = 13, .format = "%.3e"},
                                            {"speedup", .width = 8, .format = "%.3f"},
                                            {"efficiency %", .width = 12, .format = "%.1f"}};
    bool differ = false;
    for (size_t i = 0; i < bench->count; i++)
        differ |= !report_is_of_devices(&bench->trial[i]) &&
                  bench->trial[i].options.threads != bench->trial[0].options.threads;
    struct table table = table_of(bench->call, columns, differ ? 7 : 6);
    const bool text = table.form == TABLE_TEXT;
    if (text)
        printf("# n = %d, %zu run%s of each in turns; seconds: the median run\n", bench->n,
               bench->runs, bench->runs == 1 ? "" : "s");
    for (size_t i = 0; i < bench->count; i++)
        table_row(&table, report_row(bench, &bench->trial[i]));
    if (text)
        printf("signature: %" PRIu64 " completions, verified\n", bench->signature);
}

extern char **environ;

/* "NAME=VALUE" of each environment variable set for OpenMP, hwloc and this program, but for the
 * empty one that the program sets itself. */
static json_t *report_settings(void) {
    static const char *const heeded[] = {"OMP_", "GOMP_", "HWLOC_", "NQUEENS_"};
    json_t *settings = json_array();
    for (char **variable = environ; *variable != NULL; variable++)
        for (size_t i = 0; i < sizeof heeded / sizeof *heeded; i++)
            if (strncmp(*variable, heeded[i], strlen(heeded[i])) == 0 &&
                strcmp(*variable, "HWLOC_PLUGINS_PATH=") != 0)
                json_array_append_new(settings, json_text(*variable));
    return settings;
}

/* That of the first CPU's frequency; empty: unknown. */
static json_t *report_governor(void) {
    char governor[32] = "";
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
    if (file != NULL && fscanf(file, "%31s", governor) != 1)
        governor[0] = '\0';
    if (file != NULL)
        fclose(file);
    return json_text(governor);
}

static json_t *report_context(const struct bench *bench) {
    const nq_machine *machine = &bench->machine;
    char host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &local);
    json_t *context = json_pack("{s:s, s:o, s:s, s:i, s:s, s:s}", "date", date, "host_name",
                                json_text(host), "executable", "nqueens", "n", bench->n,
                                "version", nq_version(), "build", machine->build);
    json_object_update_new(
        context,
        json_pack("{s:o, s:s, s:i, s:{s:i, s:i, s:i, s:i}, s:f, s:o, s:f, s:o, s:O}", "cpu",
                  json_text(machine->cpu), "features", machine->features, "num_cpus",
                  machine->pus, "topology", "packages", machine->packages, "last_level_caches",
                  machine->caches, "cores", machine->cores, "pus", machine->pus, "quota",
                  machine->quota, "governor", report_governor(), "load_average", bench->load,
                  "environment", report_settings(), "warnings", bench->warnings));
    return context;
}

/* Returns an entry of a trial, with its time: the median of its runs, or one of them. */
static json_t *report_entry(const struct bench *bench, size_t index, bool median,
                            double seconds) {
    const struct trial *trial = &bench->trial[index];
    const nq_result *r = &trial->result;
    char name[64];
    snprintf(name, sizeof name, "%s/n:%d/threads:%d", r->kernel, bench->n, r->threads);
    json_t *entry = json_pack(
        "{s:s+, s:i, s:s, s:s, s:i, s:i, s:i, s:o, s:f, s:s}", "name", name,
        median ? "_median" : "", "family_index", (int)index, "run_name", name, "run_type",
        median ? "aggregate" : "iteration", "repetitions", (int)bench->runs, "threads",
        r->threads, "n", bench->n, "solutions", json_count(r->solutions), "real_time",
        1e3 * seconds, "time_unit", "ms"); /* Google's tools round to 1e-4 */
    json_object_update_new(
        entry, json_pack("{s:s, s:s, s:s, s:o, s:o, s:o*}", "method", r->job.method, "kernel",
                         r->kernel, "work_name", r->work_name, "work", json_count(r->work),
                         "units", json_count(r->units), "devices", devices_json(r->devices)));
    return entry;
}

static void report_trial(const struct bench *bench, size_t index, json_t *list) {
    const struct trial *trial = &bench->trial[index];
    const struct statistics *s = &trial->statistics;
    for (size_t i = 0; i < bench->runs; i++) {
        const double seconds = trial->seconds[i];
        json_t *run = report_entry(bench, index, false, seconds);
        json_object_update_new(run, json_pack("{s:i, s:i, s:f, s:f}", "repetition_index",
                                              (int)i, "iterations", 1, "cpu_time",
                                              1e3 * trial->cpu_seconds[i], "items_per_second",
                                              (double)trial->result.solutions / seconds));
        json_array_append_new(list, run);
    }
    json_t *median = report_entry(bench, index, true, s->median);
    json_object_update_new(median,
                           json_pack("{s:s, s:f, s:f, s:f, s:i, s:f, s:o*}", "aggregate_name",
                                     "median", "minimum", 1e3 * s->minimum, "maximum",
                                     1e3 * s->maximum, "spread", s->relative_mad, "outliers",
                                     (int)s->outliers, "speedup", report_speedup(bench, trial),
                                     "efficiency", report_efficiency(bench, trial, 1)));
    json_array_append_new(list, median);
}

json_t *report_json(const struct bench *bench) {
    json_t *list = json_array();
    for (size_t i = 0; i < bench->count; i++)
        report_trial(bench, i, list);
    return json_pack("{s:o, s:o, s:o, s:s}", "context", report_context(bench), "benchmarks",
                     list, "signature", json_count(bench->signature), "verdict", "verified");
}
