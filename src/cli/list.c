/* `nqueens list N`: the solutions, one after the other. */
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/placement.h"
#include "cli/text_board.h"

#include <signal.h>
#include <stdio.h>

/* The class's size follows as a comment, which `check` and `draw` pass over. */
static void print_columns(int n, const int *columns, int class_size) {
    columns_write(columns, n, " ", stdout);
    if (class_size > 0)
        printf("%s# %d", n > 0 ? " " : "", class_size);
    putchar('\n');
}

static void print_board(int n, const int *columns, int class_size, bool first) {
    if (!first)
        putchar('\n');
    if (class_size > 0)
        printf("# %d\n", class_size);
    text_board_print(n, columns, NULL, TEXT_PLAIN, stdout);
    if (n == 0) /* a board without a row is one, too */
        putchar('\n');
}

static void print_object(int n, const int *columns, int class_size, bool first) {
    fputs(first ? "\n    {\"columns\": [" : ",\n    {\"columns\": [", stdout);
    columns_write(columns, n, ", ", stdout);
    if (class_size > 0)
        printf("], \"class_size\": %d}", class_size);
    else
        fputs("]}", stdout);
}

static void print(const struct call *call, int n, const int *columns, bool first) {
    nq_class class_of = {.size = 0};
    if (call->fundamental)
        nq_classify(n, columns, &class_of); /* of a solution on a small board: cannot fail */
    switch (call->format) {
    case FORMAT_COLUMNS:
        print_columns(n, columns, class_of.size);
        break;
    case FORMAT_BOARD:
        print_board(n, columns, class_of.size, first);
        break;
    case FORMAT_JSON:
        print_object(n, columns, class_of.size, first);
        break;
    }
}

int run_list(const struct call *given) {
    struct call call = *given;
    int n, code = only_number(&call, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    if (call.json && call.format != FORMAT_JSON && (call.given >> OPTION_format & 1) != 0)
        return usage_error("option '--json' has no effect with another '--format'");
    if (call.json)
        call.format = FORMAT_JSON;
    nq_list *list;
    nq_status status = nq_list_open(n, call.fundamental, &list);
    if (status != NQ_OK)
        return say_failure(status, nq_status_text(status));
    signal(SIGPIPE, SIG_IGN); /* a reader who has had enough is no error */
    output_may_end_early();
    if (call.format == FORMAT_JSON)
        printf("{\n  \"n\": %d,\n  \"solutions\": [", n);
    int columns[NQ_MAX_N];
    uint64_t listed = 0;
    for (; listed < call.limit && ferror(stdout) == 0 && nq_list_next(list, columns); listed++)
        print(&call, n, columns, listed == 0);
    if (call.format == FORMAT_JSON)
        fputs(listed > 0 ? "\n  ]\n}\n" : "]\n}\n", stdout);
    nq_list_close(list);
    return EXIT_DONE;
}
