/* The progress callback: its calls, its figures, and that it can stop a count. */
#include "ledgers.h"

#include <criterion/criterion.h>
#include <nqueens.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

struct watch {
    atomic_int inside; /* calls under way */
    int calls, most_inside, backwards, out_of_range;
    nq_progress last;
    double least_gap;      /* between two calls */
    bool tables, counting; /* phases seen */
};

static bool look(const nq_progress *progress, void *context) {
    struct watch *w = context;
    int inside = atomic_fetch_add(&w->inside, 1) + 1;
    sched_yield(); /* lets other threads in, unless something keeps them out */
    w->most_inside = inside > w->most_inside ? inside : w->most_inside;
    const nq_progress *last = &w->last;
    if (w->calls > 0) {
        w->backwards += progress->units_done < last->units_done ||
                        progress->work < last->work || progress->share < last->share;
        double gap = progress->seconds - last->seconds;
        w->least_gap = w->calls == 1 || gap < w->least_gap ? gap : w->least_gap;
    }
    w->out_of_range += !(progress->share >= 0 && progress->share <= 1) ||
                       progress->units_done > progress->units || progress->seconds < 0;
    w->tables = w->tables || strcmp(progress->phase, "making tables") == 0;
    w->counting = w->counting || strcmp(progress->phase, "counting") == 0;
    w->last = *progress;
    w->calls++;
    atomic_fetch_sub(&w->inside, 1);
    return true;
}

static nq_status watch(int n, int threads, double seconds, struct watch *w, nq_result *result) {
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = threads,
                                .plan = "rows",
                                .depth = 3,
                                .progress = look,
                                .progress_context = w,
                                .progress_seconds = seconds};
    return nq_count_solutions(n, &options, result);
}

/* Reports after every unit: each takes more than a nanosecond. */
static void watch_threads(int threads) {
    struct watch w = {0};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(watch(14, threads, 1e-9, &w, &result), NQ_OK);
    cr_expect_eq(result.verdict, NQ_VERIFIED);
    cr_expect_geq(w.calls, 1, "%d threads", threads);
    cr_expect_leq((uint64_t)w.calls, result.units, "%d threads", threads);
    cr_expect_eq(w.most_inside, 1, "%d threads: %d at once", threads, w.most_inside);
    cr_expect_eq(w.backwards, 0, "%d threads: %d times", threads, w.backwards);
    cr_expect_eq(w.out_of_range, 0, "%d threads: %d times", threads, w.out_of_range);
    cr_expect_eq(w.last.n, 14);
    cr_expect_eq(w.last.units, result.units);
    cr_expect_leq(w.last.work, result.work);
    cr_expect_leq(w.last.seconds, result.seconds);
}

Test(progress, one_thread) {
    watch_threads(1);
}

Test(progress, two_threads) {
    watch_threads(2);
}

Test(progress, more_threads_than_cpus) {
    watch_threads(9);
}

/* A single thread reports after its last unit, too: the last report is of the whole count. */
Test(progress, ends_at_the_whole) {
    struct watch w = {0};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(watch(12, 1, 1e-9, &w, &result), NQ_OK);
    cr_expect_eq(w.last.units_done, result.units);
    cr_expect_eq(w.last.work, result.work);
    cr_expect_float_eq(w.last.share, 1, 1e-9);
    cr_expect_float_eq(w.last.remaining, 0, 1e-6);
}

Test(progress, keeps_the_time_between_calls) {
    struct watch w = {0};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(watch(14, 1, 0.01, &w, &result), NQ_OK);
    if (w.calls > 1)
        cr_expect_geq(w.least_gap, 0.0099, "%g s", w.least_gap);
    cr_expect_leq(w.calls, 1 + (int)(result.seconds / 0.01));
}

/* Zero means 0.1 s. */
Test(progress, has_a_default_time_between_calls) {
    struct watch w = {0};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(watch(13, 1, 0, &w, &result), NQ_OK);
    cr_expect_geq(w.calls, 1);
    cr_expect_leq(w.calls, 1 + (int)(result.seconds / 0.1));
}

struct stop {
    int calls, at; /* the call that says stop */
};

static bool stop(const nq_progress *progress, void *context) {
    (void)progress;
    struct stop *s = context;
    return ++s->calls < s->at;
}

/* The board is so large that units are left when the callback says stop, even if the thread
 * that calls it is held up and the other threads go on for a time slice. */
static void cancel(int threads, int call) {
    struct stop s = {.at = call};
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = threads,
                                .plan = "rows",
                                .depth = 3,
                                .progress = stop,
                                .progress_context = &s,
                                .progress_seconds = 1e-9};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(16, &options, &result), NQ_CANCELLED, "%d threads",
                 threads);
    cr_expect_eq(result.solutions, 0);
    cr_expect_eq(result.verdict, NQ_UNVERIFIED);
    cr_expect_eq(s.calls, call); /* no call follows, not even from the middle of a unit */
    cr_expect_lt(result.units_done, result.units);
    cr_expect_gt(result.work, 0);
}

Test(progress, cancel_at_the_first_call) {
    cancel(1, 1);
    cancel(2, 1);
    cancel(5, 1);
}

Test(progress, cancel_later) {
    cancel(1, 100);
}

/* The next count starts afresh. */
Test(progress, count_after_a_cancelled_one) {
    cancel(2, 1);
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(10, &(nq_options){.size = sizeof(nq_options), .threads = 2},
                                    &result),
                 NQ_OK);
    cr_expect_eq(result.solutions, 724);
}

static bool stop_with_the_last_unit(const nq_progress *progress, void *context) {
    (void)context;
    return progress->units_done < progress->units;
}

/* The count is complete, so it is not cancelled. */
Test(progress, stop_with_the_last_unit_is_no_cancel) {
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = 1,
                                .progress = stop_with_the_last_unit,
                                .progress_seconds = 1e-9};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(10, &options, &result), NQ_OK);
    cr_expect_eq(result.solutions, 724);
}

/* A callback that opens a reader, whose lock keeps the count from committing. */
struct blocked {
    struct ledger *reader;
    bool stopped;
    int calls, calls_after; /* after the one that said stop */
    int held;               /* calls while the reader has the lock and no unit is solved */
    bool at_begin;          /* the reader was opened before the count */
    double last, least_gap; /* seconds: of the last call, between two calls */
};

/* Blocks the last commit, and says stop when no unit is left that it could stop. */
static bool block_and_stop(const nq_progress *progress, void *context) {
    struct blocked *b = context;
    if (b->stopped) { /* lets go, or the count would wait for ten minutes */
        b->calls_after++;
        nqi_ledger_close(b->reader);
        b->reader = NULL;
        return true;
    }
    if (progress->units_done < progress->units)
        return true;
    b->reader = open_ok(in_folder("file"), LEDGER_READ);
    b->stopped = true;
    return false;
}

Test(progress, is_not_called_for_a_lock_after_a_stop, .init = folder_make,
     .fini = folder_remove) {
    struct blocked b = {0};
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = 1,
                                .ledger = in_folder("file"),
                                .progress = block_and_stop,
                                .progress_context = &b,
                                .progress_seconds = 1e-9};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(12, &options, &result), NQ_LEDGER_BUSY, "%s",
                 nq_error_message());
    cr_expect(b.stopped && b.calls_after == 0, "%d calls after the stop", b.calls_after);
    nqi_ledger_close(b.reader);
}

/* Blocks the first and the last commit, each for three calls. */
static bool block_for_a_while(const nq_progress *progress, void *context) {
    struct blocked *b = context;
    double gap = progress->seconds - b->last;
    b->least_gap = b->calls <= 1 || gap < b->least_gap ? gap : b->least_gap;
    b->last = progress->seconds;
    b->calls++;
    if (b->reader == NULL && b->held == 3)
        b->reader = open_ok(in_folder("file"), LEDGER_READ);
    else if (b->reader != NULL && (b->at_begin || progress->units_done == progress->units) &&
             ++b->held % 3 == 0) {
        nqi_ledger_close(b->reader);
        b->reader = NULL;
        b->at_begin = false;
    }
    return true;
}

static struct blocked count_blocked(int n, double seconds) {
    const char *file = in_folder("file");
    nq_options options = {.size = sizeof(nq_options),
                          .threads = 1,
                          .method = "search",
                          .kernel = "scalar64",
                          .ledger = file,
                          .shard = 1,
                          .shards = 2};
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(nq_count_solutions(n, &options, &result), NQ_OK, "%s", nq_error_message());
    struct blocked b = {.reader = open_ok(file, LEDGER_READ), .at_begin = true};
    options.shards = options.shard = 0;
    options.progress = block_for_a_while;
    options.progress_context = &b;
    options.progress_seconds = seconds;
    cr_expect_eq(nq_count_solutions(n, &options, &result), NQ_OK, "%s", nq_error_message());
    cr_expect_null(b.reader);
    return b;
}

/* From a wait for a lock to the run, and from the run to a wait, too. */
Test(progress, keeps_the_time_between_calls_for_a_lock, .init = folder_make,
     .fini = folder_remove) {
    struct blocked b = count_blocked(16, 0.02);
    cr_expect_eq(b.held, 6);
    cr_expect_geq(b.least_gap, 0.0199, "%g s", b.least_gap);
}

Test(progress, has_a_default_time_between_calls_for_a_lock, .init = folder_make,
     .fini = folder_remove) {
    struct blocked b = count_blocked(10, 0);
    cr_expect_geq(b.held, 3);
    cr_expect_geq(b.least_gap, 0.0999, "%g s", b.least_gap);
}

/* A callback that lets a reader block the ledger for three calls while units are solved, and
 * then stops the count. */
static bool block_while_counting(const nq_progress *progress, void *context) {
    struct blocked *b = context;
    bool counting = strcmp(progress->phase, "counting") == 0;
    if (b->calls == 0 && counting && progress->units_done > 0) {
        b->reader = open_ok(in_folder("file"), LEDGER_READ);
        b->calls = 1;
    } else if (b->reader != NULL && strcmp(progress->phase, "waiting for the ledger") == 0 &&
               progress->units_done < progress->units) {
        if (++b->held == 3) {
            nqi_ledger_close(b->reader);
            b->reader = NULL;
        }
    }
    return b->held < 3;
}

Test(progress, tells_of_a_locked_ledger_while_counting, .init = folder_make,
     .fini = folder_remove) {
    struct blocked b = {0};
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = 1,
                                .plan = "rows",
                                .depth = 3,
                                .kernel = "scalar64",
                                .ledger = in_folder("file"),
                                .progress = block_while_counting,
                                .progress_context = &b,
                                .progress_seconds = 0.01};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(18, &options, &result), NQ_CANCELLED, "%s",
                 nq_error_message());
    cr_expect_eq(b.held, 3);
    cr_expect_eq(files_in_folder(), 1);
    nqi_ledger_close(b.reader);
}

/* Only an estimate makes tables first. */
Test(progress, a_count_begins_with_counting) {
    struct watch w = {0};
    const nq_options options = {.size = sizeof(nq_options),
                                .method = "join",
                                .progress = look,
                                .progress_context = &w,
                                .progress_seconds = 1e-9};
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(nq_count_solutions(16, &options, &result), NQ_OK, "%s", nq_error_message());
    cr_expect(w.counting && !w.tables);
}
