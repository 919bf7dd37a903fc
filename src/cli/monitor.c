#include "cli/monitor.h"

#include "cli/message.h"
#include "cli/signals.h"

#include <string.h>

/* Seconds until the first warning that the ledger is locked: readers take a fraction of one.
 * And between two warnings. */
static const double first_warning = 5, warning_interval = 60;

static void warn_of_lock(struct monitor *monitor, const nq_progress *progress) {
    if (strcmp(progress->phase, "waiting for the ledger") != 0)
        monitor->next_warning = progress->seconds + first_warning;
    if (progress->seconds < monitor->next_warning || monitor->view.silent)
        return;
    progress_end(&monitor->view);
    message("ledger '%.200s': locked by another process; results wait in memory",
            monitor->options.ledger);
    monitor->next_warning = progress->seconds + warning_interval;
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
