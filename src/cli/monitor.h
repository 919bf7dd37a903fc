/* A monitor of a library call that computes: it shows progress, stops the call on a signal, and
 * keeps OpenMP from ending the program with an exit code that means something else. */
#ifndef CLI_MONITOR_H
#define CLI_MONITOR_H

#include "cli/commands.h"
#include "cli/progress.h"

struct monitor {
    struct progress_view view;
    nq_options options;
    double next_warning; /* by progress->seconds: if the ledger is still locked then */
};

/* Begins. Returns the call's options for the library, with the monitor's progress callback. */
const nq_options *monitor_begin(struct monitor *monitor, const struct call *call);

void monitor_end(struct monitor *monitor);

#endif
