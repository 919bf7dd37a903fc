/* SPDX-License-Identifier: MIT */
/* The end of stdout, and what a terminal can show. */
#include "cli/output.h"

#include "cli/say.h"
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void output_end_without_threads(void) {
    if (!nqi_run_is_starting())
        return;
    message("the system refused to start a thread: see 'ulimit -u', 'ulimit -v' and the "
            "limits of the cgroup, or ask for fewer threads");
    _Exit(EXIT_SYSTEM);
}

void output_prepare_threads(void) {
    atexit(output_end_without_threads);
}

static bool may_end_early;

void output_may_end_early(void) {
    may_end_early = true;
}

int output_close(int code) {
    const bool failed = ferror(stdout) != 0;
    if (!failed) /* else the write that failed has left it */
        errno = 0;
    if ((fflush(stdout) == 0 && !failed) || (may_end_early && errno == EPIPE))
        return code;
    message("cannot write to stdout: %s", errno != 0 ? strerror(errno) : "output error");
    return code == EXIT_DONE ? EXIT_SYSTEM : code;
}

bool terminal_is_dumb(void) {
    const char *terminal = getenv("TERM");
    return terminal == NULL || *terminal == '\0' || strcmp(terminal, "dumb") == 0;
}
