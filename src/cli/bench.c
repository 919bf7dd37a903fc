/* `nqueens bench plans N`: the same count by every plan, side by side. */
#include "cli/counting.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Counts n by one plan, and prints a row of the table or adds to the list. */
static int measure(const struct call *call, int n, const nq_plan_info *plan, int depth,
                   json_t *list) {
    struct call one = *call;
    one.options.plan = plan->name;
    one.options.depth = depth;
    nq_result result;
    int code = count_one(&one, n, &result);
    if (code != EXIT_DONE)
        return code;
    if (list != NULL)
        return json_array_append_new(list, json_result(call, &result, NULL)) == 0
                   ? EXIT_DONE
                   : out_of_memory();
    printf("%-8s %5d %12" PRIu64 " %20" PRIu64 " %12.6f\n", result.plan, result.depth,
           result.units, result.work, result.seconds);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_SYSTEM;
}

static int measure_plans(const struct call *call, int n, json_t *list) {
    if (list == NULL)
        printf("%-8s %5s %12s %20s %12s\n", "plan", "depth", "units", "nodes", "seconds");
    nq_plan_info plan;
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && nq_plan(i, &plan); i++)
        for (int depth = plan.min_depth; code == EXIT_DONE && depth <= plan.max_depth;
             depth++) {
            code = signals_check();
            if (code == EXIT_DONE)
                code = measure(call, n, &plan, depth, list);
        }
    return code;
}

int run_bench(const struct call *call) {
    int n;
    if (call->argument_count != 2 || strcmp(call->arguments[0], "plans") != 0)
        return usage_error("bench: expected 'bench plans N'");
    if (!read_number(call->arguments[1], 0, NQ_MAX_N, &n))
        return usage_error("N: '%.60s': expected a whole number from 0 to %d",
                           call->arguments[1], NQ_MAX_N);
    int code = check_options(call); /* before anything is printed */
    if (code != EXIT_DONE)
        return code;
    signals_catch();
    json_t *list = call->json ? json_array() : NULL;
    if (call->json && list == NULL)
        return out_of_memory();
    code = measure_plans(call, n, list);
    if (list == NULL || (code != EXIT_DONE && json_array_size(list) == 0)) {
        json_decref(list);
        return code;
    }
    int printed = output_json(json_pack("{s:{s:s, s:s}, s:o}", "context", "version",
                                        nq_version(), "build", nq_build(), "benchmarks", list));
    return code != EXIT_DONE ? code : printed;
}
