/* SPDX-License-Identifier: MIT */
/* Implements `nqueens count N... | -`, which counts the solutions for each N and prints
 * their number. */
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "commands/counting.h"
#include "commands/input.h"
#include "commands/text_file.h"
#include "methods/methods.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *shard_list; /* "3/5,7/40" */

/* Reads the first shard of a list such as "3/5,7/40" and moves *list to the next, or sets it
 * to NULL at the end. Returns false if it is no shard. */
static bool count_next_shard(const char **list, nq_options *options) {
    char shard[32];
    const size_t length = strcspn(*list, ",");
    if (length >= sizeof shard)
        return false;
    snprintf(shard, sizeof shard, "%.*s", (int)length, *list);
    const char *rest = *list + length;
    *list = *rest == ',' ? rest + 1 + strspn(rest + 1, " ") : NULL;
    return read_pair(shard, "/", 1, NQ_MAX_SHARDS, &options->shard, &options->shards);
}

static bool count_read_shards(const char *value) {
    nq_options options;
    while (value != NULL)
        if (!count_next_shard(&value, &options))
            return false;
    return true;
}

/* How a call of `nqueens count` counts each N, and where it prints the numbers. */
struct counts {
    counter_fn *function;
    nq_options options;
    struct table table;
    bool last; /* the count is of the last shard of the list, after which there may be a total
                  to print */
};

/* Tells a person who sees only the number that it equals the known total. With --time another
 * message says so. stderr must be a terminal, too, because mpirun makes stdout a terminal in
 * any case. */
static void count_say_verified(const nq_result *result) {
    if (result->verdict == NQ_VERIFIED && format_given() == FORMAT_TEXT && !given.quiet &&
        !given.time && isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0)
        message("n = %d: verified", result->job.n);
}

/* Counts n, and prints its number. */
static int count_and_print(struct counts *counts, int n) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes of_board = {0}, *classes = given.fundamental ? &of_board : NULL;
    const nq_options *options = &counts->options;
    const struct counting how = {
        .function = counts->function, .options = options, .takes_ledger = true};
    int code = classes != NULL ? counting_count_classes(&how, n, &result, classes)
                               : counting_count(&how, n, &result);
    if (code != EXIT_DONE)
        return code;
    const bool has_total = options->ledger == NULL || (result.complete && counts->last);
    if (format_given() != FORMAT_TEXT)
        code = table_print_line(&counts->table, result_report(options, &result, classes));
    else if (has_total)
        printf("%" PRIu64 "\n", classes != NULL ? classes->fundamental : result.solutions);
    /* The reader may wait for this number before it sends the next N. If it cannot be
     * written, the next one cannot either. */
    if (code != EXIT_DONE || fflush(stdout) != 0)
        return EXIT_SYSTEM;
    if (has_total)
        count_say_verified(&result);
    return EXIT_DONE;
}

/* Counts each N from `first` to `last`. */
static int count_range(struct counts *counts, int first, int last) {
    int code = EXIT_DONE;
    for (int n = first; n <= last && code == EXIT_DONE; n++) {
        if (counts->options.ledger == NULL) /* a count with a ledger says what is saved */
            code = say_interrupted();
        if (code == EXIT_DONE)
            code = count_and_print(counts, n);
    }
    return code;
}

static int count_bad_range(const char *where, const char *word) {
    int first, last;
    const char *dots = strstr(word, "..");
    const bool is_row = word[0] != '\0' && word[strspn(word, ".Q*")] == '\0';
    const bool reversed = dots != NULL && read_number(dots + 2, 0, NQ_MAX_N, &first) &&
                          sscanf(word, "%d", &last) == 1 && last > first && last <= NQ_MAX_N;
    if (reversed)
        return usage_error("%s: '%.60s': expected the smaller number first, as in %d..%d",
                           where, word, first, last);
    return usage_error("%s: '%.60s': expected a whole number from 0 to %d, or a range such as "
                       "4..17%s",
                       where, word, NQ_MAX_N,
                       strcmp(word, "-") == 0 ? "; '-', for stdin, must be the only argument"
                       : is_row               ? "; use '--board -' to read a board"
                                              : "");
}

static int count_stdin(struct counts *counts) {
    struct reader reader = {.stream = NULL};
    char word[4096], where[40];
    int first, last, code = counting_try_options(&counts->options); /* even if no N follows */
    if (code == EXIT_DONE && format_given() != FORMAT_TEXT)
        table_titles(&counts->table); /* even if no N follows */
    for (bool any = false; code == EXIT_DONE; any = true) {
        signals_end_at_once(true);
        code = say_interrupted();
        if (code == EXIT_DONE && reader.stream == NULL)
            code = text_open("-", "sizes of boards", NULL, &reader);
        const bool more = code == EXIT_DONE && nqi_reader_find_word(&reader);
        if (more)
            nqi_reader_read_word(&reader, '\n', word, sizeof word);
        signals_end_at_once(false);
        if (!more)
            break;
        snprintf(where, sizeof where, "stdin, line %" PRIu64, reader.line);
        if (!read_range(word, 0, NQ_MAX_N, &first, &last))
            return count_bad_range(where, word);
        if (last == 0) {
            if (!any && !given.quiet)
                message("%s: a 0 ends the input, so nothing was counted", where);
            return EXIT_DONE;
        }
        code = count_range(counts, first, last);
    }
    return code == EXIT_DONE ? text_done(&reader, NQ_OK, NULL) : code;
}

/* Checks the call before the first board is counted, and writes what is wrong with it. *n: the
 * single N of a call with --board, or -1 if the board decides it. */
static int count_check(int count, char **arguments, bool from_stdin, int *n) {
    /* How many boards are counted: the one of --board if there is no N. From stdin, any number
     * of boards may come, for which NQ_MAX_N stands here. */
    int last, boards = from_stdin ? NQ_MAX_N : count == 0 ? 1 : 0;
    *n = -1;
    if (count == 0 && given.board == NULL)
        return usage_error("count: give N, a whole number from 0 to %d, or '-' for stdin",
                           NQ_MAX_N);
    for (int i = 0; !from_stdin && i < count; i++, boards += last - *n + 1)
        if (!read_range(arguments[i], 0, NQ_MAX_N, n, &last))
            return count_bad_range("N", arguments[i]);
    const bool one = boards == 1; /* a ledger and a given board need a single N */
    if (given.count.ledger != NULL && !one)
        return usage_error(
            "--ledger '%.60s': expected a single N, since a ledger records one count",
            given.count.ledger);
    if (shard_list != NULL && strchr(shard_list, ',') != NULL && given.count.ledger == NULL)
        return usage_error("--shard '%.60s': a list of shards also needs '--ledger'",
                           shard_list);
    if (shard_list != NULL && given.quiet && given.count.ledger == NULL && !given.json)
        return usage_error("'--shard' with '--quiet' also needs '--json' or '--ledger', since "
                           "a shard's solutions would look like the whole count");
    if (given.board != NULL && !one)
        return usage_error(
            "--board '%.60s': expected a single N, since the file holds one board",
            given.board);
    return EXIT_DONE;
}

static int count_arguments(struct counts *counts, int count, char **arguments) {
    int first, last, code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        read_range(arguments[i], 0, NQ_MAX_N, &first, &last);
        code = count_range(counts, first, last);
    }
    return code;
}

/* Lists the columns of --format csv, and returns their number. Each method has a column for
 * its work. That of the default method, which is the last one in the list, comes first. */
static size_t count_list_columns(struct column *columns) {
    size_t count = 0;
    columns[count++] = (struct column){"n", .width = 2};
    columns[count++] = (struct column){"solutions", .width = 20};
    columns[count++] = (struct column){"seconds", .width = 14, .digits = 6};
    for (size_t i = METHODS; i-- > 0;)
        columns[count++] = (struct column){nqi_method_at(i)->work, .width = 20};
    if (given.fundamental)
        columns[count++] = (struct column){"classes", .width = 18, .name = "fundamental"};
    columns[count++] = (struct column){"verdict", .width = -10};
    return count;
}

int count_boards(counter_fn *function, const nq_options *options, int count, char **arguments) {
    const bool from_stdin = count == 1 && strcmp(arguments[0], "-") == 0;
    int n, code = count_check(count, arguments, from_stdin, &n);
    if (code == EXIT_DONE)
        code = read_board(&n);
    if (code != EXIT_DONE)
        return code;
    struct column columns[5 + METHODS];
    struct counts counts = {
        .function = function,
        .options = *options,
        .table = {columns, count_list_columns(columns), format_given(), false}};
    counts.options.board = given.count.board;
    signals_catch();
    const char *rest = shard_list;
    do {
        if (rest != NULL)
            count_next_shard(&rest, &counts.options);
        counts.last = rest == NULL;
        code = from_stdin   ? count_stdin(&counts)
               : count == 0 ? count_range(&counts, n, n)
                            : count_arguments(&counts, count, arguments);
    } while (code == EXIT_DONE && rest != NULL);
    return code;
}

int launched_processes(const char **variable) {
    /* Slurm's variable comes last, because a step of Slurm may have started only the daemons of
     * mpirun. The variable then counts these daemons, not the processes that they started. */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS"};
    int i = 0;
    while (i < 2 && getenv(sizes[i]) == NULL)
        i++;
    const char *size = getenv(sizes[i]);
    const long processes = size != NULL ? strtol(size, NULL, 10) : 1;
    *variable = sizes[i];
    return processes > 1 ? (int)processes : 1;
}

static int count_run(int count, char **arguments) {
    const char *variable;
    const int processes = launched_processes(&variable);
    if (processes > 1 && shard_list == NULL && !given.quiet)
        message("warning: each of this job's %d processes counts the whole board; use "
                "'nqueens-mpi' to share the work",
                processes);
    return count_boards(nq_count_solutions, &given.count, count, arguments);
}

const struct option_spec option_ledger =
    OPTION(0, "ledger", "FILE",
           "save the result of each unit of work in FILE; if FILE exists, carry on from it",
           .expected = "the name of a file", .text = &given.count.ledger);

const struct option_spec option_shard = OPTION(
    0, "shard", "I/K",
    "count only the I-th of K shards of the units, K up to 1000000; with --ledger also a list "
    "of shards, such as 3/5,7/40",
    .expected = "I/K, the I-th of K shards, 1 <= I <= K <= 1000000, or a list such as 3/5,7/40",
    .text = &shard_list, .read = count_read_shards);

const struct option_spec option_count_table =
    OPTION(0, "format", "HOW",
           "text, or csv for a spreadsheet of sizes, solutions, seconds, work and verdicts "
           "(default: text)",
           .words = FORMAT_WORDS, .word = &given.format, .conflicts = "json shard ledger");

const struct command command_count = {
    .name = "count",
    .arguments = COUNT_ARGUMENTS,
    .heading = "Count and verify",
    .help = "count the solutions for each N",
    .about = "Counts the placements of N non-attacking queens on an N x N board, on all cores, "
             "and compares the count with the known total. 'nqueens N' is short for 'nqueens "
             "count N'.",
    .argument = COUNT_ARGUMENT,
    .example = {{"nqueens 10 12 --time", "two boards, and the time taken on stderr"},
                {"nqueens 4..16 --format csv", "a spreadsheet, with seconds and work"},
                {"nqueens 22 --ledger n22.ledger",
                 "a long count; after an interruption the same command carries on"},
                {"nqueens 20 --shard 1/2 --ledger shard1",
                 "one half of the work, for one of two machines"}},
    .options = {&option_threads, &option_device, &option_board, &option_ledger, &option_shard,
                &option_for, &option_fundamental, &option_count_table, &option_progress,
                &option_time, &option_quiet, &option_json_lines, &option_method, &option_kernel,
                &option_bind, &option_smt},
    .run = RUN(count_run)};
