#include "cli/guard.h"

#include "cli/commands.h"

#include <stdlib.h>
#include <unistd.h>

static volatile bool guarded;

static void on_exit_guarded(void) {
    if (guarded)
        _exit(EXIT_SYSTEM);
}

void guard_threads(bool on) {
    static bool registered;
    registered = registered || atexit(on_exit_guarded) == 0;
    guarded = on;
}
