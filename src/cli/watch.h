/* A watch over whatever counts: its progress is shown, a signal stops it, and the exit codes
 * stay ours while threads compute. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/commands.h"
#include "cli/progress.h"

struct watch {
    struct progress_view view;
    nq_options options;
};

/* Begins it. Returns the call's options as the library is to be given them. */
const nq_options *watch_begin(struct watch *watch, const struct call *call);

void watch_end(struct watch *watch);

#endif
