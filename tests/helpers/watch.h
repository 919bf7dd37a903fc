/* SPDX-License-Identifier: MIT */
/* A progress callback that checks what it is told, and may say stop. */
#ifndef HELPERS_WATCH_H
#define HELPERS_WATCH_H

#include <nqueens.h>

struct watch {
    int calls;
    int stop_at;           /* the call that says stop; 0: none */
    uint64_t stop_at_done; /* the number of finished units that says stop; 0: none */
    bool wrong;            /* whether figures were impossible or went back */
    double least_gap;      /* the fewest seconds between two calls */
    nq_progress last;      /* what the last call was told; `last.job` is not valid any more */
    nq_job job;            /* a copy of that job */
};

static inline bool watch(const nq_progress *progress, void *context) {
    struct watch *w = context;
    const nq_progress *last = &w->last;
    const double gap = progress->seconds - last->seconds;
    w->wrong = w->wrong || !(progress->share >= 0 && progress->share <= 1) ||
               progress->units_done > progress->units ||
               (w->calls > 0 && (gap < 0 || progress->units_done < last->units_done ||
                                 progress->work < last->work || progress->share < last->share));
    /* The first call has no gap, so what it stores here is replaced by the second call. */
    w->least_gap = w->calls <= 1 || gap < w->least_gap ? gap : w->least_gap;
    w->last = *progress;
    w->job = *progress->job;
    w->calls++;
    return w->calls != w->stop_at &&
           (w->stop_at_done == 0 || progress->units_done < w->stop_at_done);
}

/* Options of a call that calls back as often as it can. */
#define WATCHED_BY(w) .progress = watch, .progress_context = (w), .progress_seconds = 1e-9

#endif
