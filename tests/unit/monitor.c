/* SPDX-License-Identifier: MIT */
/* What the program says while the library computes. */
#include "cli/monitor.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "nqueens";

/* What a monitor writes to stderr in a run of so many seconds in which another process has the
 * ledger locked, from a second on. */
static char *warnings_of(double locked_from, double end) {
    const struct call call = {.options.ledger = "file",
                              .number[OPTION_progress] = PROGRESS_NEVER};
    char *text;
    size_t size;
    FILE *terminal = stderr;
    stderr = open_memstream(&text, &size);
    cr_assert_not_null(stderr);
    struct monitor monitor;
    const nq_options *options = monitor_begin(&monitor, &call, 0);
    for (nq_progress progress = {0}; progress.seconds < end; progress.seconds += 0.5) {
        progress.phase = progress.seconds < locked_from ? "counting" : "waiting for the ledger";
        cr_expect(options->progress(&progress, options->progress_context));
    }
    monitor_end(&monitor);
    fclose(stderr);
    stderr = terminal;
    return text;
}

static void expect_warnings(double locked_from, double end, int expected) {
    char *text = warnings_of(locked_from, end);
    int found = 0;
    for (char *at = text; (at = strstr(at, "ledger 'file': locked by another process")) != NULL;
         at++)
        found++;
    cr_expect_eq(found, expected, "%s", text);
    free(text);
}

Test(monitor, warns_of_a_lock_after_five_seconds_and_each_minute) {
    expect_warnings(0, 4, 0);
    expect_warnings(0, 6, 1);
    expect_warnings(100, 104, 0);
    expect_warnings(100, 106, 1);
    expect_warnings(100, 164, 1);
    expect_warnings(100, 166, 2);
    expect_warnings(100, 286, 4);
}
