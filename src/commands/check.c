/* SPDX-License-Identifier: MIT */
/* Implements `nqueens check [FILE]`, which says of each placement, one a line, whether it is
 * a solution. */
#include "boards/placements.h"
#include "boards/print.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "commands/text_file.h"
#include "solutions/placement.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns how many pairs of queens attack each other. Returns 0 if memory runs out, or if two
 * queens share a row, because such a placement cannot be held as a column for each row. */
static uint64_t check_count_pairs(const struct placements *file) {
    uint64_t pairs = 0;
    if (file->in_row.row[0] == 0)
        nqi_count_attacks(file->n, file->columns, NULL, &pairs, NULL);
    return pairs;
}

/* attack: NULL if the placement is a solution. */
static int check_print_json(const struct placements *file, const nq_attack *attack,
                            uint64_t pairs) {
    struct report *report = report_new();
    report_number(report, "n", file->n);
    report_flag(report, "valid", attack == NULL);
    if (attack == NULL) {
        nq_class class_of;
        const nq_status status = nq_classify_solution(file->n, file->columns, &class_of);
        if (status != NQ_OK) {
            report_free(report);
            return say_failure(status, NULL);
        }
        report_number(report, "class_size", class_of.size);
        report_flag(report, "half_turn", class_of.half_turn);
        report_flag(report, "quarter_turn", class_of.quarter_turn);
    } else {
        struct report *rows = report_list(report, "rows"),
                      *columns = report_list(report, "columns");
        for (int i = 0; i < 2; i++) {
            report_number(rows, NULL, attack->row[i]);
            report_number(columns, NULL, attack->column[i]);
        }
        if (pairs > 0)
            report_count(report, "attacking_pairs", pairs);
    }
    return report_print_line(report);
}

/* Checks a placement, and prints the verdict unless --quiet asks for the exit code only. */
static int check_one(const struct placements *file) {
    nq_attack attack = file->in_row;
    nq_status status =
        attack.row[0] > 0 ? NQ_ATTACK : nq_check_placement(file->n, file->columns, &attack);
    if (status != NQ_OK && status != NQ_ATTACK)
        return say_failure(status, NULL);
    int code = exit_code_of(status);
    if (given.quiet)
        return code;
    const uint64_t pairs = status == NQ_ATTACK ? check_count_pairs(file) : 0;
    if (given.json) {
        int printed = check_print_json(file, status == NQ_OK ? NULL : &attack, pairs);
        return printed != EXIT_DONE ? printed : code;
    }
    char text[160] = "valid";
    if (status == NQ_ATTACK)
        nqi_attack_text(&attack, pairs, text, sizeof text);
    puts(text);
    return ferror(stdout) == 0 ? code : EXIT_SYSTEM;
}

static int check_run(int count, char **arguments) {
    struct placements file = {.n = 0};
    struct failure failure = {0};
    int worst = EXIT_DONE, code = text_open(count == 1 ? arguments[0] : "-",
                                            "placements, one a line", NULL, &file.reader);
    while (code == EXIT_DONE &&
           (code = text_done(&file.reader, nqi_placement_next(&file, &failure), &failure)) ==
               EXIT_DONE &&
           file.n > 0) {
        code = check_one(&file);
        if (code == EXIT_WRONG) {
            worst = code;
            code = EXIT_DONE;
        }
    }
    free(file.columns);
    return code != EXIT_DONE ? code : worst;
}

static const struct option_spec option_silent =
    OPTION('q', "quiet", NULL, "print no verdict; the exit code tells it", .flag = &given.quiet,
           .conflicts = "json");

const struct command command_check = {
    .name = "check",
    .arguments = "[FILE]",
    .heading = "Solutions",
    .help = "say whether placements are solutions",
    .about = "Says of each placement whether it is a solution or which queens attack each "
             "other. The exit code is 1 if a placement is no solution.",
    .argument = {{"FILE", "a file of placements, one a line, as 'nqueens list' writes them, or "
                          "with commas or brackets; or of boards (default: stdin)"}},
    .example = {{"echo 1 5 8 6 3 7 2 4 | nqueens check", "one placement"},
                {"nqueens list 8 | nqueens check --quiet",
                 "many placements; the exit code tells whether all are solutions"}},
    .options = {&option_silent, &option_json_lines},
    .if_number = "placements come from a file or stdin: echo 2 4 1 3 | nqueens check",
    .run = RUN(check_run)};
