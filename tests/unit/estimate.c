/* nqi_estimate_count: small boards measured whole, samples of large ones, and what stops it. */
#include "measure/estimate.h"
#include "library/choose.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void refuse(int n, const nq_options *options, nq_status expected, const char *names) {
    struct estimate e;
    nq_status status = nqi_estimate_count(n, options, 1, &e);
    cr_expect_eq(status, expected, "n = %d, %s: %s", n, names, nq_status_text(status));
    cr_expect_eq(e.n, n);
    cr_expect_eq(e.units_measured, 0, "n = %d, %s", n, names);
    cr_expect_not_null(strstr(nq_error_message(), names), "n = %d: '%s' lacks '%s'", n,
                       nq_error_message(), names);
}

Test(estimate, n_out_of_range_is_refused) {
    refuse(-1, NULL, NQ_BAD_N, "-1");
    refuse(29, NULL, NQ_BAD_N, "0 to 28");
    refuse(INT_MIN, NULL, NQ_BAD_N, "-2147483648");
    refuse(INT_MAX, NULL, NQ_BAD_N, "2147483647");
}

Test(estimate, ledgers_and_shards_are_refused) {
    refuse(8, &(nq_options){.size = sizeof(nq_options), .ledger = "none.ledger"}, NQ_BAD_OPTION,
           "option ledger:");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2}, NQ_BAD_OPTION,
           "option shard:");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .shards = 1}, NQ_BAD_OPTION,
           "option shards:");
}

Test(estimate, options_that_a_count_refuses_are_refused) {
    refuse(8, &(nq_options){.size = sizeof(nq_options), .threads = -1}, NQ_BAD_OPTION, "-1");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .threads = NQ_MAX_THREADS + 1},
           NQ_BAD_OPTION, "4097");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .method = "guess"}, NQ_BAD_OPTION,
           "guess");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .plan = "columns"}, NQ_BAD_OPTION,
           "columns");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .kernel = "mmx"}, NQ_NO_KERNEL, "mmx");
    refuse(8, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = 4},
           NQ_BAD_OPTION, "4");
    refuse(
        8,
        &(nq_options){.size = sizeof(nq_options), .bind = NQ_BIND_LIST, .bind_list = "999999"},
        NQ_NO_PU, "999999");
}

/* The estimate must be for what nqi_choose_settings says that a count would use. */
static void expect_chosen(int n, const nq_options *options, const struct estimate *e) {
    const nq_options defaults = NQ_OPTIONS_INIT;
    struct settings choice;
    cr_assert_eq(nqi_choose_settings(n, options != NULL ? options : &defaults, &choice), NQ_OK,
                 "n = %d", n);
    cr_expect_str_eq(e->method, choice.method, "n = %d", n);
    cr_expect_str_eq(e->plan, choice.plan, "n = %d", n);
    cr_expect_str_eq(e->kernel, choice.kernel, "n = %d", n);
    cr_expect_eq(e->depth, choice.depth, "n = %d", n);
    cr_expect_eq(e->units, choice.units, "n = %d", n);
    cr_expect_eq(e->table_bytes, choice.table_bytes, "n = %d", n);
    cr_expect_eq(e->thread_bytes, choice.thread_bytes, "n = %d", n);
}

static void expect_consistent(const struct estimate *e) {
    cr_expect(isfinite(e->thread_seconds) && e->thread_seconds > 0, "n = %d: %g s", e->n,
              e->thread_seconds);
    cr_expect_float_eq(e->seconds,
                       e->plan_seconds + e->table_seconds + e->thread_seconds / e->cores,
                       1e-9 * e->seconds, "n = %d", e->n);
    cr_expect_float_eq(e->unit_seconds * (double)e->units, e->thread_seconds,
                       1e-9 * e->thread_seconds, "n = %d", e->n);
    cr_expect_geq(e->longest_unit_seconds, e->unit_seconds, "n = %d", e->n);
    cr_expect_geq(e->error, 0, "n = %d", e->n);
    cr_expect(e->cpu_share > 0 && e->cpu_share <= 1, "n = %d: %g", e->n, e->cpu_share);
    cr_expect_str_empty(nq_error_message(), "n = %d", e->n);
}

static void measure_whole(int n, const nq_options *options) {
    struct estimate e;
    nq_status status = nqi_estimate_count(n, options, 30, &e);
    cr_assert_eq(status, NQ_OK, "n = %d: %s", n, nq_error_message());
    cr_expect_eq(e.units_measured, e.units, "n = %d", n);
    cr_expect_eq(e.error, 0, "n = %d", n);
    cr_expect_leq(e.longest_unit_seconds, e.thread_seconds, "n = %d", n);
    expect_chosen(n, options, &e);
    expect_consistent(&e);
}

Test(estimate, small_boards_are_measured_whole) {
    const nq_options join = {.size = sizeof(nq_options), .method = "join"},
                     search = {.size = sizeof(nq_options), .method = "search"},
                     rows = {
                         .size = sizeof(nq_options), .plan = "rows", .depth = 3, .threads = 3};
    for (int n = 4; n <= 14; n++) {
        measure_whole(n, NULL);
        measure_whole(n, &search);
        measure_whole(n, &join);
        measure_whole(n, &rows);
    }
}

/* Binds this process and a child, which computes until it is killed, to one PU. */
static pid_t share_a_pu(void) {
    cpu_set_t all, one;
    size_t pu = 0;
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(pu, &all))
        pu++;
    CPU_ZERO(&one);
    CPU_SET(pu, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    const pid_t child = fork();
    for (volatile unsigned count = 0; child == 0;)
        count++;
    return child;
}

static double process_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The time in which a thread waits for its PU is no work. */
Test(estimate, a_busy_machine_makes_no_more_work) {
    const nq_options options = {.size = sizeof(nq_options),
                                .plan = "rows",
                                .kernel = "scalar64",
                                .threads = 1,
                                .bind = NQ_BIND_NONE};
    struct estimate e;
    const pid_t other = share_a_pu();
    const double before = process_seconds();
    cr_expect_eq(nqi_estimate_count(15, &options, 30, &e), NQ_OK, "%s", nq_error_message());
    const double used = process_seconds() - before;
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    cr_expect_eq(e.units_measured, e.units);
    cr_expect_leq(e.thread_seconds, used);
    cr_expect(e.cpu_share > 0 && e.cpu_share < 0.8, "%g", e.cpu_share);
    expect_consistent(&e);
}

Test(estimate, without_options_and_budget_the_defaults_are_used) {
    struct estimate e;
    cr_expect_eq(nqi_estimate_count(10, NULL, 0, &e), NQ_OK);
    cr_expect_eq(e.units_measured, e.units);
    cr_expect_eq(nqi_estimate_count(10, NULL, -1, &e), NQ_OK);
    cr_expect_eq(e.units_measured, e.units);
}

Test(estimate, the_number_of_threads_is_the_requested_one) {
    for (int threads = 1; threads <= 5; threads++) {
        struct estimate e;
        cr_expect_eq(
            nqi_estimate_count(
                10, &(nq_options){.size = sizeof(nq_options), .threads = threads}, 1, &e),
            NQ_OK);
        cr_expect_eq(e.threads, threads);
    }
}

/* A thread needs a minute or more for n = 20. */
static void take_sample(const char *method) {
    const nq_options options = {.size = sizeof(nq_options), .method = method, .threads = 1};
    struct estimate e;
    cr_assert_eq(nqi_estimate_count(20, &options, 0.3, &e), NQ_OK, "%s: %s", method,
                 nq_error_message());
    cr_expect_gt(e.units_measured, 0, "%s", method);
    cr_expect_lt(e.units_measured, e.units, "%s", method);
    cr_expect(isfinite(e.error) && e.error > 0, "%s: %g", method, e.error);
    expect_chosen(20, &options, &e);
    expect_consistent(&e);
}

Test(estimate, a_large_board_is_sampled) {
    take_sample("search");
    take_sample("join");
}

/* A nanosecond is less than any unit takes. */
Test(estimate, a_budget_below_any_unit_is_enough_to_estimate) {
    struct estimate e;
    cr_assert_eq(nqi_estimate_count(18, NULL, 1e-9, &e), NQ_OK, "%s", nq_error_message());
    cr_expect_lt(e.units_measured, e.units);
    cr_expect(isfinite(e.thread_seconds) && e.thread_seconds > 0, "%g", e.thread_seconds);
}

struct watch {
    int calls, stop_at; /* 0: never */
    int n;
    double seconds; /* of the last call */
    double share;
    uint64_t work;
    bool wrong; /* shares and units that cannot be, or what goes back: clock, share, work */
    bool tables, measuring; /* phases seen */
};

static bool look(const nq_progress *progress, void *context) {
    struct watch *w = context;
    w->n = progress->n;
    w->wrong = w->wrong || !(progress->share >= 0 && progress->share <= 1) ||
               progress->units_done > progress->units || progress->seconds < w->seconds ||
               progress->share < w->share || progress->work < w->work;
    w->seconds = progress->seconds;
    w->share = progress->share;
    w->work = progress->work;
    w->tables = w->tables || strcmp(progress->phase, "making tables") == 0;
    w->measuring = w->measuring || strstr(progress->phase, "measuring") == progress->phase;
    return ++w->calls != w->stop_at;
}

static nq_status watch(int n, double budget, struct watch *w, struct estimate *e) {
    const nq_options options = {.size = sizeof(nq_options),
                                .method = "search",
                                .threads = 1,
                                .progress = look,
                                .progress_context = w,
                                .progress_seconds = 1e-9};
    return nqi_estimate_count(n, &options, budget, e);
}

/* A nanosecond has passed after any unit. */
Test(estimate, progress_is_reported_after_every_unit) {
    struct watch w = {0};
    struct estimate e;
    cr_expect_eq(watch(13, 30, &w, &e), NQ_OK);
    cr_expect_geq((uint64_t)w.calls, e.units);
    cr_expect_eq(w.n, 13);
    cr_expect_not(w.wrong);
}

/* Batches, and tables before them. */
Test(estimate, progress_of_a_sample) {
    struct watch w = {0};
    const nq_options options = {.size = sizeof(nq_options),
                                .method = "join",
                                .progress = look,
                                .progress_context = &w,
                                .progress_seconds = 1e-9};
    struct estimate e;
    cr_assert_eq(nqi_estimate_count(19, &options, 0.5, &e), NQ_OK, "%s", nq_error_message());
    cr_expect_not(w.wrong);
    cr_expect(w.tables && w.measuring);
}

static void cancel(int n, int call) {
    struct watch w = {.stop_at = call};
    struct estimate e;
    cr_expect_eq(watch(n, 30, &w, &e), NQ_CANCELLED, "n = %d, call %d", n, call);
    cr_expect_eq(w.calls, call, "n = %d", n);
    cr_expect_str_not_empty(nq_error_message(), "n = %d", n);
}

Test(estimate, the_callback_cancels_at_its_first_call) {
    cancel(16, 1);
    cancel(24, 1);
}

Test(estimate, the_callback_cancels_at_a_later_call) {
    cancel(18, 20);
}

Test(estimate, an_estimate_after_a_cancelled_one_is_whole) {
    cancel(18, 1);
    measure_whole(10, NULL);
}

struct late_stop {
    int calls, calls_after; /* after the one that said stop */
    bool stopped;
};

/* One thread's first batch is four draws. Says stop once its units are finished, so that the
 * stop drops none of them. */
static bool stop_with_the_last_unit(const nq_progress *progress, void *context) {
    struct late_stop *s = context;
    s->calls++;
    s->calls_after += s->stopped;
    s->stopped = s->stopped || progress->units_done >= 4;
    return !s->stopped;
}

Test(estimate, cancelled_with_the_last_unit_of_a_batch) {
    struct late_stop s = {0};
    const nq_options options = {.size = sizeof(nq_options),
                                .method = "search",
                                .threads = 1,
                                .progress = stop_with_the_last_unit,
                                .progress_context = &s,
                                .progress_seconds = 1e-9};
    struct estimate e;
    cr_expect_eq(nqi_estimate_count(18, &options, 0.3, &e), NQ_CANCELLED);
    cr_expect(s.stopped && s.calls_after == 0, "%d calls after the stop", s.calls_after);
    cr_expect_lt(e.units_measured, e.units);
    cr_expect_str_not_empty(nq_error_message());
}

/* Stops at the first call while units are measured. */
static bool stop_measuring(const nq_progress *progress, void *context) {
    struct watch *w = context;
    look(progress, w);
    w->wrong = w->wrong || (w->measuring && strcmp(progress->phase, "measuring") != 0);
    return !w->measuring;
}

/* The board's own units, whether they are listed or not. Without a time, the aim is a narrow
 * interval. */
Test(estimate, method_join_measures_the_largest_boards_themselves) {
    for (int n = 25; n <= 26; n++) { /* listed units, and those that are not */
        struct watch w = {0};
        const nq_options options = {.size = sizeof(nq_options),
                                    .method = "join",
                                    .threads = 1,
                                    .progress = stop_measuring,
                                    .progress_context = &w,
                                    .progress_seconds = 1e-9};
        struct estimate e;
        cr_expect_eq(nqi_estimate_count(n, &options, n % 2 == 0 ? 1 : 0, &e), NQ_CANCELLED);
        cr_expect(w.measuring && !w.wrong, "n = %d", n);
        cr_expect_eq(w.n, n);
        expect_chosen(n, &options, &e);
    }
}

/* The first call comes before the first unit. */
Test(estimate, cancelled_while_tables_are_made) {
    struct watch w = {.stop_at = 1};
    const nq_options options = {.size = sizeof(nq_options),
                                .method = "join",
                                .threads = 1,
                                .progress = look,
                                .progress_context = &w,
                                .progress_seconds = 1e-9};
    struct estimate e;
    cr_expect_eq(nqi_estimate_count(18, &options, 1, &e), NQ_CANCELLED);
    cr_expect_eq(w.calls, 1);
    cr_expect_eq(e.units_measured, 0);
}

Test(estimate, boards_too_large_to_be_searched_are_refused) {
    const nq_options options = {.size = sizeof(nq_options), .method = "search", .threads = 1};
    struct estimate e;
    for (int n = 25; n <= NQ_MAX_N; n++) {
        cr_expect_eq(nqi_estimate_count(n, &options, 1, &e), NQ_BAD_OPTION, "n = %d", n);
        cr_expect_not_null(strstr(nq_error_message(), "24"), "%s", nq_error_message());
    }
}
