/* `nqueens verify`: every count of a range, made and compared with the known total. */
#include "cli/counting.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>

int run_verify(const struct call *call) {
    if (call->argument_count > 0)
        return usage_error("verify: '%s': takes no arguments; use --from and --to",
                           call->arguments[0]);
    if (call->from > call->to)
        return usage_error("verify: --from %d is above --to %d", call->from, call->to);
    signals_catch();
    json_t *list = call->json ? json_array() : NULL;
    int worst = EXIT_DONE;
    for (int n = call->from; n <= call->to; n++) {
        nq_result result;
        int code = count_one(call, n, &result);
        /* A wrong count does not stop the others: which are wrong is what one wants to know. */
        if (code != EXIT_DONE && result.verdict != NQ_WRONG) {
            json_decref(list);
            return code;
        }
        worst = code > worst ? code : worst;
        if (list != NULL)
            json_array_append_new(list, json_result(&result));
        else
            printf("%2d %20" PRIu64 " %s\n", n, result.solutions,
                   result.verdict == NQ_VERIFIED ? "verified" : "WRONG");
        fflush(stdout);
    }
    if (list == NULL)
        return worst;
    int code = output_json(list);
    return worst != EXIT_DONE ? worst : code;
}
