/* `nqueens verify`: counts every n of a range and compares with the known totals. */
#include "cli/counting.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/say_failure.h"
#include "cli/signals.h"
#include "cli/table_writer.h"

#include <inttypes.h>
#include <stdio.h>

/* Counts the solutions and classes for n, and prints the result, even a wrong one: the reader
 * wants to see which counts are wrong. */
static int verify_one(const struct call *call, int n, struct table_writer *table) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes classes;
    int code = count_classes(call, n, &result, &classes);
    if (code != EXIT_DONE && code != EXIT_WRONG)
        return code;
    const bool counted = result.complete && result.verdict != NQ_WRONG;
    if (call->json) {
        if (!counted) /* including a count that failed its own checks */
            result.verdict = NQ_WRONG;
        int printed = output_json_line(json_result(call, &result, counted ? &classes : NULL));
        if (printed != EXIT_DONE)
            return printed;
    } else {
        table_cell(table, "%d", n);
        table_cell(table, "%" PRIu64, result.solutions);
        if (counted)
            table_cell(table, "%" PRIu64, classes.fundamental);
        else
            table_cell(table, "-");
        table_cell(table, "%.3f", result.seconds);
        table_cell(table, "%s", code == EXIT_DONE ? "verified" : "WRONG");
    }
    return fflush(stdout) == 0 ? code : EXIT_SYSTEM;
}

int run_verify(const struct call *call) {
    int first = call->from, last = call->to;
    if (call->argument_count > 1)
        return usage_error("verify: '%.60s': takes one argument, a range", call->arguments[1]);
    if (call->argument_count == 1 &&
        !read_range(call->arguments[0], 0, NQ_MAX_KNOWN_N, &first, &last))
        return usage_error("verify: '%.60s': expected a range such as 4..17, of whole numbers "
                           "from 0 to %d",
                           call->arguments[0], NQ_MAX_KNOWN_N);
    if (first > last)
        return usage_error("verify: --from %d is above --to %d", first, last);
    static const struct column columns[] = {
        {"n", 2}, {"solutions", 20}, {"classes", 18}, {"seconds", 10}, {"verdict", -8}};
    struct table_writer table = {.format = call->table_format, .columns = columns, .count = 5};
    signals_catch();
    int worst = EXIT_DONE, code = EXIT_DONE;
    for (int n = first; n <= last && (code == EXIT_DONE || code == EXIT_WRONG); n++) {
        code = n > first ? signals_check() : EXIT_DONE;
        if (code == EXIT_DONE)
            code = verify_one(call, n, &table);
        if (worst != EXIT_WRONG) /* nothing is worse */
            worst = code;
    }
    return worst;
}
