/* A run that solves a unit twice, or never, ends with NQ_LOST_UNIT, and the count has no total.
 * An executor runs the count here with a list of units that has a fault. */
#include "library/executor.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, TOTAL = 92, MOST_THREADS = 8 };

struct faulty {
    void (*make_fault)(struct faulty *list);
    uint64_t *unit; /* ids; room for one more */
    uint64_t count;
    uint64_t kept; /* units taken for another process, which never adds them */
};

static nq_status run_faulty(void *context, struct solver *job,
                            const struct selection *selection,
                            const struct run_options *options, struct totals *totals,
                            struct failure *failure) {
    (void)failure;
    struct faulty *list = context;
    struct selection faulty = *selection;
    list->count = faulty.count;
    list->unit = malloc((list->count + 1) * sizeof *list->unit);
    cr_assert(list->unit != NULL && list->count > 1);
    memcpy(list->unit, faulty.unit, list->count * sizeof *list->unit);
    list->make_fault(list);
    faulty.unit = list->unit;
    faulty.count = list->count;
    struct run *run = nqi_run_begin(job, &faulty, options);
    cr_assert(run != NULL);
    for (uint64_t i = 0, unit; i < list->kept; i++)
        cr_assert_eq(nqi_run_take(run, 1, &unit), 1);
    nqi_run_solve(run);
    nq_status status = nqi_run_end(run, totals);
    free(list->unit);
    return status;
}

static void expect(void (*make_fault)(struct faulty *list), nq_status expected,
                   uint64_t solutions) {
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        struct faulty list = {.make_fault = make_fault};
        const struct executor executor = {.execute = run_faulty, .context = &list};
        const nq_options options = {
            .size = sizeof(nq_options), .threads = threads, .plan = "rows", .depth = 3};
        nq_result result = NQ_RESULT_INIT;
        struct failure failure = {0};
        nq_status status = nqi_count_on(&executor, N, &options, &result, &failure);
        cr_expect_eq(status, expected, "%d threads: %s", threads, nq_status_text(status));
        cr_expect_eq(result.solutions, solutions, "%d threads: %" PRIu64, threads,
                     result.solutions);
    }
}

static void no_fault(struct faulty *list) {
    (void)list;
}

Test(lost, no_fault_is_a_count) {
    expect(no_fault, NQ_OK, TOTAL);
}

/* The number of units solved is right here: it alone would not show the fault. */
static void first_for_second(struct faulty *list) {
    list->unit[1] = list->unit[0];
}

static void last_for_first(struct faulty *list) {
    list->unit[0] = list->unit[list->count - 1];
}

Test(lost, a_unit_solved_in_place_of_another) {
    expect(first_for_second, NQ_LOST_UNIT, 0);
    expect(last_for_first, NQ_LOST_UNIT, 0);
}

static void one_once_more(struct faulty *list) {
    list->unit[list->count++] = list->unit[0];
}

Test(lost, a_unit_handed_out_once_more) {
    expect(one_once_more, NQ_LOST_UNIT, 0);
}

/* No unit is solved twice here: the number of units alone shows the fault. */
static void one_kept(struct faulty *list) {
    list->kept = 1;
}

Test(lost, a_unit_that_another_process_never_adds) {
    expect(one_kept, NQ_LOST_UNIT, 0);
}
