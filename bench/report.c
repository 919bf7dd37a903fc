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

/* The speedup for each of the times as many threads as the baseline has. */
static double report_efficiency(const struct bench *bench, const struct trial *trial) {
    return report_speedup(bench, trial) * bench->trial[0].result.threads /
           trial->result.threads;
}

/* Per second of the median run; 0 if that took no time. */
static double report_rate(double number, const struct trial *trial) {
    return trial->statistics.median > 0 ? number / trial->statistics.median : 0;
}

static json_t *report_row(const struct bench *bench, const struct trial *trial) {
    const struct statistics *s = &trial->statistics;
    const nq_result *r = &trial->result;
    return json_pack("{s:s, s:i, s:f, s:o*, s:f, s:o*, s:f, s:f}", "benchmark", trial->label,
                     "threads", r->threads, "seconds", s->median, "MAD %",
                     bench->runs > 1 ? json_real(100 * s->relative_mad) : NULL, "solutions/s",
                     report_rate((double)r->solutions, trial), "work/s",
                     r->work > 0 ? json_real(report_rate((double)r->work, trial)) : NULL,
                     "speedup", report_speedup(bench, trial), "efficiency %",
                     100 * report_efficiency(bench, trial));
}

static void report_runs(const struct bench *bench, const char *end) {
    printf("# n = %d, %zu run%s of each in turns; %s\n", bench->n, bench->runs,
           bench->runs == 1 ? "" : "s", end);
}

void report_table(const struct bench *bench) {
    static const struct column columns[] = {{"benchmark", .width = -19},
                                            {"threads", .width = 7},
                                            {"seconds", .width = 11, .format = "%.6f"},
                                            {"MAD %", .width = 6, .format = "%.1f"},
                                            {"solutions/s", .width = 11, .format = "%.3e"},
                                            {"work/s", .width = 10, .format = "%.3e"},
                                            {"speedup", .width = 8, .format = "%.3f"},
                                            {"efficiency %", .width = 12, .format = "%.1f"}};
    struct table table = table_of(bench->call, columns, bench->scaling ? 8 : 7);
    if (table.form == TABLE_TEXT)
        report_runs(bench, "seconds: the median run\n# MAD: median absolute deviation, x "
                           "1.4826, in % of the median");
    for (size_t i = 0; i < bench->count; i++)
        table_row(&table, report_row(bench, &bench->trial[i]));
}

/* What counted: the devices, or else the CPU. */
static void report_counter(const struct bench *bench, char *text, size_t size) {
    json_t *counters = devices_json(bench->call), *counter;
    size_t i;
    if (counters == NULL)
        counters = json_pack("[{s:o}]", "name", json_text(bench->machine.cpu));
    text[0] = '\0';
    json_array_foreach(counters, i, counter)
        text_add(text, size, "%s%s", i > 0 ? ", " : "",
                 json_string_value(json_object_get(counter, "name")));
    json_decref(counters);
}

void report_score(const struct bench *bench) {
    const struct trial *one = &bench->trial[0], *all = &bench->trial[bench->count - 1];
    const nq_result *r = &all->result;
    char counter[1000], threads[24] = "", alone[24] = "";
    report_counter(bench, counter, sizeof counter);
    report_runs(bench, "rates: the median run");
    printf("score:     %.3e %s/s by ", report_rate((double)r->work, all), r->work_name);
    if (bench->call->options.device == NULL) {
        snprintf(threads, sizeof threads, "%d", r->threads);
        snprintf(alone, sizeof alone, "%.3e", report_rate((double)r->work, one));
        printf("%s thread%s, %s by one\n", threads, r->threads == 1 ? "" : "s", alone);
    } else {
        printf("%s\n", counter);
    }
    printf("signature: %" PRIu64 " %s of n = %d%s\n", r->work, r->work_name, bench->n,
           bench->judged ? ", right" : "");
    printf("| %s | %s | %s | %d | %.3e | %s | %" PRIu64 " | %s, %s |\n", counter, threads,
           r->kernel, bench->n, report_rate((double)r->work, all), alone, r->work, nq_version(),
           bench->machine.build);
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
    json_t *context =
        json_pack("{s:s, s:o, s:s, s:s, s:i, s:s, s:s}", "date", date, "host_name",
                  json_text(host), "executable", "nqueens", "command",
                  commands[bench->call->command].name + strlen("bench "), "n", bench->n,
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
    char name[128];
    snprintf(name, sizeof name, median ? "%s_median" : "%s", trial->name);
    json_t *entry = json_pack(
        "{s:o, s:i, s:o, s:s, s:i, s:i, s:i, s:o, s:f, s:s}", "name", json_text(name),
        "family_index", (int)index, "run_name", json_text(trial->name), "run_type",
        median ? "aggregate" : "iteration", "repetitions", (int)bench->runs, "threads",
        r->threads, "n", bench->n, "solutions", json_count(r->solutions),
        "real_time", 1e3 * seconds, "time_unit", "ms"); /* Google's tools round to 1e-4 */
    json_object_update_new(entry,
                           json_pack("{s:s, s:s, s:s, s:o, s:o}", "method", r->job.method,
                                     "kernel", r->kernel, "work_name", r->work_name, "work",
                                     json_count(r->work), "units", json_count(r->units)));
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
    json_object_update_new(median, json_pack("{s:s, s:f, s:f, s:f, s:i, s:f}", "aggregate_name",
                                             "median", "minimum", 1e3 * s->minimum, "maximum",
                                             1e3 * s->maximum, "spread", s->relative_mad,
                                             "outliers", (int)s->outliers, "speedup",
                                             report_speedup(bench, trial)));
    if (bench->scaling)
        json_object_set_new(median, "efficiency", json_real(report_efficiency(bench, trial)));
    json_array_append_new(list, median);
}

static json_t *report_json_score(const struct bench *bench) {
    const struct trial *one = &bench->trial[0], *all = &bench->trial[bench->count - 1];
    const uint64_t work = all->result.work;
    const bool on_devices = bench->call->options.device != NULL;
    return json_pack("{s:i, s:f, s:o*, s:o, s:s}", "threads", all->result.threads, "per_second",
                     report_rate((double)work, all), "per_second_by_one",
                     on_devices ? NULL : json_real(report_rate((double)work, one)), "signature",
                     json_count(work), "verdict", bench->judged ? "verified" : "unverified");
}

json_t *report_json(const struct bench *bench) {
    json_t *list = json_array();
    for (size_t i = 0; i < bench->count; i++)
        report_trial(bench, i, list);
    return json_pack("{s:o, s:o, s:o*}", "context", report_context(bench), "benchmarks", list,
                     "score", bench->score ? report_json_score(bench) : NULL);
}
