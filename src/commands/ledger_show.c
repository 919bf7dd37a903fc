/* SPDX-License-Identifier: MIT */
/* Implements `nqueens ledger show FILE...`, which prints what ledgers hold. */
#include "commands/ledger_show.h"

#include "cli/number.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "commands/counting.h"
#include "core/arrays.h"
#include "ledger/ledger.h"

#include <inttypes.h>

/* Adds the shards that lack units, as --shard takes them. People get the first few, and the
 * number of the others. */
static void ledger_add_missing(struct report *report, const struct ledger_info *info) {
    enum { MOST = 20 }; /* listed for people */
    const uint64_t listed = info->missing < MAX_MISSING ? info->missing : MAX_MISSING;
    const uint64_t left = info->job.units - info->recorded.count;
    char text[1024] = "";
    if (info->recorded.shards == 0) {
        if (!given.json && left > 0)
            report_words(report, "missing", "%" PRIu64 " unit%s", left, left == 1 ? "" : "s");
        else
            report_unknown(report, "missing");
    } else if (given.json) {
        struct report *list = report_list(report, "missing");
        for (uint64_t i = 0; i < listed; i++)
            report_words(list, NULL, "%d/%d", info->missing_shard[i], info->recorded.shards);
    } else {
        for (uint64_t i = 0; i < listed && i < MOST; i++)
            text_add(text, sizeof text, "%s%d/%d", i > 0 ? "," : "", info->missing_shard[i],
                     info->recorded.shards);
        if (info->missing > MOST)
            text_add(text, sizeof text, " and %" PRIu64 " more", info->missing - MOST);
        report_text(report, "missing", text[0] != '\0' ? text : NULL);
    }
    if (given.json)
        report_count(report, "missing_left_out", info->missing - listed);
}

/* Adds how many shards the runs divided the units into, and how many shards are complete. */
static void ledger_add_shards(struct report *report, const struct ledger_info *info) {
    const int shards = info->recorded.shards;
    if (shards > 0) {
        report_number(report, "shards", shards);
        report_number(report, "shards_done", shards - (int)info->missing);
    } else {
        report_unknown(report, "shards");
        report_unknown(report, "shards_done");
    }
}

static struct report *ledger_report(const char *file, const struct ledger_info *info) {
    const struct recorded *recorded = &info->recorded;
    struct report *report = report_new();
    report_text(report, "ledger", file);
    report_number(report, "n", info->job.n);
    report_text(report, "method", info->job.method);
    report_number(report, "units_version", info->job.version);
    report_count(report, "units", info->job.units);
    report_count(report, "units_done", recorded->count);
    report_share(report, "share", info->share);
    report_count(report, "solutions", recorded->solutions);
    report_text(report, "verdict", verdict_name(info->verdict));
    report_count(report, info->work_name, recorded->work);
    report_seconds(report, "seconds", recorded->seconds);
    report_seconds(report, "thread_seconds", recorded->thread_seconds);
    report_seconds(report, "remaining", info->remaining);
    report_number(report, "runs", recorded->runs);
    report_number(report, "runs_killed", recorded->runs_killed);
    report_number(report, "runs_open", recorded->runs_open);
    report_text(report, "digest", recorded->digest);
    report_count(report, "lines_damaged", info->lines_damaged);
    if (info->lines_damaged > 0)
        report_count(report, "first_damaged", info->damaged_line);
    else
        report_unknown(report, "first_damaged");
    ledger_add_shards(report, info);
    ledger_add_missing(report, info);
    return report;
}

/* Prints what a ledger holds: as a line of the table or, if `table` is NULL, as a report of
 * its own. */
static int ledger_print_to(const char *file, struct table *table) {
    struct ledger_info info;
    struct failure failure = {0};
    const nq_status status = nqi_ledger_show(file, &info, &failure);
    int code = EXIT_DONE;
    if (status == NQ_OK || status == NQ_MISMATCH) {
        struct report *report = ledger_report(file, &info);
        code =
            table != NULL ? table_print_line(table, report) : report_print(report, given.json);
    }
    return status == NQ_OK ? code : say_failure(status, &failure);
}

int ledger_print(const char *file) {
    return ledger_print_to(file, NULL);
}

/* Prints the table of several ledgers. If one of them cannot be read, the others are still
 * shown. Returns the greatest exit code. */
static int show_table(int count, char **files) {
    static const struct column columns[] = {
        {"n", .width = 2},
        {"units", .width = 10},
        {"done", .width = 10, .name = "units_done"},
        {"share %", .width = 8, .digits = 1, .name = "share"},
        {"shards", .width = 7},
        {"whole", .width = 6, .name = "shards_done"},
        {"damaged", .width = 7, .name = "lines_damaged"},
        {"verdict", .width = -10},
        {"ledger", .width = -6},
    };
    struct table table = {columns, LENGTH(columns), format_given(), false};
    int worst = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        const int code = ledger_print_to(files[i], &table);
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int show_run(int count, char **arguments) {
    return count > 1 ? show_table(count, arguments) : ledger_print(arguments[0]);
}

static const struct option_spec option_json_of_several = OPTION(
    0, "json", NULL, "print JSON on stdout; of several ledgers, one document on each line",
    .flag = &given.json);

const struct command command_ledger_show = {
    .name = "ledger show",
    .arguments = "FILE...",
    .heading = "Ledgers",
    .help = "check ledgers, and print what they hold",
    .about =
        "Checks every line of a ledger, the file in which 'nqueens count --ledger FILE' keeps "
        "the result of every unit of work, and prints what the ledger holds. Of several "
        "ledgers, such as those of shards, it prints a table.",
    .argument = {{"FILE", "a ledger"}},
    .example = {{"nqueens ledger show n22.ledger", "how far the count is"},
                {"nqueens ledger show shard1 shard2", "how far each shard is"}},
    .options = {&option_json_of_several},
    .run = RUN(show_run)};
