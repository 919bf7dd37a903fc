/* nqi_run_job, with a method made up for the test: what is added up, and what goes wrong. */
#include "whole.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A job whose units have the solutions that the test says. */
struct fake {
    struct solver job; /* first */
    struct partition partition;
    struct unit *units;
    uint64_t *solutions;
    uint64_t work;           /* of each unit */
    atomic_uint *solved;     /* [unit]: how often */
    uint64_t *order;         /* ids as they were solved */
    atomic_ullong next;      /* in that order */
    atomic_int workers;      /* living */
    atomic_int workers_made; /* ever */
    int spare_workers;       /* that memory is there for */
    atomic_int strange;      /* units or workers that were not ours */
    uint64_t fails_at;       /* the unit that ends with `failure` */
    nq_status failure;
    uint64_t waits_at; /* the unit that goes on until the heartbeat says no */
    atomic_int beats;  /* that said yes to it */
};

static void no_close(struct solver *job) {
    (void)job;
}

/* A worker is a pointer to the count of workers, so that releasing one can be seen. */
static void *worker_new(const struct solver *job) {
    struct fake *fake = (struct fake *)job;
    if (atomic_fetch_add(&fake->workers_made, 1) >= fake->spare_workers)
        return NULL;
    atomic_fetch_add(&fake->workers, 1);
    return &fake->workers;
}

static void worker_free(void *worker) {
    if (worker != NULL)
        atomic_fetch_sub((atomic_int *)worker, 1);
}

static nq_status solve(const struct solver *job, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result) {
    struct fake *fake = (struct fake *)job;
    *result = (struct unit_result){0};
    if (worker != &fake->workers || id >= job->partition->unit_count) {
        atomic_fetch_add(&fake->strange, 1);
        return NQ_OK;
    }
    if (id == fake->fails_at)
        return fake->failure;
    if (id == fake->waits_at) {
        while (heartbeat_go_on(heartbeat, 0))
            atomic_fetch_add(&fake->beats, 1);
        return NQ_CANCELLED;
    }
    atomic_fetch_add(&fake->solved[id], 1);
    unsigned long long place = atomic_fetch_add(&fake->next, 1);
    if (place < job->partition->unit_count)
        fake->order[place] = id;
    *result = (struct unit_result){.solutions = fake->solutions[id], .work = fake->work};
    return NQ_OK;
}

static const struct solver_calls calls_of_fake = {
    .close = no_close, .worker_new = worker_new, .worker_free = worker_free, .solve = solve};

/* Units of weight 1 and cost 1, each with one solution. */
static struct fake *fake_new(uint64_t units) {
    struct fake *fake = calloc(1, sizeof *fake);
    cr_assert_not_null(fake);
    fake->partition = (struct partition){.method = "fake", .plan = "fake", .work = "work"};
    fake->job = (struct solver){
        .call = &calls_of_fake, .partition = &fake->partition, .kernel = "fake"};
    fake->partition.unit_count = units;
    fake->units = calloc(units + 1, sizeof *fake->units);
    fake->partition.units = fake->units;
    fake->solutions = calloc(units + 1, sizeof *fake->solutions);
    fake->solved = calloc(units + 1, sizeof *fake->solved);
    fake->order = calloc(units + 1, sizeof *fake->order);
    fake->work = 3;
    fake->spare_workers = NQ_MAX_THREADS;
    fake->fails_at = fake->waits_at = UINT64_MAX;
    cr_assert(fake->units != NULL && fake->solutions != NULL && fake->solved != NULL &&
              fake->order != NULL);
    for (uint64_t id = 0; id < units; id++) {
        fake->units[id] = (struct unit){.weight = 1, .cost = 1};
        fake->solutions[id] = 1;
    }
    return fake;
}

static void fake_free(struct fake *fake) {
    cr_expect_eq(atomic_load(&fake->workers), 0, "workers were left");
    cr_expect_eq(atomic_load(&fake->strange), 0, "a unit or a worker that is not the job's");
    free(fake->units);
    free(fake->solutions);
    free(fake->solved);
    free(fake->order);
    free(fake);
}

static nq_status run(struct fake *fake, int threads, struct totals *totals) {
    const struct team team = {.threads = threads};
    return run_whole(&fake->job, &team, (struct observer){0}, totals);
}

static const int thread_counts[] = {1, 2, 3, 5, 16};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

Test(run, adds_up_weight_times_solutions) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        struct fake *fake = fake_new(4);
        for (uint64_t id = 0; id < 4; id++) {
            fake->units[id].weight = id + 1;
            fake->solutions[id] = UINT64_C(1000000007) * id;
        }
        struct totals totals;
        cr_expect_eq(run(fake, thread_counts[t], &totals), NQ_OK);
        cr_expect_eq(totals.solutions, UINT64_C(20000000140)); /* 2 x 1 + 3 x 2 + 4 x 3 */
        cr_expect_eq(totals.work, 12);
        cr_expect_eq(totals.units, 4);
        cr_expect_eq(totals.threads, thread_counts[t]);
        cr_expect_eq(totals.threads_bound, 0);
        fake_free(fake);
    }
}

static bool note_work(const nq_progress *progress, void *context) {
    *(uint64_t *)context = progress->work;
    return true;
}

Test(run, work_beyond_64_bits_stays_at_the_most_they_hold) {
    for (int t = 0; t < THREAD_COUNTS; t++)
        for (uint64_t units = 1; units <= 64; units *= 2) {
            struct fake *fake = fake_new(units);
            struct totals totals;
            uint64_t reported = 0;
            const struct team team = {.threads = thread_counts[t]};
            const struct observer observer = {
                .report = note_work, .context = &reported, .seconds = 1e-9};
            fake->work = UINT64_C(1) << 62;
            cr_expect_eq(run_whole(&fake->job, &team, observer, &totals), NQ_OK);
            cr_expect_eq(totals.work, units < 4 ? units << 62 : UINT64_MAX);
            cr_expect(reported <= totals.work);
            cr_expect(reported == totals.work || team.threads > 1);
            cr_expect_eq(totals.solutions, units);
            fake_free(fake);
        }
}

Test(run, solves_each_of_many_tiny_units_once) {
    enum { UNITS = 100000 };
    for (int t = 0; t < THREAD_COUNTS; t++) {
        struct fake *fake = fake_new(UNITS);
        struct totals totals;
        cr_expect_eq(run(fake, thread_counts[t], &totals), NQ_OK, "%d threads",
                     thread_counts[t]);
        cr_expect_eq(totals.solutions, UNITS, "%d threads", thread_counts[t]);
        cr_expect_eq(totals.units, UNITS, "%d threads", thread_counts[t]);
        for (uint64_t id = 0; id < UNITS; id++)
            cr_assert_eq(atomic_load(&fake->solved[id]), 1, "%d threads: unit %" PRIu64,
                         thread_counts[t], id);
        fake_free(fake);
    }
}

Test(run, of_no_units_is_a_total_of_zero) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        struct fake *fake = fake_new(0);
        struct totals totals;
        cr_expect_eq(run(fake, thread_counts[t], &totals), NQ_OK);
        cr_expect_eq(totals.solutions, 0);
        cr_expect_eq(totals.units, 0);
        fake_free(fake);
    }
}

Test(run, has_more_threads_than_units) {
    struct fake *fake = fake_new(2);
    struct totals totals;
    cr_expect_eq(run(fake, 40, &totals), NQ_OK);
    cr_expect_eq(totals.solutions, 2);
    fake_free(fake);
}

/* With one thread the order shows: by cost, and by id where costs are the same. */
Test(run, solves_the_costliest_units_first) {
    enum { UNITS = 1000 };
    struct fake *fake = fake_new(UNITS);
    for (uint64_t id = 0; id < UNITS; id++)
        fake->units[id].cost = 1 + id * 7919 % 10;
    struct totals totals;
    cr_expect_eq(run(fake, 1, &totals), NQ_OK);
    for (size_t i = 1; i < UNITS; i++) {
        uint64_t a = fake->order[i - 1], b = fake->order[i];
        const uint64_t first = fake->units[a].cost, second = fake->units[b].cost;
        cr_assert(first > second || (first == second && a < b), "place %zu", i);
    }
    fake_free(fake);
}

/* A run of two units, of which the first alone takes all that 64 bits hold. */
static nq_status run_two(uint64_t weight, uint64_t solutions, uint64_t more, int threads,
                         uint64_t *total) {
    struct fake *fake = fake_new(2);
    fake->units[0].weight = weight;
    fake->solutions[0] = solutions;
    fake->solutions[1] = more;
    struct totals totals;
    nq_status status = run(fake, threads, &totals);
    *total = totals.solutions;
    fake_free(fake);
    return status;
}

Test(run, holds_the_largest_total) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        uint64_t total;
        cr_expect_eq(run_two(1, UINT64_MAX - 5, 5, thread_counts[t], &total), NQ_OK);
        cr_expect_eq(total, UINT64_MAX);
        cr_expect_eq(run_two(2, UINT64_MAX / 2, 1, thread_counts[t], &total), NQ_OK);
        cr_expect_eq(total, UINT64_MAX);
    }
}

Test(run, overflow_of_weight_times_solutions) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        uint64_t total;
        cr_expect_eq(run_two(2, UINT64_MAX / 2 + 1, 0, thread_counts[t], &total), NQ_OVERFLOW);
        cr_expect_eq(run_two(UINT64_MAX, 2, 0, thread_counts[t], &total), NQ_OVERFLOW);
    }
}

/* With one thread its own sum overflows; with more, it may be the sum over threads. */
Test(run, overflow_of_the_sum) {
    for (int t = 0; t < THREAD_COUNTS; t++)
        for (int again = 0; again < 20; again++) {
            uint64_t total;
            cr_expect_eq(run_two(1, UINT64_MAX, 1, thread_counts[t], &total), NQ_OVERFLOW,
                         "%d threads", thread_counts[t]);
        }
}

/* Where memory runs out for one worker there is no count, however the others fare. */
Test(run, a_worker_without_memory) {
    for (int t = 0; t < THREAD_COUNTS; t++)
        for (int spare = 0; spare < thread_counts[t] && spare < 3; spare++) {
            struct fake *fake = fake_new(1000);
            fake->spare_workers = spare;
            struct totals totals;
            cr_expect_eq(run(fake, thread_counts[t], &totals), NQ_NO_MEMORY,
                         "%d threads, memory for %d", thread_counts[t], spare);
            cr_expect_eq(atomic_load(&fake->workers_made), thread_counts[t]);
            fake_free(fake);
        }
}

static bool stop(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    return false;
}

/* A callback that says stop when all is done already loses nothing. */
Test(run, stopped_after_the_last_unit_is_complete) {
    struct fake *fake = fake_new(1);
    const struct observer observer = {.report = stop};
    const struct team team = {.threads = 1};
    struct totals totals;
    cr_expect_eq(run_whole(&fake->job, &team, observer, &totals), NQ_OK);
    cr_expect_eq(totals.solutions, 1);
    cr_expect(totals.stopped);
    fake_free(fake);
}

Test(run, stopped_before_the_last_unit_is_cancelled) {
    struct fake *fake = fake_new(1000);
    const struct observer observer = {.report = stop};
    const struct team team = {.threads = 1};
    struct totals totals;
    cr_expect_eq(run_whole(&fake->job, &team, observer, &totals), NQ_CANCELLED);
    cr_expect_eq(totals.units, 1);
    cr_expect(totals.stopped);
    cr_expect_eq(atomic_load(&fake->next), 1);
    fake_free(fake);
}

/* Calls before the callback says stop. */
static bool stop_later(const nq_progress *progress, void *context) {
    (void)progress;
    return --*(int *)context > 0;
}

/* A unit that takes for ever still reports, and ends with the run. */
Test(run, stopped_in_the_middle_of_a_unit_is_cancelled) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        struct fake *fake = fake_new(10);
        fake->waits_at = 0;
        int calls = 20;
        const struct observer observer = {
            .report = stop_later, .context = &calls, .seconds = 1e-3};
        const struct team team = {.threads = thread_counts[t]};
        struct totals totals;
        cr_expect_eq(run_whole(&fake->job, &team, observer, &totals), NQ_CANCELLED,
                     "%d threads", thread_counts[t]);
        cr_expect_lt(totals.units, 10, "%d threads", thread_counts[t]);
        cr_expect_gt(atomic_load(&fake->beats), 0, "%d threads", thread_counts[t]);
        fake_free(fake);
    }
}

/* What a method says of a unit is what the run ends with; nothing is made of the other units.
 */
Test(run, a_unit_that_fails) {
    const nq_status failures[] = {NQ_NO_MEMORY, NQ_OVERFLOW, NQ_LOST_UNIT};
    for (int t = 0; t < THREAD_COUNTS; t++)
        for (int i = 0; i < 3; i++) {
            struct fake *fake = fake_new(500);
            fake->fails_at = 250;
            fake->failure = failures[i];
            struct totals totals;
            cr_expect_eq(run(fake, thread_counts[t], &totals), failures[i], "%d threads: %s",
                         thread_counts[t], nq_status_text(failures[i]));
            cr_expect_eq(totals.solutions, 0);
            cr_expect_not(totals.stopped, "no observer said stop");
            fake_free(fake);
        }
}
