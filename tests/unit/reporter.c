/* Two threads that mean to report at the same time: the first one finds that a report is due,
 * and is held up until the second one has reported. The test plays both in one thread: the
 * second thread's report is made while the first one looks at the clock. */
#include "run/reporter.h"

#include "clock.h"

#include <criterion/criterion.h>

static struct reporter reporter;
static enum { ON_TIME, LOOKING, HELD_UP } first; /* thread */
static double next_due;                          /* set by the second thread */

static void looked_at(void) {
    if (first == LOOKING) {
        const double due = atomic_load(&reporter.next_report);
        first = ON_TIME;
        nqi_reporter_tick(&reporter); /* the second thread's */
        first = HELD_UP;
        next_due = atomic_load(&reporter.next_report);
        atomic_store(&reporter.next_report, due); /* what the first thread has seen of it */
    } else if (first == HELD_UP) { /* it goes on: from now on it sees the second one's work */
        first = ON_TIME;
        atomic_store(&reporter.next_report, next_due);
    }
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

static struct reports report_by_two(double progress_seconds) {
    const struct selection none = {0};
    const struct counters counters = {0};
    struct reports reports = {0};
    reporter = (struct reporter){
        .observer = {.report = note, .context = &reports, .seconds = progress_seconds},
        .selection = &none,
        .counters = &counters,
        .counter_count = 1,
        .reporting = ATOMIC_FLAG_INIT};
    clock_looked_at = looked_at;
    first = LOOKING;
    nqi_reporter_tick(&reporter);
    return reports;
}

Test(reporter, never_goes_back_in_time) {
    const struct reports reports = report_by_two(1e-9);
    cr_assert_eq(reports.count, 2);
    cr_expect_gt(reports.seconds[1], reports.seconds[0]);
}

Test(reporter, is_not_made_by_both) {
    cr_expect_eq(report_by_two(100).count, 1);
}
