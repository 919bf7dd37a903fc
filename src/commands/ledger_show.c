/* SPDX-License-Identifier: MIT */
/* `nqueens ledger show FILE`: what a ledger holds. */
#include "commands/ledger_show.h"

#include "cli/number.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "commands/counting.h"
#include "ledger/ledger.h"

#include <inttypes.h>

static size_t ledger_shown_hosts(const struct ledger_info *info) {
    return info->hosts < MAX_HOSTS ? info->hosts : MAX_HOSTS;
}

static void ledger_add_hosts(struct report *list, const struct ledger_info *info) {
    for (size_t i = 0; i < ledger_shown_hosts(info); i++) {
        const struct ledger_host *host = &info->host[i];
        struct report *object = report_object(list, NULL);
        report_text(object, "name", host->name);
        report_count(object, "units", host->units);
        report_seconds(object, "thread_seconds", host->thread_seconds);
        report_text(object, "last", time_text(host->last).text);
    }
}

/* The shards that lack units, as --shard takes them: for people the first few and how many
 * more. */
static void ledger_add_missing(struct report *report, const struct ledger_info *info) {
    enum { MOST = 20 }; /* for people */
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
    ledger_add_hosts(report_list(report, "hosts"), info);
    report_number(report, "hosts_left_out", (int64_t)(info->hosts - ledger_shown_hosts(info)));
    report_text(report, "digest", recorded->digest);
    ledger_add_missing(report, info);
    return report;
}

int ledger_print(const char *file) {
    static struct ledger_info info;
    struct failure failure = {0};
    const nq_status status = nqi_ledger_show(file, &info, &failure);
    int code = EXIT_DONE;
    if (status == NQ_OK || status == NQ_MISMATCH)
        code = report_print(ledger_report(file, &info), given.json);
    return status == NQ_OK ? code : say_failure(status, &failure);
}

/* Prints a line for each of several ledgers, and goes on after one that cannot be read. Returns
 * the exit code of the first failure. */
static int show_several(int count, char **arguments) {
    static const struct column columns[] = {{"n", .width = 2},
                                            {"method", .width = -8},
                                            {"units", .width = 8},
                                            {"done", .width = 8, .name = "units_done"},
                                            {"share %", .width = 8, .name = "share"},
                                            {"seconds", .width = 12, .digits = 1},
                                            {"verdict", .width = -10},
                                            {"ledger", .width = -6}};
    static struct ledger_info info;
    struct table table = {columns, 8, format_given(), false};
    int first = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        struct failure failure = {0};
        const nq_status status = nqi_ledger_show(arguments[i], &info, &failure);
        int code = status == NQ_OK ? EXIT_DONE : say_failure(status, &failure);
        if (status == NQ_OK || status == NQ_MISMATCH) {
            const int printed = table_row(&table, ledger_report(arguments[i], &info));
            code = code == EXIT_DONE ? printed : code;
        }
        first = first == EXIT_DONE ? code : first;
    }
    return first;
}

static int show_run(int count, char **arguments) {
    return count > 1 ? show_several(count, arguments) : ledger_print(arguments[0]);
}

const struct command command_ledger_show = {
    .name = "ledger show",
    .arguments = "FILE...",
    .heading = "Ledgers",
    .help = "check a ledger, and print what it holds",
    .about =
        "Checks every row of a ledger, the file in which 'nqueens count --ledger FILE' keeps "
        "the result of every unit of work, and prints what the ledger holds.",
    .argument = {{"FILE", "a ledger; of several, a line is printed for each"}},
    .example = {{"nqueens ledger show n22.ledger", "how far the count is"},
                {"nqueens ledger show shard1 shard2", "a line for each ledger"}},
    .options = {&option_json},
    .run = RUN(show_run)};
