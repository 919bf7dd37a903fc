#include "bench/report.h"

#include "bench/system.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static json_t *json_pus(const struct bench *bench) {
    json_t *pus = json_array();
    for (int i = 0; i < bench->machine.threads; i++)
        if (bench->places[i].pu >= 0)
            json_add_item(pus,
                          json_pack("{s:i, s:i, s:i, s:i}", "pu", bench->places[i].pu, "core",
                                    bench->places[i].core, "cache", bench->places[i].cache,
                                    "package", bench->places[i].package));
    return pus;
}

static json_t *json_context(const struct bench *bench, const struct conditions *conditions) {
    const nq_machine *machine = &bench->machine;
    char host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &local);
    json_t *context = json_pack(
        "{s:s, s:o, s:s, s:s, s:i, s:s, s:s, s:o, s:b}", "date", date, "host_name",
        json_text(host), "executable", "nqueens", "command", bench->suite, "n", bench->n,
        "version", nq_version(), "build", nq_build(), "caches", system_caches(),
        "cpu_scaling_enabled",
        conditions->governor[0] != '\0' && strcmp(conditions->governor, "performance") != 0);
    json_add_members(
        context,
        json_pack("{s:o, s:s, s:i, s:{s:i, s:i, s:i, s:i}, s:f, s:o, s:o, s:f, s:o, s:o, s:O}",
                  "cpu", json_text(machine->cpu), "features", machine->features, "num_cpus",
                  machine->pus, "topology", "packages", machine->packages, "last_level_caches",
                  machine->caches, "cores", machine->cores, "pus", machine->pus, "quota",
                  machine->quota, "governor", json_text(conditions->governor), "smt",
                  json_text(conditions->smt), "load_average", conditions->load, "pu_list",
                  json_pus(bench), "environment", system_settings(), "warnings",
                  conditions->warnings));
    return context;
}

/* The members that all entries of a trial share. */
static json_t *json_entry(const struct trials *trials, size_t index, const char *name,
                          const char *type) {
    const struct trial *trial = &trials->trial[index];
    const nq_result *r = &trial->result;
    json_t *entry =
        json_pack("{s:o, s:i, s:o, s:s, s:i, s:i, s:i, s:o}", "name", json_text(name),
                  "family_index", (int)index, "run_name", json_text(trial->name), "run_type",
                  type, "repetitions", trials->repeat, "threads", trial->threads, "n", trial->n,
                  "solutions", json_count(r->solutions));
    if (r->method != NULL)
        json_add_members(entry,
                         json_pack("{s:s, s:s, s:i, s:s, s:s, s:o, s:o}", "method", r->method,
                                   "plan", r->plan, "depth", r->depth, "kernel", r->kernel,
                                   "work_name", r->work_name, "work", json_count(r->work),
                                   "units", json_count(r->units)));
    if (trial->bind_list != NULL)
        json_add_member(entry, "pus", json_text(trial->bind_list));
    return entry;
}

static json_t *json_run(const struct trials *trials, size_t index, int repetition) {
    const struct trial *trial = &trials->trial[index];
    json_t *entry = json_entry(trials, index, trial->name, "iteration");
    json_add_members(
        entry, json_pack("{s:i, s:i, s:f, s:f, s:s, s:f}", "repetition_index", repetition,
                         "iterations", 1, "real_time", trial->seconds[repetition], "cpu_time",
                         trial->cpu_seconds[repetition], "time_unit", "s", "items_per_second",
                         (double)trial->result.solutions / trial->seconds[repetition]));
    return entry;
}

static json_t *json_aggregate(const struct trials *trials, size_t index, const char *what,
                              double value) {
    const struct trial *trial = &trials->trial[index];
    char name[128];
    snprintf(name, sizeof name, "%s_%s", trial->name, what);
    json_t *entry = json_entry(trials, index, name, "aggregate");
    json_add_members(entry, json_pack("{s:s, s:f, s:s}", "aggregate_name", what, "real_time",
                                      value, "time_unit", "s"));
    return entry;
}

static void add_trial(const struct trials *trials, size_t index, json_t *list) {
    const struct trial *trial = &trials->trial[index];
    const struct statistics *s = &trial->statistics;
    for (int repetition = 0; repetition < trials->repeat; repetition++)
        json_add_item(list, json_run(trials, index, repetition));
    json_add_item(list, json_aggregate(trials, index, "mean", s->mean));
    json_t *median = json_aggregate(trials, index, "median", s->median);
    json_add_members(median,
                     json_pack("{s:f, s:f, s:f, s:i, s:f}", "minimum", s->minimum, "maximum",
                               s->maximum, "spread", s->relative_mad, "outliers",
                               (int)s->outliers, "speedup", speedup(trials, trial)));
    if (trial->series != NULL)
        json_add_member(median, "efficiency",
                        json_real(speedup(trials, trial) / trial->threads));
    json_add_item(list, median);
    json_add_item(list, json_aggregate(trials, index, "stddev", s->deviation));
}

json_t *report_json(const struct bench *bench, const struct conditions *conditions,
                    const struct trials *trials) {
    json_t *list = json_array();
    for (size_t i = 0; i < trials->count; i++)
        add_trial(trials, i, list);
    json_t *document =
        json_pack("{s:o, s:o}", "context", json_context(bench, conditions), "benchmarks", list);
    if (trials->trial[0].series != NULL && serial_share_of(trials) >= 0)
        json_add_member(json_object_get(document, "context"), "serial_share",
                        json_real(serial_share_of(trials)));
    if (json_is_whole())
        return document;
    json_decref(document);
    return NULL;
}
