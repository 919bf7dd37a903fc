/* `nqueens list N`: the solutions, in lexicographic order. */
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/solutions/listing.h"
#include "cli/solutions/placement.h"
#include "cli/solutions/text_board.h"

#include <signal.h>
#include <stdio.h>

/* The class's size follows as a comment, which `check` and `draw` skip. */
static void print_columns(int n, const int *columns, int class_size, FILE *stream) {
    columns_write(columns, n, " ", stream);
    if (class_size > 0)
        fprintf(stream, "%s# %d", n > 0 ? " " : "", class_size);
    putc_unlocked('\n', stream);
}

static void print_board(int n, const int *columns, int class_size, FILE *stream) {
    putc('\n', stream);
    if (class_size > 0)
        fprintf(stream, "# %d\n", class_size);
    text_board_print(n, columns, NULL, TEXT_PLAIN, stream);
    if (n == 0) /* an empty board takes a line, too */
        putc('\n', stream);
}

static void print_object(int n, const int *columns, int class_size, FILE *stream) {
    fputs(",\n    {\"columns\": [", stream);
    columns_write(columns, n, ", ", stream);
    if (class_size > 0)
        fprintf(stream, "], \"class_size\": %d}", class_size);
    else
        fputs("]}", stream);
}

static void print(const struct listing *listing, const int *columns, FILE *stream) {
    const struct call *call = listing->context;
    nq_class class_of = {.size = 0};
    if (call->fundamental) /* of a solution on a small board: cannot fail */
        nq_classify_solution(listing->n, columns, &class_of);
    switch (call->format) {
    case FORMAT_COLUMNS:
        print_columns(listing->n, columns, class_of.size, stream);
        break;
    case FORMAT_BOARD:
        print_board(listing->n, columns, class_of.size, stream);
        break;
    case FORMAT_JSON:
        print_object(listing->n, columns, class_of.size, stream);
        break;
    }
}

int run_list(const struct call *given) {
    struct call call = *given;
    int n, code = read_n(&call, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    if (call.json)
        call.format = FORMAT_JSON;
    signal(SIGPIPE, SIG_IGN); /* a reader may close the pipe */
    output_may_end_early();
    if (call.format == FORMAT_JSON)
        printf("{\n  \"n\": %d,\n  \"solutions\": [", n);
    const struct listing listing = {.n = n,
                                    .fundamental = call.fundamental,
                                    .limit = call.limit,
                                    .threads = call.options.threads,
                                    .print = print,
                                    .separated = call.format != FORMAT_COLUMNS,
                                    .context = &call};
    bool any = false;
    nq_status status = listing_write(&listing, &any);
    if (status != NQ_OK)
        return say_status(status);
    if (call.format == FORMAT_JSON && ferror(stdout) == 0)
        fputs(any ? "\n  ]\n}\n" : "]\n}\n", stdout);
    return EXIT_DONE;
}
