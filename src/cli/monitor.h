/* A monitor over whatever counts: its progress is shown, a signal stops it, and the exit codes
 * stay ours while threads compute. */
#ifndef CLI_MONITOR_H
#define CLI_MONITOR_H

#include "cli/commands.h"
#include "cli/progress.h"

struct monitor {
    struct progress_view view;
    nq_options options;
};

/* Begins it. Returns the call's options as the library is to be given them. */
const nq_options *monitor_begin(struct monitor *monitor, const struct call *call);

void monitor_end(struct monitor *monitor);

#endif
