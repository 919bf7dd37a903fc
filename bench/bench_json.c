/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include "cli/output.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The environment variables set for OpenMP, hwloc and this program, but for the empty one that
 * the program sets itself. */
static json_t *json_settings(void) {
    static const char *const heeded[] = {"OMP_", "GOMP_", "HWLOC_", "NQUEENS_"};
    json_t *settings = json_object();
    for (char **variable = environ; *variable != NULL; variable++)
        for (size_t i = 0; i < sizeof heeded / sizeof *heeded; i++) {
            char name[64], escaped[4 * sizeof name];
            size_t length = strcspn(*variable, "=");
            if (strncmp(*variable, heeded[i], strlen(heeded[i])) != 0 ||
                strcmp(*variable, "HWLOC_PLUGINS_PATH=") == 0 || length >= sizeof name)
                continue;
            memcpy(name, *variable, length);
            name[length] = '\0';
            json_object_set_new(settings, nqi_escape_text(name, escaped, sizeof escaped),
                                json_text(*variable + length + 1));
        }
    return settings;
}

static json_t *json_pus(const struct bench *bench) {
    json_t *pus = json_array();
    for (int i = 0; i < bench->machine.threads; i++)
        if (bench->places[i].pu >= 0)
            json_array_append_new(
                pus, json_pack("{s:i, s:i, s:i, s:i}", "pu", bench->places[i].pu, "core",
                               bench->places[i].core, "cache", bench->places[i].cache,
                               "package", bench->places[i].package));
    return pus;
}

static json_t *json_context(const struct bench *bench) {
    const nq_machine *machine = &bench->machine;
    char host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &local);
    json_t *context = json_pack(
        "{s:s, s:o, s:s, s:s, s:i, s:s, s:s, s:b}", "date", date, "host_name", json_text(host),
        "executable", "nqueens", "command", bench->suite, "n", bench->n, "version",
        nq_version(), "build", machine->build, "cpu_scaling_enabled",
        bench->governor[0] != '\0' && strcmp(bench->governor, "performance") != 0);
    json_object_update_new(
        context,
        json_pack("{s:o, s:s, s:i, s:{s:i, s:i, s:i, s:i}, s:f, s:o, s:o, s:f, s:o, s:o, s:O}",
                  "cpu", json_text(machine->cpu), "features", machine->features, "num_cpus",
                  machine->pus, "topology", "packages", machine->packages, "last_level_caches",
                  machine->caches, "cores", machine->cores, "pus", machine->pus, "quota",
                  machine->quota, "governor", json_text(bench->governor), "smt",
                  json_text(bench->smt), "load_average", bench->load, "pu_list",
                  json_pus(bench), "environment", json_settings(), "warnings",
                  bench->warnings));
    return context;
}

/* Returns an entry of a trial, with its time. what: "median", and the like; NULL: a run. */
static json_t *json_entry(const struct bench *bench, size_t index, const char *what,
                          double seconds) {
    const struct trial *trial = &bench->trial[index];
    const nq_result *r = &trial->result;
    char name[128];
    snprintf(name, sizeof name, what != NULL ? "%s_%s" : "%s", trial->name, what);
    json_t *entry =
        json_pack("{s:o, s:i, s:o, s:s, s:i, s:i, s:i, s:o, s:f, s:s}", "name", json_text(name),
                  "family_index", (int)index, "run_name", json_text(trial->name), "run_type",
                  what != NULL ? "aggregate" : "iteration", "repetitions", (int)trial->runs,
                  "threads", r->threads, "n", trial->n, "solutions", json_count(r->solutions),
                  "real_time", seconds, "time_unit", "s");
    if (r->kernel != NULL)
        json_object_update_new(entry, json_pack("{s:s, s:s, s:i, s:s, s:s, s:o, s:o}", "method",
                                                r->job.method, "plan", r->job.plan, "depth",
                                                r->job.depth, "kernel", r->kernel, "work_name",
                                                r->work_name, "work", json_count(r->work),
                                                "units", json_count(r->units)));
    if (trial->bind_list != NULL)
        json_object_set_new(entry, "pus", json_text(trial->bind_list));
    if (what != NULL)
        json_object_set_new(entry, "aggregate_name", json_string(what));
    return entry;
}

static void json_add_trial(const struct bench *bench, size_t index, json_t *list) {
    const struct trial *trial = &bench->trial[index];
    const struct statistics *s = &trial->statistics;
    for (size_t i = 0; i < trial->runs; i++) {
        const double seconds = trial->seconds[i];
        json_t *run = json_entry(bench, index, NULL, seconds);
        json_object_update_new(
            run, json_pack("{s:i, s:i, s:f, s:f}", "repetition_index", (int)i, "iterations", 1,
                           "cpu_time", trial->seconds[(size_t)bench->repeat + i],
                           "items_per_second", (double)trial->result.solutions / seconds));
        json_array_append_new(list, run);
    }
    json_array_append_new(list, json_entry(bench, index, "mean", s->mean));
    json_t *median = json_entry(bench, index, "median", s->median);
    json_object_update_new(median, json_pack("{s:f, s:f, s:f, s:i, s:f}", "minimum", s->minimum,
                                             "maximum", s->maximum, "spread", s->relative_mad,
                                             "outliers", (int)s->outliers, "speedup",
                                             speedup(bench, trial)));
    if (trial->series != NULL)
        json_object_set_new(median, "efficiency",
                            json_real(speedup(bench, trial) / trial->result.threads));
    json_array_append_new(list, median);
    json_array_append_new(list, json_entry(bench, index, "stddev", s->deviation));
}

json_t *report_json(const struct bench *bench) {
    json_t *list = json_array();
    for (size_t i = 0; i < bench->count; i++)
        json_add_trial(bench, i, list);
    json_t *document =
        json_pack("{s:o, s:o}", "context", json_context(bench), "benchmarks", list);
    if (serial_share(bench) >= 0)
        json_object_set_new(json_object_get(document, "context"), "serial_share",
                            json_real(serial_share(bench)));
    return document;
}
