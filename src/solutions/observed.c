/* SPDX-License-Identifier: MIT */
/* Reports the progress of a search: looks at the clock now and then, and calls the user's
 * callback when a report is due. */
#include "solutions/observed.h"

#include "core/isa.h"
#include "core/job.h"
#include "machine/clock.h"
#include "search/search.h"

static const double default_seconds = 0.1;

struct observed nqi_observed_begin(int n, const char *phase, const nq_options *options) {
    const double now = nqi_seconds_now(), seconds = options->progress_seconds > 0
                                                        ? options->progress_seconds
                                                        : default_seconds;
    return (struct observed){.report = options->progress,
                             .context = options->progress_context,
                             .seconds = seconds,
                             .begun = now,
                             .next = now + seconds,
                             .n = n,
                             .phase = phase};
}

bool nqi_observed_go_on(struct observed *observed, double share) {
    if (observed->report == NULL)
        return true;
    const double now = nqi_seconds_now();
    if (now < observed->next)
        return true;
    observed->next = now + observed->seconds;
    const nq_job job = nqi_job(observed->n, nqi_method_search.name, 0, 0);
    const nq_progress progress = {.size = sizeof progress,
                                  .job = &job,
                                  .kernel = nqi_method_search.kernels[0]->name,
                                  .threads = 1,
                                  .pus = 1,
                                  .share = share,
                                  .work = observed->nodes,
                                  .work_name = nqi_method_search.work,
                                  .seconds = now - observed->begun,
                                  .remaining = -1,
                                  .phase = observed->phase};
    return observed->report(&progress, observed->context);
}
