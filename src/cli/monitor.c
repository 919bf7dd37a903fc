#include "cli/monitor.h"

#include "cli/signals.h"

#include <stdlib.h>
#include <unistd.h>

static volatile bool monitored;

/* When the system refuses a thread, OpenMP exits with code 1, which here means a wrong count.
 */
static void on_exit_monitored(void) {
    if (monitored)
        _exit(EXIT_SYSTEM);
}

static bool on_progress(const nq_progress *progress, void *context) {
    progress_show(context, progress, signals_progress_requested());
    return signals_caught() == 0;
}

const nq_options *monitor_begin(struct monitor *monitor, const struct call *call) {
    static bool registered;
    registered = registered || atexit(on_exit_monitored) == 0;
    monitored = true;
    progress_begin(&monitor->view, call);
    monitor->options = call->options;
    monitor->options.progress = on_progress;
    monitor->options.progress_context = &monitor->view;
    monitor->options.progress_seconds = 0.05;
    return &monitor->options;
}

void monitor_end(struct monitor *monitor) {
    monitored = false;
    progress_end(&monitor->view);
}
