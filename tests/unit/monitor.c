/* What the program says while the library computes. */
#include "cli/monitor.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct program this_program = {.name = "nqueens", .commands = ~0u};

/* What a monitor writes to stderr when another process has locked the ledger for six seconds.
 */
static char *warning_of(uint64_t units_unsaved) {
    const struct call call = {.options.ledger = "file", .progress = PROGRESS_NEVER};
    const nq_progress progress = {
        .phase = "counting", .ledger_wait = 6, .units_unsaved = units_unsaved};
    char *text;
    size_t size;
    FILE *terminal = stderr;
    stderr = open_memstream(&text, &size);
    cr_assert_not_null(stderr);
    struct monitor monitor;
    const nq_options *options = monitor_begin(&monitor, &call);
    cr_expect(options->progress(&progress, options->progress_context));
    monitor_end(&monitor);
    fclose(stderr);
    stderr = terminal;
    return text;
}

static void expect_warning(uint64_t units_unsaved, const char *end) {
    char *text = warning_of(units_unsaved);
    cr_expect_not_null(strstr(text, "ledger 'file': locked by another process for 6"), "%s",
                       text);
    cr_expect_not_null(strstr(text, end), "%s", text);
    free(text);
}

Test(monitor, says_how_many_results_wait) {
    expect_warning(1, "; 1 result waits in memory\n");
    expect_warning(2, "; 2 results wait in memory\n");
    expect_warning(1000, "; 1000 results wait in memory\n");
}
