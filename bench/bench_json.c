/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include "cli/output.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* "NAME=VALUE" of each environment variable set for OpenMP, hwloc and this program, but for the
 * empty one that the program sets itself. */
static json_t *json_settings(void) {
    static const char *const heeded[] = {"OMP_", "GOMP_", "HWLOC_", "NQUEENS_"};
    json_t *settings = json_array();
    for (char **variable = environ; *variable != NULL; variable++)
        for (size_t i = 0; i < sizeof heeded / sizeof *heeded; i++)
            if (strncmp(*variable, heeded[i], strlen(heeded[i])) == 0 &&
                strcmp(*variable, "HWLOC_PLUGINS_PATH=") != 0)
                json_array_append_new(settings, json_text(*variable));
    return settings;
}

static json_t *json_context(const struct bench *bench) {
    const nq_machine *machine = &bench->machine;
    char host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &local);
    json_t *context =
        json_pack("{s:s, s:o, s:s, s:s, s:i, s:s, s:s}", "date", date, "host_name",
                  json_text(host), "executable", "nqueens", "command", bench->suite, "n",
                  bench->n, "version", nq_version(), "build", machine->build);
    json_object_update_new(
        context,
        json_pack("{s:o, s:s, s:i, s:{s:i, s:i, s:i, s:i}, s:f, s:o, s:f, s:o, s:O}", "cpu",
                  json_text(machine->cpu), "features", machine->features, "num_cpus",
                  machine->pus, "topology", "packages", machine->packages, "last_level_caches",
                  machine->caches, "cores", machine->cores, "pus", machine->pus, "quota",
                  machine->quota, "governor", json_text(bench->governor), "load_average",
                  bench->load, "environment", json_settings(), "warnings", bench->warnings));
    return context;
}

/* Returns an entry of a trial, with its time: the median of its runs, or one of them. */
static json_t *json_entry(const struct bench *bench, size_t index, bool median,
                          double seconds) {
    const struct trial *trial = &bench->trial[index];
    const nq_result *r = &trial->result;
    char name[128];
    snprintf(name, sizeof name, median ? "%s_median" : "%s", trial->name);
    json_t *entry =
        json_pack("{s:o, s:i, s:o, s:s, s:i, s:i, s:i, s:o, s:f, s:s}", "name", json_text(name),
                  "family_index", (int)index, "run_name", json_text(trial->name), "run_type",
                  median ? "aggregate" : "iteration", "repetitions", (int)trial->runs,
                  "threads", r->threads, "n", trial->n, "solutions", json_count(r->solutions),
                  "real_time", seconds, "time_unit", "s");
    if (r->kernel != NULL)
        json_object_update_new(entry, json_pack("{s:s, s:s, s:i, s:s, s:s, s:o, s:o}", "method",
                                                r->job.method, "plan", r->job.plan, "depth",
                                                r->job.depth, "kernel", r->kernel, "work_name",
                                                r->work_name, "work", json_count(r->work),
                                                "units", json_count(r->units)));
    return entry;
}

static void json_add_trial(const struct bench *bench, size_t index, json_t *list) {
    const struct trial *trial = &bench->trial[index];
    const struct statistics *s = &trial->statistics;
    for (size_t i = 0; i < trial->runs; i++) {
        const double seconds = trial->seconds[i];
        json_t *run = json_entry(bench, index, false, seconds);
        json_object_update_new(
            run, json_pack("{s:i, s:i, s:f, s:f}", "repetition_index", (int)i, "iterations", 1,
                           "cpu_time", trial->seconds[(size_t)bench->repeat + i],
                           "items_per_second", (double)trial->result.solutions / seconds));
        json_array_append_new(list, run);
    }
    json_t *median = json_entry(bench, index, true, s->median);
    json_object_update_new(median,
                           json_pack("{s:s, s:f, s:f, s:f, s:i, s:f}", "aggregate_name",
                                     "median", "minimum", s->minimum, "maximum", s->maximum,
                                     "spread", s->relative_mad, "outliers", (int)s->outliers,
                                     "speedup", speedup(bench, trial)));
    if (bench->scaling)
        json_object_set_new(median, "efficiency",
                            json_real(speedup(bench, trial) / trial->result.threads));
    json_array_append_new(list, median);
}

json_t *report_json(const struct bench *bench) {
    json_t *list = json_array();
    for (size_t i = 0; i < bench->count; i++)
        json_add_trial(bench, i, list);
    return json_pack("{s:o, s:o}", "context", json_context(bench), "benchmarks", list);
}
