/* SPDX-License-Identifier: MIT */
/* `nqueens list N`: the solutions, in lexicographic order. `nqueens construct N`: one of them.
 */
#include "cli/number.h"
#include "cli/output.h"
#include "cli/placement_file.h"

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
    const bool boards = call->number[OPTION_format] == 1; /* "columns board" */
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
        text_board_print(n, columns, NULL, TEXT_PLAIN, stdout);
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

int list_open(const struct call *call, int n, nq_list **list) {
    const char *board = call->options.board;
    const nq_status status = board != NULL
                                 ? nq_list_open_board(n, board, list)
                                 : nq_list_open(n, is_given(call, OPTION_fundamental), list);
    return status == NQ_OK ? EXIT_DONE : say_failure(status);
}

int run_list(const struct call *call) {
    static char text[1 << 16]; /* of stdout until the end: fewer writes than its own buffer */
    nq_list *list;
    int n, code = read_n(call, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    signal(SIGPIPE, SIG_IGN); /* a reader may close the pipe */
    output_may_end_early();
    code = list_open(call, n, &list);
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
