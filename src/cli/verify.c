/* `nqueens verify`: counts every n of a range and compares with the known totals. */
#include "cli/counting.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>

/* Counts the solutions and classes for n, and prints the result or appends it to the list, even
 * a wrong one: the reader wants to see which counts are wrong. */
static int verify_one(const struct call *call, int n, json_t *list) {
    nq_result result;
    nq_classes classes;
    int code = count_classes(call, n, &result, &classes);
    if (code != EXIT_DONE && code != EXIT_WRONG)
        return code;
    if (list != NULL) {
        bool counted = result.complete && result.verdict != NQ_WRONG;
        if (!counted) /* including a count that failed its own checks */
            result.verdict = NQ_WRONG;
        json_t *object = json_result(call, &result, counted ? &classes : NULL);
        return json_array_append_new(list, object) == 0 ? code : out_of_memory();
    }
    printf("%2d %20" PRIu64 " %s\n", n, result.solutions,
           code == EXIT_DONE ? "verified" : "WRONG");
    return fflush(stdout) == 0 ? code : EXIT_SYSTEM;
}

int run_verify(const struct call *call) {
    if (call->argument_count > 0)
        return usage_error("verify: '%.60s': takes no arguments; use --from and --to",
                           call->arguments[0]);
    if (call->from > call->to)
        return usage_error("verify: --from %d is above --to %d", call->from, call->to);
    signals_catch();
    json_t *list = call->json ? json_array() : NULL;
    if (call->json && list == NULL)
        return out_of_memory();
    int worst = EXIT_DONE, code = EXIT_DONE;
    for (int n = call->from; n <= call->to && (code == EXIT_DONE || code == EXIT_WRONG); n++) {
        code = n > call->from ? signals_check() : EXIT_DONE;
        if (code == EXIT_DONE)
            code = verify_one(call, n, list);
        if (worst != EXIT_WRONG) /* nothing is worse */
            worst = code;
    }
    if (list == NULL || (worst != EXIT_DONE && json_array_size(list) == 0)) {
        json_decref(list);
        return worst;
    }
    code = output_json(list);
    return worst != EXIT_DONE ? worst : code;
}
