/* `nqueens construct N`: one solution, by the explicit formula. */
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/placement.h"
#include "cli/say_failure.h"

#include <stdlib.h>

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
        if (call->json)
            printf("{\n  \"n\": %d,\n  \"columns\": [", n);
        columns_print(columns, n, call->json ? ", " : " ");
        fputs(call->json ? "]\n}\n" : "\n", stdout);
    }
    free(columns);
    return code;
}
