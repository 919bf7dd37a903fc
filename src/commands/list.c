/* SPDX-License-Identifier: MIT */
/* Implements `nqueens list N`, which prints the solutions in lexicographic order. There may
 * be millions of them, so each is printed when it is found, without a report. */
#include "boards/print.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/say.h"
#include "commands/input.h"

#include <signal.h>
#include <stdio.h>

enum { COLUMNS, BOARD }; /* indices of the words of --format */

static uint64_t limit = UINT64_MAX;
static int format;

static void list_print_object(int n, const int *columns, int class_size, bool first) {
    fputs(first ? "\n    {\"columns\": [" : ",\n    {\"columns\": [", stdout);
    nqi_columns_print(columns, n, ", ");
    if (class_size > 0)
        printf("], \"class_size\": %d}", class_size);
    else
        fputs("]}", stdout);
}

/* In text, the size of the class is a comment, which `check` and `draw` skip. */
static void list_print(int n, const int *columns, bool first) {
    const bool boards = format == BOARD;
    nq_class class_of = {.size = 0};
    if (given.fundamental) /* cannot fail for a solution on a small board */
        nq_classify_solution(n, columns, &class_of);
    if (given.json) {
        list_print_object(n, columns, class_of.size, first);
        return;
    }
    if (boards && !first)
        putchar('\n');
    if (!boards)
        nqi_columns_print(columns, n, " ");
    if (class_of.size > 0)
        printf("%s# class of %d%s", boards || n == 0 ? "" : " ", class_of.size,
               boards ? "\n" : "");
    if (boards)
        nqi_board_print(n, columns, NULL, false, stdout);
    if (!boards || n == 0) /* the board without rows gets a line, too */
        putchar_unlocked('\n');
}

/* Prints the solutions. It ends early if stdout fails. */
static void list_print_all(int n, nq_list *list) {
    int columns[NQ_MAX_N];
    uint64_t listed = 0;
    if (given.json)
        printf("{\n  \"n\": %d,\n  \"solutions\": [", n);
    while (listed < limit && ferror_unlocked(stdout) == 0 &&
           nq_list_next(list, columns) == NQ_OK)
        list_print(n, columns, listed++ == 0);
    if (given.json && ferror(stdout) == 0)
        fputs(listed > 0 ? "\n  ]\n}\n" : "]\n}\n", stdout);
}

static int list_run(int count, char **arguments) {
    static char text[1 << 16]; /* stdout's buffer until the program ends: larger than its own,
                                  so there are fewer writes */
    nq_list *list;
    int n, code = read_n("list", count, arguments, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    signal(SIGPIPE, SIG_IGN); /* the reader may close the pipe */
    output_may_end_early();
    const nq_status status = nq_list_open(n, given.fundamental, &given.count, &list);
    if (status != NQ_OK)
        return say_failure(status, NULL);
    setvbuf(stdout, text, _IOFBF, sizeof text);
    list_print_all(n, list);
    nq_list_close(list);
    return EXIT_DONE;
}

static const struct option_spec option_limit =
    OPTION(0, "limit", "K", "print at most K solutions", .number = &limit, .least = 1,
           .most = UINT64_MAX);

static const struct option_spec option_form =
    OPTION(0, "format", "HOW", "columns, or board to draw each solution (default: columns)",
           .words = "columns board", .word = &format, .conflicts = "json");

static const struct option_spec option_firsts =
    OPTION(0, "fundamental", NULL,
           "print only the first of the solutions that are turns and reflections of each "
           "other, and how many these are",
           .flag = &given.fundamental, .conflicts = "board",
           .why = ", since only solutions of an empty board can be sorted into classes");

const struct command command_list = {
    .name = "list",
    .arguments = "N",
    .heading = "Solutions",
    .help = "print the solutions, in lexicographic order",
    .about =
        "Prints the solutions in lexicographic order, one a line: the columns of the queens "
        "in rows 1 to N. Columns are counted from 1.",
    .argument = {{"N", "size of the board, 0 to 28"}},
    .example = {{"nqueens list 6", "all four solutions"},
                {"nqueens list 8 --fundamental --limit 2",
                 "the first two classes, with their sizes"},
                {"nqueens list 5 --format board", "boards instead of lines"}},
    .options = {&option_board, &option_firsts, &option_limit, &option_form, &option_json},
    .run = RUN(list_run)};
