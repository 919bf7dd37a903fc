#include "cli/bench/report.h"

#include "cli/bench/summary.h"
#include "cli/bench/system.h"
#include "cli/output.h"
#include "cli/shown.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LABEL_WIDTH = 40 }; /* of the labels that the table shows, at most */

static void put_label(const char *label, FILE *stream) {
    fprintf(stream, "%.*s", (int)shown_fit(label, LABEL_WIDTH), label);
}

void report_table(const struct bench *bench, const struct trials *trials) {
    const struct trial *baseline = baseline_of(trials);
    bool scaling = baseline->series != NULL;
    printf("# n = %d, %d run%s of each in turns; seconds: the median run\n"
           "# MAD: median absolute deviation, x 1.4826, in %% of the median\n",
           bench->n, trials->repeat, trials->repeat == 1 ? "" : "s");
    if (baseline->textbook)
        printf("# T = %.4g s, the textbook recursion at n = %d\n", baseline->statistics.median,
               baseline->n);
    printf("%-24s %7s %11s %7s %12s %12s", "benchmark", "threads", "seconds", "MAD",
           "solutions/s", "work/s");
    puts(scaling ? "  speedup efficiency" : baseline->textbook ? "     in T" : "  times");
    for (size_t i = 0; i < trials->count; i++) {
        const struct trial *trial = &trials->trial[i];
        char threads[12] = "-", work[16] = "-", mad[16] = "-  ";
        if (trial->threads > 0)
            snprintf(threads, sizeof threads, "%d", trial->threads);
        if (trial->result.work > 0)
            snprintf(work, sizeof work, "%.3e", rate((double)trial->result.work, trial));
        if (trials->repeat > 1)
            snprintf(mad, sizeof mad, "%.1f %%", 100 * trial->statistics.relative_mad);
        char label[sizeof trial->label];
        snprintf(label, sizeof label, "%.*s", (int)shown_fit(trial->label, LABEL_WIDTH),
                 trial->label);
        shown_put(label, 24, stdout);
        printf(" %7s %11.6f %7s %12.3e %12s", threads, trial->statistics.median, mad,
               rate((double)trial->result.solutions, trial), work);
        if (scaling)
            printf(" %8.2f %8.1f %%\n", speedup(trials, trial),
                   100 * speedup(trials, trial) / trial->threads);
        else
            printf(" %8.3f\n", trial->statistics.median / baseline->statistics.median);
    }
    if (scaling && serial_share_of(trials) >= 0)
        printf("# serial share by Amdahl's law (%s): %.2f %%\n", baseline->series,
               100 * serial_share_of(trials));
    if (summary_write(stdout, trials, "# ", put_label)) {
        fputs("# ", stdout);
        summary_explain(stdout, trials);
    }
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
        "version", nq_version(), "build", machine->build, "caches", system_caches(),
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
    if (trial->command != NULL)
        json_add_member(entry, "command", json_text(trial->command));
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
