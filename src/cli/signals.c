#include "cli/signals.h"

#include "cli/commands.h"
#include "cli/message.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static atomic_int caught; /* written by a handler, read by any thread: lock-free, so both may */

static _Atomic int64_t caught_at; /* nanoseconds of a clock that nobody sets */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a handler may use it");

/* The same wish may come twice: `timeout` tells the process and then its whole group. */
static const int64_t same_request = 100000000; /* nanoseconds */

static void on_stop_signal(int number) {
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    int64_t now = clock.tv_sec * INT64_C(1000000000) + clock.tv_nsec;
    int64_t never = 0;
    if (atomic_compare_exchange_strong(&caught_at, &never, now)) {
        caught = number;
    } else if (now - never > same_request) { /* `never` is now when the first one came */
        signal(number, SIG_DFL);
        raise(number); /* as soon as this handler returns */
    }
}

static atomic_bool progress_requested;

static void on_progress_request(int number) {
    (void)number;
    progress_requested = true;
}

static void catch_signal(int number) {
    struct sigaction before, action = {.sa_handler = on_stop_signal};
    sigemptyset(&action.sa_mask);
    /* Reading stdin is not restarted: whoever waits for input wants to know, too. While one
     * signal is seen to by a thread, the other one waits there. */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    /* Whoever started us may have asked not to be interrupted (nohup does). */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void signals_catch(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    struct sigaction request = {.sa_handler = on_progress_request, .sa_flags = SA_RESTART};
    sigemptyset(&request.sa_mask);
    sigaction(SIGUSR1, &request, NULL);
}

bool signals_progress_requested(void) {
    return atomic_exchange(&progress_requested, false);
}

int signals_caught(void) {
    return caught;
}

int signals_check(void) {
    int signal = caught;
    if (signal == 0)
        return EXIT_DONE;
    message("interrupted");
    return 128 + signal;
}
