/* A run that solves a unit twice, or never, ends with NQ_LOST_UNIT, and the count has no total.
 * An executor runs the count here with a list of units that has a fault. */
#include "library/executor.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, TOTAL = 92, MOST_THREADS = 8 };

struct faulty {
    void (*make_fault)(struct faulty *list);
    bool shared;    /* the units come from an exchange, not from a selection */
    uint64_t *unit; /* ids; room for one more */
    uint64_t count;
    _Atomic uint64_t next; /* of these, to hand out */
};

static enum taken take(void *context, uint64_t *unit) {
    struct faulty *list = context;
    uint64_t next = atomic_fetch_add(&list->next, 1);
    if (next >= list->count)
        return NO_MORE;
    *unit = list->unit[next];
    return TAKEN;
}

static void begin(void *context, struct run *run) {
    (void)context, (void)run;
}

static bool finished(void *context, bool *stopped) {
    (void)context, (void)stopped;
    return true;
}

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
    const struct exchange exchange = {
        .take = take, .begin = begin, .finished = finished, .context = list};
    struct run_options shared = *options;
    shared.exchange = &exchange;
    nq_status status = list->shared ? nqi_run_job(job, selection, &shared, totals)
                                    : nqi_run_job(job, &faulty, options, totals);
    free(list->unit);
    return status;
}

static void expect(void (*make_fault)(struct faulty *list), bool shared, nq_status expected,
                   uint64_t solutions) {
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        struct faulty list = {.make_fault = make_fault, .shared = shared};
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
    expect(no_fault, false, NQ_OK, TOTAL);
    expect(no_fault, true, NQ_OK, TOTAL);
}

/* The number of units solved is right here: it alone would not show the fault. */
static void first_for_second(struct faulty *list) {
    list->unit[1] = list->unit[0];
}

static void last_for_first(struct faulty *list) {
    list->unit[0] = list->unit[list->count - 1];
}

Test(lost, a_unit_solved_in_place_of_another) {
    for (int shared = 0; shared <= 1; shared++) {
        expect(first_for_second, shared, NQ_LOST_UNIT, 0);
        expect(last_for_first, shared, NQ_LOST_UNIT, 0);
    }
}

static void one_once_more(struct faulty *list) {
    list->unit[list->count++] = list->unit[0];
}

Test(lost, a_unit_handed_out_once_more) {
    expect(one_once_more, true, NQ_LOST_UNIT, 0);
}

/* No unit is solved twice here: the number of units alone shows the fault. */
static void all_but_one(struct faulty *list) {
    list->count--;
}

Test(lost, a_unit_never_handed_out) {
    expect(all_but_one, true, NQ_LOST_UNIT, 0);
}
