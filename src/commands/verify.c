/* SPDX-License-Identifier: MIT */
/* Implements `nqueens verify [N...]`, which counts every n and compares the number with the
 * known total. With --minutes it does so again and again, which is a burn-in. */
#include "cli/monitor.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "commands/counting.h"
#include "measure/measure.h"
#include "methods/methods.h"

#include <math.h>
#include <stdio.h>

enum { LONG_N = 23 }; /* the fastest kernel takes hours of a core for a larger board */

static const char *minutes_given;
static double burn_in_seconds; /* 0 if --minutes is not given */

/* Counts the solutions and classes for n, and prints them even if they are wrong, because
 * the reader wants to see which counts are wrong. */
static int verify_one(const nq_options *options, int n, struct table *table) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes classes;
    const struct counting how = {.function = nq_count_solutions, .options = options};
    int code = counting_count_classes(&how, n, &result, &classes);
    if ((code != EXIT_DONE && code != EXIT_WRONG) || result.kernel == NULL)
        return code;
    const bool counted = result.complete && result.verdict != NQ_WRONG;
    if (!counted) /* a count that failed its own checks is wrong, too */
        result.verdict = NQ_WRONG;
    struct report *line = result_report(options, &result, counted ? &classes : NULL);
    if (!given.json) /* capitals, so that nobody misses a wrong count */
        report_text(line, "mark", code == EXIT_WRONG ? "WRONG" : verdict_name(result.verdict));
    const int printed = table_print_line(table, line);
    return printed == EXIT_DONE && fflush(stdout) == 0 ? code : EXIT_SYSTEM;
}

static int verify_boards(const bool *boards) {
    static const struct column columns[] = {{"n", .width = 2},
                                            {"solutions", .width = 20},
                                            {"classes", .width = 18, .name = "fundamental"},
                                            {"seconds", .width = 10, .digits = 3},
                                            {"verdict", .width = -8, .name = "mark"}};
    struct table table = {columns, 5, format_given(), false};
    int worst = EXIT_DONE, code = EXIT_DONE;
    for (int n = 0; n <= NQ_MAX_KNOWN_N && (code == EXIT_DONE || code == EXIT_WRONG); n++) {
        if (!boards[n])
            continue;
        code = say_interrupted();
        if (code == EXIT_DONE)
            code = verify_one(&given.count, n, &table);
        if (worst != EXIT_WRONG) /* keeps EXIT_WRONG, which is the worst */
            worst = code;
    }
    return worst;
}

struct burn_in_output {
    struct monitor monitor;
    struct table table;
    double next; /* seconds into the burn-in at which to print the next line */
    bool said;   /* the first wrong count has been reported */
    int failure; /* exit code of the last line, EXIT_DONE if it was printed */
};

/* Adds the suspect PUs, as a text such as "3 5" or as a list in JSON. */
static void burn_in_add_suspects(struct report *line, const struct pus *suspects) {
    char text[12 * MAX_PUS] = "";
    struct report *list = given.json ? report_list(line, "suspect_pus") : NULL;
    for (int i = 0; i < suspects->count; i++)
        if (given.json)
            report_number(list, NULL, suspects->pu[i]);
        else
            text_add(text, sizeof text, "%s%d", i > 0 ? " " : "", suspects->pu[i]);
    if (!given.json)
        report_text(line, "suspect_pus", text[0] != '\0' ? text : NULL);
}

static void burn_in_write(struct burn_in_output *output, const struct burn_in *b) {
    monitor_end(&output->monitor);
    if (b->first_failure[0] != '\0' && !output->said)
        message("%s", b->first_failure);
    output->said = b->first_failure[0] != '\0';
    struct report *line = report_new();
    report_real(line, "minutes", b->seconds / 60);
    report_count(line, "counts", b->counts_done);
    report_count(line, "wrong", b->counts_wrong);
    report_count(line, "units_compared", b->units_compared);
    burn_in_add_suspects(line, &b->suspects);
    output->failure = table_print_line(&output->table, line);
    if (fflush(stdout) != 0)
        output->failure = EXIT_SYSTEM;
}

static bool burn_in_report(void *context, const struct burn_in *so_far) {
    struct burn_in_output *output = context;
    if (so_far->counting && !output->table.titled) {
        monitor_end(&output->monitor);
        table_titles(&output->table);
        if (fflush(stdout) != 0)
            output->failure = EXIT_SYSTEM;
    }
    const bool ends = so_far->seconds >= burn_in_seconds; /* the end has a line of its own */
    if ((so_far->seconds >= output->next && !ends) ||
        (so_far->counts_wrong > 0 && !output->said)) {
        burn_in_write(output, so_far);
        output->next = so_far->seconds + 60;
    }
    return signals_caught() == 0 && output->failure == EXIT_DONE;
}

/* Says how to find out which PU counts wrong. */
static void burn_in_say_suspects(const struct pus *suspects) {
    const int pu = suspects->count > 0 ? suspects->pu[0] : -1;
    if (suspects->count == 1)
        message("PU %d counted units wrong; 'nqueens verify --minutes 60 --bind %d' tests only "
                "this PU",
                pu, pu);
    else if (suspects->count > 1)
        message("%d PUs may have counted units wrong; 'nqueens verify --minutes 60 --bind %d' "
                "tests one of them",
                suspects->count, pu);
}

static int burn_in(const bool *boards) {
    static const struct column columns[] = {
        {"minutes", .width = 9, .digits = 1},
        {"counts", .width = 12},
        {"wrong", .width = 8},
        {"units compared", .width = 18, .name = "units_compared"},
        {"suspect PUs", .width = 12, .name = "suspect_pus"}};
    static const double soon = 5; /* seconds until the first line of progress */
    struct burn_in_output output = {.table = {columns, 5, format_given(), false}, .next = 60};
    const struct burn_in_request request = {.boards = boards,
                                            .seconds = burn_in_seconds,
                                            .report = burn_in_report,
                                            .context = &output};
    struct burn_in result;
    struct failure failure = {0};
    int first = 0;
    while (!boards[first])
        first++;
    const nq_options *options = monitor_begin(&output.monitor, first, &given.count, "burn-in");
    output.monitor.next = fmin(output.monitor.next, soon);
    const nq_status status = nqi_burn_in(&request, options, &result, &failure);
    monitor_end(&output.monitor);
    if (status != NQ_OK && status != NQ_CANCELLED && status != NQ_MISMATCH)
        return say_failure(status, &failure);
    if (output.failure == EXIT_DONE)
        burn_in_write(&output, &result);
    burn_in_say_suspects(&result.suspects);
    const int interrupted = say_interrupted();
    if (status == NQ_MISMATCH)
        return EXIT_WRONG;
    if (interrupted != EXIT_DONE || output.failure != EXIT_DONE)
        return interrupted != EXIT_DONE ? interrupted : output.failure;
    if (result.counts_done == 0)
        return usage_error(
            "--minutes: '%.60s': too short to count one board, so nothing was verified",
            minutes_given);
    monitor_done(&output.monitor, &(nq_progress){.job = &(nq_job){.n = first},
                                                 .work_name = nqi_default_method()->work,
                                                 .units = result.units_compared,
                                                 .units_done = result.units_compared,
                                                 .seconds = result.seconds});
    return EXIT_DONE;
}

/* Refuses arguments that are not boards, or ranges of boards, with known totals. */
static int verify_check(int count, char **arguments) {
    int first, last;
    for (int i = 0; i < count; i++)
        if (!read_range(arguments[i], 0, NQ_MAX_KNOWN_N, &first, &last))
            return usage_error(
                "verify: '%.60s': expected a whole number from 0 to %d, or a range such as "
                "4..17 with the smaller number first; larger totals are unknown",
                arguments[i], NQ_MAX_KNOWN_N);
    return EXIT_DONE;
}

static int verify_run(int count, char **arguments) {
    bool boards[NQ_MAX_KNOWN_N + 1] = {false}; /* boards[n]: verify n */
    int first = 0, last = 15, largest = 0, i = 0;
    const int code = verify_check(count, arguments);
    if (code != EXIT_DONE)
        return code;
    do {
        if (i < count)
            read_range(arguments[i], 0, NQ_MAX_KNOWN_N, &first, &last);
        for (int n = first; n <= last; n++)
            boards[n] = true;
        largest = last > largest ? last : largest;
    } while (++i < count);
    if (largest > LONG_N && burn_in_seconds == 0 && !given.quiet)
        message("n = %d takes hours or more: 'nqueens estimate %d' tells how long", largest,
                largest);
    signals_catch();
    return burn_in_seconds > 0 ? burn_in(boards) : verify_boards(boards);
}

static bool read_minutes(const char *value) {
    return read_time(value, 60, &burn_in_seconds);
}

static const struct option_spec option_minutes =
    OPTION(0, "minutes", "TIME",
           "burn-in: count the boards again and again for TIME, such as 60 (minutes) or 8h, by "
           "each method with each kernel",
           .expected = TIME_EXPECTED("minutes"), .text = &minutes_given, .read = read_minutes,
           .conflicts = "for time",
           .why = ", since a burn-in ends after its minutes and prints a line a minute");

const struct command command_verify = {
    .name = "verify",
    .arguments = "[N...]",
    .heading = "Count and verify",
    .help = "count boards, and compare with the known totals",
    .about =
        "Counts the solutions and the classes of every board N, and compares them with the "
        "known numbers. Prints a line for each board, even if a number is wrong. With "
        "--minutes it is a burn-in: it counts the boards again and again, by each method with "
        "each kernel, compares every unit with an earlier count, and prints a line a minute.",
    .argument = {{"N", "sizes of boards, or ranges such as 4..17, 0 to 27 (default: 0..15)"}},
    .example = {{"nqueens verify", "boards of 0 to 15"},
                {"nqueens verify 10..17", "boards of 10 to 17"},
                {"nqueens verify 14..17 --minutes 60", "an hour's test of the machine"}},
    .options = {&option_threads, &option_device, &option_for, &option_format, &option_minutes,
                &option_progress, &option_time, &option_quiet, &option_json_lines,
                &option_method, &option_kernel, &option_bind, &option_smt},
    .run = RUN(verify_run)};
