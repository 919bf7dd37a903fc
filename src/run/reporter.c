/* SPDX-License-Identifier: MIT */
#include "run/reporter.h"

#include "machine/clock.h"

double nqi_observer_interval(const struct observer *observer) {
    return observer->seconds > 0 ? observer->seconds : 0.1;
}

void nqi_reporter_stop(struct reporter *reporter, double grace_seconds) {
    atomic_store(&reporter->deadline, nqi_seconds_now() + grace_seconds);
    atomic_store(&reporter->stop, true);
}

bool nqi_reporter_may_start(const struct reporter *reporter) {
    return !atomic_load_explicit(&reporter->stop, memory_order_acquire);
}

bool nqi_reporter_may_go_on(const struct reporter *reporter) {
    return nqi_reporter_may_start(reporter) ||
           nqi_seconds_now() < atomic_load_explicit(&reporter->deadline, memory_order_acquire);
}

nq_progress nqi_progress_begin(const struct solver *solver, const struct team *team) {
    return (nq_progress){.size = sizeof(nq_progress),
                         .job = &solver->partition->job,
                         .kernel = solver->kernel,
                         .threads = team->threads,
                         .pus = team->pus,
                         .work_name = solver->partition->work,
                         .phase = "counting",
                         .remaining = -1};
}

static nq_progress progress_now(const struct reporter *reporter, double now) {
    const struct selection *selection = reporter->selection;
    nq_progress progress = reporter->common;
    progress.units = selection->all_count;
    progress.units_done = selection->all_count - selection->count;
    progress.seconds = now - reporter->started;
    uint64_t cost = 0;
    for (int i = 0; i < reporter->counter_count; i++) {
        const struct counters *counters = &reporter->counters[i];
        progress.units_done += atomic_load_explicit(&counters->units, memory_order_relaxed);
        progress.work = work_sum(progress.work,
                                 atomic_load_explicit(&counters->work, memory_order_relaxed));
        cost += atomic_load_explicit(&counters->cost, memory_order_relaxed);
    }
    const double remaining_cost = (double)(selection->cost > cost ? selection->cost - cost : 0);
    progress.share =
        selection->all_cost > 0 ? 1 - remaining_cost / (double)selection->all_cost : 1;
    if (cost > 0) /* at this run's pace: earlier runs may have been on other machines */
        progress.remaining = (now - reporter->solving) * remaining_cost / (double)cost;
    return progress;
}

void nqi_reporter_tick(struct reporter *reporter) {
    const struct observer *observer = &reporter->observer;
    if (observer->report == NULL ||
        nqi_seconds_now() <
            atomic_load_explicit(&reporter->next_report, memory_order_relaxed) ||
        atomic_flag_test_and_set(&reporter->reporting))
        return; /* too early, or another thread is reporting */
    /* Another thread may have reported since the first look at next_report: look again. */
    double now = nqi_seconds_now();
    if (now < atomic_load(&reporter->next_report) || !nqi_reporter_may_start(reporter)) {
        atomic_flag_clear(&reporter->reporting);
        return;
    }
    atomic_store(&reporter->next_report, now + nqi_observer_interval(observer));
    nq_progress progress = progress_now(reporter, now);
    if (!observer->report(&progress, observer->context)) {
        atomic_store(&reporter->observer_stopped, true);
        nqi_reporter_stop(reporter, reporter->grace_seconds);
    }
    atomic_flag_clear(&reporter->reporting);
}
