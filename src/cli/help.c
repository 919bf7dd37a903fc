#include "cli/help.h"

#include "cli/commands.h"

#include <stdio.h>

static void print_option(const struct option_row *row) {
    char name[64], short_name[8] = "    ";
    if (row->short_name != 0)
        snprintf(short_name, sizeof short_name, "-%c, ", row->short_name);
    snprintf(name, sizeof name, "%s--%s%s%s", short_name, row->long_name,
             row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
    printf("  %-22s %s\n", name, row->help);
}

void help_print(void) {
    printf(
        "Usage: nqueens N\n"
        "       nqueens COMMAND [ARGUMENT...] [OPTION...]\n"
        "\n"
        "Counts the placements of N non-attacking queens on an N x N board, for N = 0 to %d.\n"
        "'nqueens N' is short for 'nqueens count N'.\n"
        "\nCommands:\n",
        NQ_MAX_N);
    for (int id = 0; id < COMMANDS; id++) {
        char call[64];
        snprintf(call, sizeof call, "%s %s", commands[id].name, commands[id].arguments);
        printf("  %-22s %s\n", call, commands[id].help);
    }
    printf("\nOptions:\n");
    for (int id = 0; id < OPTIONS; id++)
        print_option(&option_rows[id]);
    printf(
        "\nOnly the answer goes to stdout; progress, timing and messages go to stderr. Every "
        "complete\n"
        "count is compared with the known total (OEIS A000170, up to n = %d).\n"
        "\nExit codes: 0 done; 1 a count or a placement is wrong; 2 wrong usage; 3 a system "
        "or\n"
        "file error; 75 interrupted, with all finished units in the ledger; 130 or 143 "
        "interrupted.\n",
        NQ_MAX_KNOWN_N);
}
