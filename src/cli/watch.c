#include "cli/watch.h"

#include "cli/signals.h"

#include <stdlib.h>
#include <unistd.h>

static volatile bool watched;

/* OpenMP ends the program, with exit code 1, when the system refuses it a thread. That code is
 * kept for wrong counts. */
static void on_exit_watched(void) {
    if (watched)
        _exit(EXIT_SYSTEM);
}

static bool on_progress(const nq_progress *progress, void *context) {
    progress_show(context, progress, signals_asked());
    return signals_caught() == 0;
}

const nq_options *watch_begin(struct watch *watch, const struct call *call) {
    static bool registered;
    registered = registered || atexit(on_exit_watched) == 0;
    watched = true;
    progress_begin(&watch->view, call);
    watch->options = call->options;
    watch->options.progress = on_progress;
    watch->options.progress_context = &watch->view;
    watch->options.progress_seconds = 0.05;
    return &watch->options;
}

void watch_end(struct watch *watch) {
    watched = false;
    progress_end(&watch->view);
}
