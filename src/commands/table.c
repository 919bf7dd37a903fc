/* SPDX-License-Identifier: MIT */
/* Implements `nqueens table`, which prints the known numbers. It counts nothing. */
#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "core/arrays.h"
#include "core/known.h"

static const struct sequence {
    const char *name, *source, *meaning;
    bool (*known)(int n, uint64_t *number);
} sequences[] = {{"A000170", "https://oeis.org/A000170", "all solutions", nq_known_total},
                 {"A002562", "https://oeis.org/A002562",
                  "classes of solutions under the square's symmetries", nq_known_fundamental},
                 {"A032522", "https://oeis.org/A032522", "solutions unchanged by a half turn",
                  nqi_known_half_turn},
                 {"A033148", "https://oeis.org/A033148",
                  "solutions unchanged by a quarter turn", nqi_known_quarter_turn}};
enum { SEQUENCES = LENGTH(sequences) };

static bool table_is_known(int n) {
    bool known = false;
    uint64_t number;
    for (int i = 0; i < SEQUENCES; i++)
        known |= sequences[i].known(n, &number);
    return known;
}

static void table_add(struct report *line, int n) {
    uint64_t number;
    report_number(line, "n", n);
    for (int i = 0; i < SEQUENCES; i++)
        if (sequences[i].known(n, &number))
            report_count(line, sequences[i].name, number);
}

static int table_print_json(void) {
    struct report *report = report_new(), *sources = report_object(report, "sources"),
                  *totals = report_list(report, "totals");
    for (int i = 0; i < SEQUENCES; i++)
        report_text(sources, sequences[i].name, sequences[i].source);
    for (int n = 0; table_is_known(n); n++)
        table_add(report_object(totals, NULL), n);
    return report_print(report, true);
}

static int table_run(int count, char **arguments) {
    (void)count, (void)arguments;
    if (given.json)
        return table_print_json();
    struct column columns[1 + SEQUENCES] = {{"n", .width = 3}};
    struct table table = {columns, 1 + SEQUENCES, format_given(), false};
    for (int i = 0; i < SEQUENCES; i++)
        columns[1 + i] = (struct column){sequences[i].name, .width = 18};
    if (table.format == FORMAT_TEXT)
        puts("# Known numbers: counts are checked against them, and never answered from them.");
    for (int i = 0; i < SEQUENCES && table.format == FORMAT_TEXT; i++)
        printf("# %s: %s, %s\n", sequences[i].name, sequences[i].meaning, sequences[i].source);
    for (int n = 0; table_is_known(n); n++) {
        struct report *line = report_new();
        table_add(line, n);
        table_print_line(&table, line);
    }
    return EXIT_DONE;
}

const struct command command_table = {
    .name = "table",
    .arguments = "",
    .heading = "Count and verify",
    .help = "print the known numbers with their sources",
    .about =
        "Prints the known numbers of solutions, of classes, and of symmetric solutions, with "
        "their sources. It counts nothing.",
    .example = {{"nqueens table", "a line for each n"},
                {"nqueens table --json", "the numbers as JSON, for other programs"}},
    .options = {&option_format, &option_json},
    .run = RUN(table_run)};
