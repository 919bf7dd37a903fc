/* SPDX-License-Identifier: MIT */
/* `nqueens list N`: the solutions, in lexicographic order. `nqueens construct N`: one of them.
 * `nqueens check [FILE]`: are these placements, one a line, solutions? */
#include "cli/output.h"
#include "cli/placement_file.h"
#include "solutions/placement.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void list_print_object(int n, const int *columns, int class_size, bool first) {
    fputs(first ? "\n    {\"columns\": [" : ",\n    {\"columns\": [", stdout);
    columns_print(columns, n, ", ");
    if (class_size > 0)
        printf("], \"class_size\": %d}", class_size);
    else
        fputs("]}", stdout);
}

/* As text the class's size is a comment, which `check` and `draw` skip. */
static void list_print(const struct call *call, int n, const int *columns, bool first) {
    enum { COLUMNS, BOARD }; /* in the order of the option's row */
    const bool boards = call->number[OPTION_format] == BOARD;
    nq_class class_of = {.size = 0};
    if (is_given(call, OPTION_fundamental)) /* of a solution on a small board: cannot fail */
        nq_classify_solution(n, columns, &class_of);
    if (is_given(call, OPTION_json)) {
        list_print_object(n, columns, class_of.size, first);
        return;
    }
    if (boards && !first)
        putchar('\n');
    if (!boards)
        columns_print(columns, n, " ");
    if (class_of.size > 0)
        printf("%s# class of %d%s", boards || n == 0 ? "" : " ", class_of.size,
               boards ? "\n" : "");
    if (boards)
        text_board_print(n, columns, NULL, false, stdout);
    if (!boards || n == 0) /* an empty board takes a line, too */
        putchar_unlocked('\n');
}

/* Ends early if stdout fails. */
static void list_print_all(const struct call *call, int n, nq_list *list) {
    const bool json = is_given(call, OPTION_json);
    int columns[NQ_MAX_N];
    uint64_t listed = 0;
    if (json)
        printf("{\n  \"n\": %d,\n  \"solutions\": [", n);
    while (listed < call->number[OPTION_limit] && ferror_unlocked(stdout) == 0 &&
           nq_list_next(list, columns))
        list_print(call, n, columns, listed++ == 0);
    if (json && ferror(stdout) == 0)
        fputs(listed > 0 ? "\n  ]\n}\n" : "]\n}\n", stdout);
}

int solutions_open(const struct call *call, int n, nq_list **list) {
    const char *board = call->options.board;
    const nq_status status = board != NULL
                                 ? nq_list_open_board(n, board, list)
                                 : nq_list_open(n, is_given(call, OPTION_fundamental), list);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}

int run_list(const struct call *call) {
    static char text[1 << 16]; /* of stdout until the end: fewer writes than its own buffer */
    nq_list *list;
    int n, code = read_n(call, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    signal(SIGPIPE, SIG_IGN); /* a reader may close the pipe */
    output_may_end_early();
    code = solutions_open(call, n, &list);
    if (code != EXIT_DONE)
        return code;
    setvbuf(stdout, text, _IOFBF, sizeof text);
    list_print_all(call, n, list);
    nq_list_close(list);
    return EXIT_DONE;
}

/* By the explicit formula. */
int run_construct(const struct call *call) {
    int n, code = read_n(call, 1, NQ_MAX_SIDE, &n);
    if (code != EXIT_DONE)
        return code;
    int *columns = calloc((size_t)n, sizeof *columns);
    if (columns == NULL)
        return out_of_memory();
    if (nq_construct_solution(n, columns) == NQ_NO_SOLUTION) {
        code = usage_error("construct: n = %d has no solution: expected 1, or 4 to %d", n,
                           NQ_MAX_SIDE);
    } else {
        if (is_given(call, OPTION_json))
            printf("{\n  \"n\": %d,\n  \"columns\": [", n);
        columns_print(columns, n, is_given(call, OPTION_json) ? ", " : " ");
        fputs(is_given(call, OPTION_json) ? "]\n}\n" : "\n", stdout);
    }
    free(columns);
    return code;
}

/* attack: NULL for a solution. */
static int check_print_json(const struct placement_file *file, const nq_attack *attack) {
    json_t *document;
    if (attack == NULL) {
        nq_class class_of;
        nq_status status = nq_classify_solution(file->n, file->columns, &class_of);
        if (status != NQ_OK)
            return say_failure(status, NULL);
        document = json_pack("{s:i, s:b, s:i, s:b, s:b}", "n", file->n, "valid", true,
                             "class_size", class_of.size, "half_turn", class_of.half_turn,
                             "quarter_turn", class_of.quarter_turn);
    } else {
        document = json_pack("{s:i, s:b, s:[ii], s:[ii]}", "n", file->n, "valid", false, "rows",
                             attack->row[0], attack->row[1], "columns", attack->column[0],
                             attack->column[1]);
        uint64_t pairs;
        if (file->in_row.row[0] == 0 &&
            nqi_count_attacks(file->n, file->columns, NULL, &pairs, NULL) == NQ_OK)
            json_object_set_new(document, "attacking_pairs", json_count(pairs));
    }
    return output_json_line(document);
}

/* Prints the verdict, unless the exit code is all that is wanted. */
static int check_one(const struct call *call, const struct placement_file *file) {
    nq_attack attack = file->in_row;
    nq_status status =
        attack.row[0] > 0 ? NQ_ATTACK : nq_check_placement(file->n, file->columns, &attack);
    if (status != NQ_OK && status != NQ_ATTACK)
        return say_failure(status, NULL);
    int code = exit_code_of(status);
    if (is_given(call, OPTION_quiet))
        return code;
    if (is_given(call, OPTION_json)) {
        int printed = check_print_json(file, status == NQ_OK ? NULL : &attack);
        return printed != EXIT_DONE ? printed : code;
    }
    char text[160] = "valid";
    if (status == NQ_ATTACK)
        attack_text(file->n, file->columns, &attack, text, sizeof text);
    puts(text);
    return ferror(stdout) == 0 ? code : EXIT_SYSTEM;
}

int run_check(const struct call *call) {
    if (is_given(call, OPTION_json) && is_given(call, OPTION_quiet))
        return usage_error("'--json' does not go with '--quiet'");
    const char *name = call->argument_count == 1 ? call->arguments[0] : "-";
    struct placement_file file;
    int worst = EXIT_DONE, code = placement_open(name, NQ_MAX_SIDE, &file);
    if (code != EXIT_DONE)
        return code;
    while ((code = placement_next(&file)) == EXIT_DONE && file.n > 0) {
        code = check_one(call, &file);
        if (code == EXIT_WRONG)
            worst = code;
        else if (code != EXIT_DONE)
            break;
    }
    placement_close(&file);
    return code != EXIT_DONE ? code : worst;
}
