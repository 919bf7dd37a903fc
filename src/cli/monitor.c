#include "cli/monitor.h"

#include "cli/message.h"
#include "cli/quantity.h"
#include "cli/signals.h"

#include <inttypes.h>

/* Seconds until the first warning that the ledger is locked: readers take a fraction of one.
 * And between two warnings. */
static const double first_warning = 5, warning_interval = 60;

static void warn_of_lock(struct monitor *monitor, const nq_progress *progress) {
    if (progress->ledger_wait <= 0)
        monitor->next_warning = first_warning;
    if (progress->ledger_wait < monitor->next_warning || monitor->view.silent)
        return;
    char time[32];
    duration_text(progress->ledger_wait, time, sizeof time);
    progress_end(&monitor->view);
    message("ledger '%.200s': locked by another process for %s; %" PRIu64 " %s in memory",
            monitor->options.ledger, time, progress->units_unsaved,
            progress->units_unsaved == 1 ? "result waits" : "results wait");
    monitor->next_warning = progress->ledger_wait + warning_interval;
}

static bool on_progress(const nq_progress *progress, void *context) {
    struct monitor *monitor = context;
    warn_of_lock(monitor, progress);
    progress_show(&monitor->view, progress, signals_progress_requested());
    return signals_caught() == 0;
}

const nq_options *monitor_begin(struct monitor *monitor, const struct call *call) {
    monitor->next_warning = first_warning;
    progress_begin(&monitor->view, call);
    monitor->options = call->options;
    monitor->options.progress = on_progress;
    monitor->options.progress_context = monitor;
    monitor->options.progress_seconds = 0.05;
    return &monitor->options;
}

void monitor_end(struct monitor *monitor) {
    progress_end(&monitor->view);
}
