#include "run/report.h"

#include "run/clock.h"

void reporter_init(struct reporter *reporter, const struct job *job, const nq_options *options,
                   const struct share *shares, int share_count, double started) {
    *reporter = (struct reporter){.options = options,
                                  .job = job,
                                  .shares = shares,
                                  .share_count = share_count,
                                  .started = started,
                                  .busy = ATOMIC_FLAG_INIT};
    for (uint64_t i = 0; i < job->unit_count; i++)
        reporter->cost += job->units[i].cost;
}

static nq_progress progress_now(const struct reporter *reporter, double now) {
    nq_progress progress = {.n = reporter->job->n,
                            .units = reporter->job->unit_count,
                            .seconds = now - reporter->started,
                            .remaining = -1};
    double cost = 0;
    for (int i = 0; i < reporter->share_count; i++) {
        const struct share *share = &reporter->shares[i];
        progress.units_done += atomic_load_explicit(&share->units, memory_order_relaxed);
        progress.work += atomic_load_explicit(&share->work, memory_order_relaxed) +
                         atomic_load_explicit(&share->under_way, memory_order_relaxed);
        cost += atomic_load_explicit(&share->cost, memory_order_relaxed);
    }
    if (reporter->cost > 0)
        progress.share = cost < reporter->cost ? cost / reporter->cost : 1;
    if (progress.share > 0)
        progress.remaining = progress.seconds * (1 - progress.share) / progress.share;
    return progress;
}

void reporter_tick(struct reporter *reporter) {
    const nq_options *options = reporter->options;
    if (options->progress == NULL ||
        seconds_now() < atomic_load_explicit(&reporter->next, memory_order_relaxed) ||
        atomic_flag_test_and_set(&reporter->busy))
        return; /* too early, or another thread is reporting */
    /* That other thread may just have finished: only now are time and `next` up to date. */
    double now = seconds_now();
    if (now < atomic_load(&reporter->next) || atomic_load(&reporter->stop)) {
        atomic_flag_clear(&reporter->busy);
        return;
    }
    double wait = options->progress_seconds > 0 ? options->progress_seconds : 0.1;
    atomic_store(&reporter->next, now + wait);
    nq_progress progress = progress_now(reporter, now);
    if (!options->progress(&progress, options->progress_context))
        atomic_store(&reporter->stop, true);
    atomic_flag_clear(&reporter->busy);
}
