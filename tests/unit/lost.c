/* A run that solves a unit twice, or never, ends with NQ_LOST_UNIT, and the count has no total.
 * An executor runs the count here with a list of units that has a fault. */
#include "counts.h"
#include "library/executor.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The number of units solved is right where one stands in place of another: it alone would not
 * show the fault. Where one is kept for another process, which never adds it, it alone does. */
enum fault { NONE, FIRST_FOR_SECOND, LAST_FOR_FIRST, ONE_ONCE_MORE, ONE_KEPT, FAULTS };

static nq_status run_faulty(void *context, struct solver *job,
                            const struct selection *selection,
                            const struct run_options *options, struct totals *totals,
                            struct failure *failure) {
    (void)failure;
    const enum fault fault = *(enum fault *)context;
    struct selection faulty = *selection;
    faulty.unit = malloc((faulty.count + 1) * sizeof *faulty.unit);
    cr_assert(faulty.unit != NULL && faulty.count > 1);
    memcpy(faulty.unit, selection->unit, faulty.count * sizeof *faulty.unit);
    if (fault == FIRST_FOR_SECOND)
        faulty.unit[1] = faulty.unit[0];
    if (fault == LAST_FOR_FIRST)
        faulty.unit[0] = faulty.unit[faulty.count - 1];
    if (fault == ONE_ONCE_MORE)
        faulty.unit[faulty.count++] = faulty.unit[0];
    struct run *run = nqi_run_begin(job, &faulty, options);
    cr_assert_not_null(run);
    uint64_t kept;
    if (fault == ONE_KEPT)
        cr_assert_eq(nqi_run_take(run, 1, &kept), 1);
    nqi_run_solve(run);
    const nq_status status = nqi_run_end(run, totals);
    free(faulty.unit);
    return status;
}

Test(lost, a_unit_solved_twice_or_never_is_found) {
    for (enum fault fault = NONE; fault < FAULTS; fault++)
        for (int threads = 1; threads <= 8; threads++) {
            const struct executor executor = {.execute = run_faulty, .context = &fault};
            nq_result result = NQ_RESULT_INIT;
            struct failure failure = {0};
            const nq_status status = nqi_count_on(
                &executor, 8, OPTIONS(.threads = threads, .plan = "rows"), &result, &failure);
            cr_expect_eq(status, fault == NONE ? NQ_OK : NQ_LOST_UNIT, "fault %d, %d threads",
                         (int)fault, threads);
            cr_expect_eq(result.solutions, fault == NONE ? 92 : 0);
        }
}
