#include "cli/ending.h"

#include "cli/commands.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* AddressSanitizer ends a process by abort(), whose report must not look like a refusal. */
#ifdef __SANITIZE_ADDRESS__
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

static bool allowed;

/* Not by a stream, which may have ended already. */
static void say(const char *text) {
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void on_exit_call(void) {
    if (allowed)
        return;
    say("nqueens: a library gave up: memory or threads ran out\n");
    _exit(EXIT_SYSTEM);
}

static void on_crash(int number) {
    struct rlimit image;
    say("nqueens: crashed, perhaps in a library because memory ran out\n");
    if (getrlimit(RLIMIT_CORE, &image) != 0 || image.rlim_cur == 0)
        _exit(EXIT_SYSTEM);
    signal(number, SIG_DFL);
    raise(number);
}

void ending_watch(void) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT};
    struct sigaction old, action = {.sa_handler = on_crash};
    atexit(on_exit_call);
    for (size_t i = 0; !IS_SANITIZED && i < sizeof crashes / sizeof *crashes; i++)
        if (sigaction(crashes[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(crashes[i], &action, NULL); /* else it is reported already */
}

void ending_allow(void) {
    allowed = true;
}
