/* Two threads that mean to report at the same time: the first one finds that a report is due,
 * and is held up until the second one has reported. The test plays both in one thread. It has a
 * clock of its own in place of run/clock.c, and the second thread's report is made while the
 * first one looks at the clock. */
#include "run/report.h"

#include "run/clock.h"

#include <criterion/criterion.h>

static struct reporter reporter;
static enum { ON_TIME, LOOKING, HELD_UP } first; /* thread */
static double now;      /* a second passes with each look at the clock */
static double next_due; /* set by the second thread */

double seconds_now(void) {
    double read = now++;
    if (first == LOOKING) {
        double due = atomic_load(&reporter.next);
        first = ON_TIME;
        reporter_tick(&reporter); /* the second thread's */
        first = HELD_UP;
        next_due = atomic_load(&reporter.next);
        atomic_store(&reporter.next, due); /* what the first thread has seen of it */
    } else if (first == HELD_UP) { /* it goes on: from now on it sees the second one's work */
        first = ON_TIME;
        atomic_store(&reporter.next, next_due);
    }
    return read;
}

void pause_for(double seconds) {
    now += seconds;
}

struct reports {
    int count;
    double seconds[2];
};

static bool note(const nq_progress *progress, void *context) {
    struct reports *reports = context;
    if (reports->count < 2)
        reports->seconds[reports->count] = progress->seconds;
    reports->count++;
    return true;
}

static void report_by_two(double progress_seconds, struct reports *reports) {
    static const struct method method = {.name = "fake", .work = "work"};
    const struct job job = {.method = &method};
    const struct selection none = {0};
    const struct share share = {0};
    const nq_options options = {
        .progress = note, .progress_context = reports, .progress_seconds = progress_seconds};
    *reports = (struct reports){0};
    first = ON_TIME;
    now = 1;
    reporter_init(&reporter, &job, &none, &options, &share, 1, 0, 0);
    first = LOOKING;
    reporter_tick(&reporter);
}

Test(report, never_goes_back_in_time) {
    struct reports reports;
    report_by_two(1e-9, &reports);
    cr_assert_eq(reports.count, 2);
    cr_expect_gt(reports.seconds[1], reports.seconds[0]);
}

Test(report, is_not_made_by_both) {
    struct reports reports;
    report_by_two(100, &reports);
    cr_expect_eq(reports.count, 1);
}
