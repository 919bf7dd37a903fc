/* SPDX-License-Identifier: MIT */
/* Implements `nqueens construct N`, which prints one solution, made by the explicit formula. */
#include "boards/print.h"
#include "cli/options.h"
#include "cli/say.h"
#include "commands/input.h"

#include <stdio.h>
#include <stdlib.h>

static int construct_run(int count, char **arguments) {
    int n, code = read_n("construct", count, arguments, 1, NQ_MAX_SIDE, &n);
    if (code != EXIT_DONE)
        return code;
    int *columns = calloc((size_t)n, sizeof *columns);
    if (columns == NULL)
        return out_of_memory();
    if (nq_construct_solution(n, columns) == NQ_NO_SOLUTION) {
        code = usage_error("construct: n = %d has no solution: expected 1, or 4 to %d", n,
                           NQ_MAX_SIDE);
    } else {
        if (given.json)
            printf("{\n  \"n\": %d,\n  \"columns\": [", n);
        nqi_columns_print(columns, n, given.json ? ", " : " ");
        fputs(given.json ? "]\n}\n" : "\n", stdout);
    }
    free(columns);
    return code;
}

const struct command command_construct = {
    .name = "construct",
    .arguments = "N",
    .heading = "Solutions",
    .help = "print one solution, even for a very large board",
    .about =
        "Prints one solution, in the form that 'nqueens list' uses. An explicit formula makes "
        "it, without a search.",
    .argument = {{"N", "size of the board: 1, or 4 to 1000000000"}},
    .example = {{"nqueens construct 20", "one solution"},
                {"nqueens construct 1000000 | nqueens check", "a large one, checked"}},
    .options = {&option_json},
    .run = RUN(construct_run)};
