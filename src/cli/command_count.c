/* SPDX-License-Identifier: MIT */
/* `nqueens count N... | -` */
#include "cli/devices.h"
#include "cli/monitor.h"
#include "cli/output.h"
#include "cli/placement_file.h"
#include "cli/signals.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether `count` counts one N, as it must for a ledger, and of a given board, which may tell
 * it. */
static bool count_is_of_one(const struct call *call) {
    int first, last;
    return call->argument_count == 0 ||
           (call->argument_count == 1 &&
            read_range(call->arguments[0], 0, NQ_MAX_N, &first, &last) && first == last);
}

static int count_say_failure(const struct call *call, nq_status status, const nq_result *result,
                             const struct failure *failure) {
    if (status != NQ_CANCELLED)
        return say_options_failure(call, status, failure);
    if (call->options.ledger != NULL) {
        message("n = %d: %s; %" PRIu64 " of %" PRIu64
                " units are saved in '%.100s', and the same command carries on",
                result->job.n, interruption(), result->units_done, result->units,
                call->options.ledger);
        return EXIT_SAVED;
    }
    message("n = %d: %s after %" PRIu64 " of %" PRIu64 " units%s", result->job.n,
            interruption(), result->units_done, result->units,
            option_is_open(call, OPTION_ledger) && count_is_of_one(call)
                ? "; --ledger FILE would have kept them"
                : "");
    return exit_code_of(status);
}

static void count_say_time(const nq_result *r) {
    char planning[48] = "", threads[48] = "", devices[1000] = "";
    if (r->plan_seconds >= 0.0005)
        snprintf(planning, sizeof planning, " (%.3f s to plan)", r->plan_seconds);
    if (r->threads > 0) /* none, if the ledger held all units */
        snprintf(threads, sizeof threads, ", %d thread%s (%d bound)", r->threads,
                 r->threads == 1 ? "" : "s", r->threads_bound);
    message("n = %d: %s%s%s, %s", r->job.n, duration_text(r->seconds).text, planning, threads,
            verdict_name(r->verdict));
    json_t *named = devices_json(r->devices), *device;
    size_t i;
    json_array_foreach(named, i, device) {
        text_add(devices, sizeof devices, ", device %d (%s)",
                 (int)json_integer_value(json_object_get(device, "number")),
                 json_string_value(json_object_get(device, "name")));
    }
    json_decref(named);
    message("n = %d: method %s, kernel %s%s", r->job.n, r->job.method, r->kernel, devices);
    const double seconds = r->seconds + r->seconds_recorded;
    if (r->work == UINT64_MAX)
        message("n = %d: %" PRIu64 " units, 2^64 - 1 or more %s", r->job.n, r->units,
                r->work_name);
    else if (r->work > 0 && seconds > 0)
        message("n = %d: %" PRIu64 " units, %" PRIu64 " %s, %.3e %s/s", r->job.n, r->units,
                r->work, r->work_name, (double)r->work / seconds, r->work_name);
    if (r->units_recorded > 0)
        message("n = %d: %" PRIu64 " of the units were recorded before, in %s", r->job.n,
                r->units_recorded, duration_text(r->seconds_recorded).text);
}

static void count_say_warnings(const struct call *call, const nq_result *result) {
    const nq_options *options = &call->options;
    const bool saved = options->ledger != NULL;
    const uint64_t part = (uint64_t)options->shard;
    char rest[256] = "; this is not the whole count";
    if (saved)
        snprintf(rest, sizeof rest, "; %" PRIu64 " of all %" PRIu64 " units are in '%.100s'",
                 result->units_done, result->units, options->ledger);
    if (!result->complete)
        message("n = %d: part %" PRIu64 " of %d is %s%s", result->job.n, part, options->shards,
                (saved ? part > result->units : result->units == 0)
                    ? "empty: there are fewer units than parts"
                    : "done",
                rest);
    else if (result->verdict == NQ_UNVERIFIED && options->board == NULL)
        message("n = %d: unverified: totals are published up to n = %d", result->job.n,
                NQ_MAX_KNOWN_N);
}

int try_options(const struct call *call) {
    nq_options options = call->options;
    nq_result result = NQ_RESULT_INIT;
    options.ledger = NULL;
    const nq_status status = nq_count_solutions(0, &options, &result);
    struct failure failure;
    snprintf(failure.text, sizeof failure.text, "%s", nq_error_message());
    return status == NQ_OK ? EXIT_DONE : say_options_failure(call, status, &failure);
}

int count_one(const struct call *call, int n, nq_result *result) {
    struct monitor monitor;
    const nq_options *options = monitor_begin(&monitor, call, n);
    nq_status status = call->count_function(n, options, result);
    monitor_end(&monitor);
    struct failure failure;
    snprintf(failure.text, sizeof failure.text, "%s", nq_error_message());
    if (status != NQ_OK)
        return count_say_failure(call, status, result, &failure);
    /* A shard's units, as they were told: its ledger may hold others. */
    const uint64_t units = monitor.told.units > 0 ? monitor.told.units : result->units_done;
    monitor_done(&monitor, &(nq_progress){.job = &result->job,
                                          .units = units,
                                          .units_done = units,
                                          .work_name = result->work_name,
                                          .work = result->work,
                                          .seconds = result->seconds});
    if (!is_given(call, OPTION_quiet))
        count_say_warnings(call, result);
    if (is_given(call, OPTION_time))
        count_say_time(result);
    return EXIT_DONE;
}

int count_classes(const struct call *call, int n, nq_result *result, nq_classes *classes) {
    *classes = (nq_classes){0};
    int code = count_one(call, n, result);
    if (code != EXIT_DONE || !result->complete)
        return code;
    nq_status status = nq_count_classes(n, result->solutions, classes);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}

json_t *json_result(const struct call *call, const nq_result *r, const nq_classes *classes) {
    bool wrong_classes = classes != NULL && classes->verdict == NQ_WRONG;
    nq_verdict verdict = wrong_classes ? NQ_WRONG : r->verdict;
    const bool sharded = call->options.shards != 0, saved = call->options.ledger != NULL;
    return json_pack(
        "{s:i, s:o, s:b, s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:i, s:f, s:f, s:s, "
        "s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}",
        "n", r->job.n, "solutions", json_count(r->solutions), "complete", r->complete,
        "verdict", verdict_name(verdict), "method", r->job.method, "kernel", r->kernel,
        r->work_name, json_count(r->work), "units", json_count(r->units), "units_done",
        json_count(r->units_done), "threads", r->threads, "threads_bound", r->threads_bound,
        "seconds", r->seconds, "plan_seconds", r->plan_seconds, "version", nq_version(),
        "fundamental", classes != NULL ? json_count(classes->fundamental) : NULL, "half_turn",
        classes != NULL ? json_count(classes->half_turn) : NULL, "quarter_turn",
        classes != NULL ? json_count(classes->quarter_turn) : NULL, "shard",
        sharded ? json_integer(call->options.shard) : NULL, "shards",
        sharded ? json_integer(call->options.shards) : NULL, "units_recorded",
        saved ? json_count(r->units_recorded) : NULL, "seconds_recorded",
        saved ? json_real(r->seconds_recorded) : NULL, "devices", devices_json(r->devices));
}

/* Counts n and prints the count. */
static int count_and_print(const struct call *call, int n, struct table *table) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes of_board = {0}, *classes = is_given(call, OPTION_fundamental) ? &of_board : NULL;
    int code = classes != NULL ? count_classes(call, n, &result, classes)
                               : count_one(call, n, &result);
    if (code != EXIT_DONE)
        return code;
    /* Else there is none yet, or it comes after the last part. */
    const bool total =
        call->options.ledger == NULL || (result.complete && !is_given(call, OPTION_shard));
    if (is_given(call, OPTION_json) || is_given(call, OPTION_format)) {
        code = table_row(table, json_result(call, &result, classes));
    } else if (total) {
        printf("%" PRIu64 "\n", classes != NULL ? classes->fundamental : result.solutions);
    }
    /* The reader may wait for this count before sending the next N. If this one cannot be
     * written, neither can the next. */
    return code == EXIT_DONE && fflush(stdout) == 0 ? EXIT_DONE : EXIT_SYSTEM;
}

/* Each N from `first` to `last`. */
static int count_range(const struct call *call, int first, int last, struct table *table) {
    int code = EXIT_DONE;
    for (int n = first; n <= last && code == EXIT_DONE; n++) {
        if (call->options.ledger == NULL) /* else the count itself says what is saved */
            code = say_interrupted();
        if (code == EXIT_DONE)
            code = count_and_print(call, n, table);
    }
    return code;
}

static int count_bad_range(const char *where, const char *word) {
    return usage_error("%s: '%.60s': expected a whole number from 0 to %d, or a range such as "
                       "4..17%s",
                       where, word, NQ_MAX_N,
                       strcmp(word, "-") == 0 ? "; '-' stands alone, for stdin" : "");
}

static int count_stdin(const struct call *call, struct table *table) {
    struct text_file text = {.stream = NULL};
    char word[4096], where[40];
    int first, last, code = try_options(call); /* even if no N comes */
    while (code == EXIT_DONE) {
        signals_wait_begin();
        code = say_interrupted();
        if (code == EXIT_DONE && text.stream == NULL)
            code = text_open("-", &text);
        const bool more = code == EXIT_DONE && text_find_word(&text);
        if (more)
            text_read_word(&text, '\n', word, sizeof word);
        signals_wait_end();
        if (!more)
            break;
        snprintf(where, sizeof where, "stdin, line %" PRIu64, text.line);
        if (!read_range(word, 0, NQ_MAX_N, &first, &last))
            return count_bad_range(where, word);
        if (last == 0)
            return EXIT_DONE;
        code = count_range(call, first, last, table);
    }
    return code == EXIT_DONE ? text_check(&text) : code;
}

static int count_arguments(const struct call *call, struct table *table) {
    int code = EXIT_DONE;
    for (int i = 0; i < call->argument_count && code == EXIT_DONE; i++) {
        int first, last;
        read_range(call->arguments[i], 0, NQ_MAX_N, &first, &last);
        code = count_range(call, first, last, table);
    }
    return code;
}

/* Says what is wrong with the call, before the first board is counted. */
static int count_check(const struct call *call, bool from_stdin) {
    int first, last;
    if (call->argument_count == 0 && call->options.board == NULL)
        return usage_error("count: give N, a whole number from 0 to %d, or '-' for stdin",
                           NQ_MAX_N);
    for (int i = 0; !from_stdin && i < call->argument_count; i++)
        if (!read_range(call->arguments[i], 0, NQ_MAX_N, &first, &last))
            return count_bad_range("N", call->arguments[i]);
    if (call->options.ledger != NULL && !count_is_of_one(call))
        return usage_error("--ledger '%.60s': a ledger holds the count of one N",
                           call->options.ledger);
    if (is_given(call, OPTION_shard) && strchr(call->value[OPTION_shard], ',') != NULL &&
        call->options.ledger == NULL)
        return usage_error("--shard '%.60s': several parts go into one '--ledger'",
                           call->value[OPTION_shard]);
    if (is_given(call, OPTION_shard) && is_given(call, OPTION_quiet) &&
        call->options.ledger == NULL && !is_given(call, OPTION_json))
        return usage_error("'--shard' does not go with '--quiet', which would make a part look "
                           "like a count: expected '--json' or '--ledger' as well");
    if (call->options.board != NULL && !count_is_of_one(call))
        return usage_error("--board '%.60s': a file holds the board of one N",
                           call->value[OPTION_board]);
    return EXIT_DONE;
}

int run_count(const struct call *call) {
    const bool from_stdin = call->argument_count == 1 && strcmp(call->arguments[0], "-") == 0;
    int n, code = count_check(call, from_stdin);
    if (code == EXIT_DONE)
        code = call->argument_count == 0 ? read_n(call, 0, NQ_MAX_N, &n) : read_board(call, &n);
    if (code != EXIT_DONE)
        return code;
    struct column columns[] = {{"n", .width = 2},
                               {"solutions", .width = 20},
                               {"seconds", .width = 14, .format = "%.6f"},
                               {"completions", .width = 20},
                               {"nodes", .width = 20},
                               {"classes", .width = 18, .key = "fundamental"},
                               {"verdict", .width = -10}};
    const bool classes = is_given(call, OPTION_fundamental);
    if (!classes)
        columns[5] = columns[6];
    struct table table = table_of(call, columns, 6 + classes);
    signals_catch();
    struct call part = *call;
    const char *shards = call->value[OPTION_shard];
    do {
        if (shards != NULL)
            option_read_shard(&shards, &part.options);
        part.value[OPTION_shard] = shards; /* the rest of the list */
        code = from_stdin                 ? count_stdin(&part, &table)
               : part.argument_count == 0 ? count_range(&part, n, n, &table)
                                          : count_arguments(&part, &table);
    } while (code == EXIT_DONE && shards != NULL);
    return code;
}
