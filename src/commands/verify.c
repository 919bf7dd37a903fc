/* SPDX-License-Identifier: MIT */
/* `nqueens verify [A..B]`: counts every n of a range and compares with the known totals; with
 * --minutes again and again: a burn-in. */
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "commands/counting.h"
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>

enum { LONG_N = 22 }; /* larger boards take hours */

static uint64_t from, to = 15;
static const char *from_given, *to_given;
static double minutes;

/* Counts the solutions and classes for n, and prints the result, even a wrong one: the reader
 * wants to see which counts are wrong. */
static int verify_one(const nq_options *options, int n, struct table *table) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes classes;
    int code = count_classes(nq_count_solutions, n, options, &result, &classes);
    if ((code != EXIT_DONE && code != EXIT_WRONG) || result.kernel == NULL) /* nothing counts */
        return code;
    const bool counted = result.complete && result.verdict != NQ_WRONG;
    if (!counted) /* including a count that failed its own checks */
        result.verdict = NQ_WRONG;
    struct report *row = result_report(options, &result, counted ? &classes : NULL);
    if (!given.json) /* so that nobody misses it */
        report_text(row, "mark", code == EXIT_WRONG ? "WRONG" : verdict_name(result.verdict));
    return table_row(table, row) == EXIT_DONE && fflush(stdout) == 0 ? code : EXIT_SYSTEM;
}

static int verify_range(int first, int last) {
    static const struct column columns[] = {{"n", .width = 2},
                                            {"solutions", .width = 20},
                                            {"classes", .width = 18, .name = "fundamental"},
                                            {"seconds", .width = 10, .digits = 3},
                                            {"verdict", .width = -8, .name = "mark"}};
    struct table table = {columns, 5, format_given(), false};
    int worst = EXIT_DONE, code = EXIT_DONE;
    for (int n = first; n <= last && (code == EXIT_DONE || code == EXIT_WRONG); n++) {
        code = n > first ? say_interrupted() : EXIT_DONE;
        if (code == EXIT_DONE)
            code = verify_one(counting_options(), n, &table);
        if (worst != EXIT_WRONG) /* nothing is worse */
            worst = code;
    }
    return worst;
}

struct burn_in_output {
    struct table table;
    double seconds; /* to go on for */
    double next;    /* seconds into the burn-in of the next line */
    bool said;      /* what was wrong first */
    bool warned;    /* of what the report warns of */
    int failure;    /* exit code of an output that failed */
};

static void burn_in_write(struct burn_in_output *output, const struct burn_in *b) {
    if (b->first_failure[0] != '\0' && !output->said)
        message("%s", b->first_failure);
    output->said = b->first_failure[0] != '\0';
    struct report *row = report_new();
    report_real(row, "minutes", b->seconds / 60);
    report_count(row, "counts", b->counts_done);
    report_count(row, "wrong", b->counts_wrong);
    report_count(row, "units_compared", b->units_compared);
    output->failure = table_row(&output->table, row);
    if (fflush(stdout) != 0)
        output->failure = EXIT_SYSTEM;
}

static bool burn_in_report(void *context, const struct burn_in *so_far) {
    struct burn_in_output *output = context;
    if (so_far->warning != NULL && !output->warned && !given.quiet)
        message("warning: %s", so_far->warning);
    output->warned |= so_far->warning != NULL;
    const bool ends = so_far->seconds >= output->seconds; /* with a line of its own */
    if ((so_far->seconds >= output->next && !ends) ||
        (so_far->counts_wrong > 0 && !output->said)) {
        burn_in_write(output, so_far);
        output->next = so_far->seconds + 60;
    }
    return signals_caught() == 0 && output->failure == EXIT_DONE;
}

static int burn_in(int first, int last, double seconds) {
    static const struct column columns[] = {
        {"minutes", .width = 9, .digits = 1},
        {"counts", .width = 12},
        {"wrong", .width = 8},
        {"units compared", .width = 18, .name = "units_compared"}};
    struct burn_in_output output = {
        .table = {columns, 4, format_given(), false}, .seconds = seconds, .next = 60};
    const struct burn_in_request request = {.first = first,
                                            .last = last,
                                            .seconds = seconds,
                                            .report = burn_in_report,
                                            .context = &output};
    struct burn_in result;
    struct failure failure = {0};
    const nq_status status = nqi_burn_in(&request, counting_options(), &result, &failure);
    if (status != NQ_OK && status != NQ_CANCELLED && status != NQ_MISMATCH)
        return say_options_failure(status, &failure);
    if (output.failure == EXIT_DONE)
        burn_in_write(&output, &result);
    const int interrupted = say_interrupted();
    if (status == NQ_MISMATCH)
        return EXIT_WRONG;
    if (interrupted != EXIT_DONE || output.failure != EXIT_DONE)
        return interrupted != EXIT_DONE ? interrupted : output.failure;
    if (result.counts_done > 0)
        return EXIT_DONE;
    return usage_error("--minutes: '%g': too short to count one board: nothing is verified",
                       seconds / 60);
}

static int verify_run(int count, char **arguments) {
    int first = (int)from, last = (int)to;
    if (to_given == NULL && first > last)
        last = first;
    if (count == 1 && (from_given != NULL || to_given != NULL))
        return usage_error("'--from' and '--to' do not go with a range, here '%.60s'",
                           arguments[0]);
    if (count == 1 && !read_range(arguments[0], 0, NQ_MAX_KNOWN_N, &first, &last))
        return usage_error("verify: '%.60s': expected a range such as 4..17, the smaller "
                           "number first, from 0 to %d: no total is known beyond",
                           arguments[0], NQ_MAX_KNOWN_N);
    if (first > last)
        return usage_error("verify: --from %d is above --to %d", first, last);
    if (minutes > 0 && given.stop_after > 0) { /* a burn-in ends by the shorter one */
        minutes = fmin(minutes, given.stop_after / 60);
        signals_stop_after(0);
    }
    if (last > LONG_N && minutes == 0 && !given.quiet)
        message("n = %d takes hours or more: 'nqueens estimate %d' tells how long", last, last);
    signals_catch();
    return minutes > 0 ? burn_in(first, last, 60 * minutes) : verify_range(first, last);
}

static bool read_minutes(const char *value) {
    return read_decimal(value, "", 1000000, &minutes);
}

#define KNOWN_N "a whole number from 0 to 27, the last known total"

static const struct option_row option_from =
    OPTION(0, "from", "A", "first n to verify, 0 to 27 (default: 0)", .expected = KNOWN_N,
           .text = &from_given, .number = &from, .most = NQ_MAX_KNOWN_N);

static const struct option_row option_to =
    OPTION(0, "to", "B", "last n to verify, 0 to 27 (default: 15)", .expected = KNOWN_N,
           .text = &to_given, .number = &to, .most = NQ_MAX_KNOWN_N);

static const struct option_row option_minutes = OPTION(
    0, "minutes", "M",
    "count the boards again and again for M minutes, by each method and kernel: a burn-in",
    .expected = "a number above 0 and at most 1000000", .read = read_minutes,
    .conflicts = "progress time", .why = ": a burn-in prints a line a minute");

const struct command command_verify = {
    .name = "verify",
    .arguments = "[A..B]",
    .heading = "Count and verify",
    .help = "count a range of boards; compare with the known totals",
    .about =
        "Counts the solutions and the classes of every board from A to B, or from --from to "
        "--to, and compares them with the known numbers. Prints a line for each board, even "
        "if it is wrong. With --minutes it is a burn-in: it counts the boards again and "
        "again, by each method with each kernel, compares every unit with an earlier count, "
        "and prints a line a minute.",
    .argument = {{"A..B", "the boards to verify, 0 to 27 (default: 0..15)"}},
    .example = {{"nqueens verify", "boards of 0 to 15"},
                {"nqueens verify 10..17", "boards of 10 to 17"},
                {"nqueens verify 14..17 --minutes 60", "an hour's test of the machine"}},
    .options = {&option_threads, &option_device, &option_for, &option_format, &option_from,
                &option_to, &option_minutes, &option_progress, &option_time, &option_quiet,
                &option_json_lines, &option_method, &option_kernel, &option_bind, &option_smt},
    .run = RUN(verify_run)};
