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

/* The number of CPUs in a list such as "0-3,8". */
static int json_cpus_in_list(const char *list) {
    int count = 0, first, last;
    while (list != NULL && nqi_text_range(&list, &first, &last))
        count += last - first + 1;
    return count;
}

/* Reads one attribute of a cache. */
static bool json_cache_line(int index, const char *what, char *text, size_t size) {
    char file[96];
    snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    return system_line(file, text, size);
}

/* The caches of the first CPU, from the first level on, as Google Benchmark lists them. */
static json_t *json_caches(void) {
    json_t *caches = json_array();
    char type[32], level[16], size[32], shared[256];
    for (int i = 0; json_cache_line(i, "type", type, sizeof type) &&
                    json_cache_line(i, "level", level, sizeof level) &&
                    json_cache_line(i, "size", size, sizeof size);
         i++) {
        json_cache_line(i, "shared_cpu_list", shared, sizeof shared);
        char *unit;
        long long bytes = strtoll(size, &unit, 10); /* "32K" */
        bytes *= *unit == 'M' ? 1 << 20 : *unit == 'K' ? 1 << 10 : 1;
        json_add_item(caches, json_pack("{s:o, s:i, s:I, s:i}", "type", json_text(type),
                                        "level", atoi(level), "size", (json_int_t)bytes,
                                        "num_sharing", json_cpus_in_list(shared)));
    }
    return caches;
}

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
            json_add_member(settings, nqi_escape_text(name, escaped, sizeof escaped),
                            json_text(*variable + length + 1));
        }
    return settings;
}

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

static json_t *json_context(const struct bench *bench) {
    const nq_machine *machine = &bench->machine;
    char host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &local);
    json_t *context =
        json_pack("{s:s, s:o, s:s, s:s, s:i, s:s, s:s, s:o, s:b}", "date", date, "host_name",
                  json_text(host), "executable", "nqueens", "command", bench->suite, "n",
                  bench->n, "version", nq_version(), "build", machine->build, "caches",
                  json_caches(), "cpu_scaling_enabled",
                  bench->governor[0] != '\0' && strcmp(bench->governor, "performance") != 0);
    json_add_members(
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

/* The members that all entries of a trial share. */
static json_t *json_entry(const struct bench *bench, size_t index, const char *name,
                          const char *type) {
    const struct trial *trial = &bench->trial[index];
    const nq_result *r = &trial->result;
    json_t *entry =
        json_pack("{s:o, s:i, s:o, s:s, s:i, s:i, s:i, s:o}", "name", json_text(name),
                  "family_index", (int)index, "run_name", json_text(trial->name), "run_type",
                  type, "repetitions", (int)trial->runs, "threads", trial->result.threads, "n",
                  trial->n, "solutions", json_count(r->solutions));
    if (r->kernel != NULL)
        json_add_members(entry,
                         json_pack("{s:s, s:s, s:i, s:s, s:s, s:o, s:o}", "method",
                                   r->job.method, "plan", r->job.plan, "depth", r->job.depth,
                                   "kernel", r->kernel, "work_name", r->work_name, "work",
                                   json_count(r->work), "units", json_count(r->units)));
    if (trial->bind_list != NULL)
        json_add_member(entry, "pus", json_text(trial->bind_list));
    return entry;
}

static json_t *json_run(const struct bench *bench, size_t index, int repetition) {
    const struct trial *trial = &bench->trial[index];
    json_t *entry = json_entry(bench, index, trial->name, "iteration");
    json_add_members(entry,
                     json_pack("{s:i, s:i, s:f, s:f, s:s, s:f}", "repetition_index", repetition,
                               "iterations", 1, "real_time", trial->seconds[repetition],
                               "cpu_time", trial->seconds[bench->repeat + repetition],
                               "time_unit", "s", "items_per_second",
                               (double)trial->result.solutions / trial->seconds[repetition]));
    return entry;
}

static json_t *json_aggregate(const struct bench *bench, size_t index, const char *what,
                              double value) {
    const struct trial *trial = &bench->trial[index];
    char name[128];
    snprintf(name, sizeof name, "%s_%s", trial->name, what);
    json_t *entry = json_entry(bench, index, name, "aggregate");
    json_add_members(entry, json_pack("{s:s, s:f, s:s}", "aggregate_name", what, "real_time",
                                      value, "time_unit", "s"));
    return entry;
}

static void json_add_trial(const struct bench *bench, size_t index, json_t *list) {
    const struct trial *trial = &bench->trial[index];
    const struct statistics *s = &trial->statistics;
    for (size_t repetition = 0; repetition < trial->runs; repetition++)
        json_add_item(list, json_run(bench, index, (int)repetition));
    json_add_item(list, json_aggregate(bench, index, "mean", s->mean));
    json_t *median = json_aggregate(bench, index, "median", s->median);
    json_add_members(median,
                     json_pack("{s:f, s:f, s:f, s:i, s:f}", "minimum", s->minimum, "maximum",
                               s->maximum, "spread", s->relative_mad, "outliers",
                               (int)s->outliers, "speedup", speedup(bench, trial)));
    if (trial->series != NULL)
        json_add_member(median, "efficiency",
                        json_real(speedup(bench, trial) / trial->result.threads));
    json_add_item(list, median);
    json_add_item(list, json_aggregate(bench, index, "stddev", s->deviation));
}

json_t *report_json(const struct bench *bench) {
    json_t *list = json_array();
    for (size_t i = 0; i < bench->count; i++)
        json_add_trial(bench, i, list);
    json_t *document =
        json_pack("{s:o, s:o}", "context", json_context(bench), "benchmarks", list);
    if (serial_share(bench) >= 0)
        json_add_member(json_object_get(document, "context"), "serial_share",
                        json_real(serial_share(bench)));
    return document;
}
