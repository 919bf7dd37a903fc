/* SPDX-License-Identifier: MIT */
/* A handler only records the signal; the counting threads see it at their next report, and
 * stop. A second signal ends the program from within the handler, because the threads may
 * hang. */
#include "cli/signals.h"
#include "core/arrays.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* A handler writes these variables, and any thread reads them. Both are allowed, because the
 * variables are lock-free. */
static atomic_int caught;
static atomic_uint caught_at; /* in milliseconds, modulo 2^32 */
static atomic_bool ends_at_once, progress_requested;
_Static_assert(ATOMIC_INT_LOCK_FREE != 0 && ATOMIC_BOOL_LOCK_FREE != 0, "a handler may use it");

enum { SAME_REQUEST = 100 }; /* milliseconds in which a second signal counts as the first */

static void signals_on_stop(int number) {
    struct timespec clock;
    if (ends_at_once)
        _exit(128 + number);
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const unsigned now = (unsigned)clock.tv_sec * 1000 + (unsigned)clock.tv_nsec / 1000000;
    if (caught == 0) {
        caught_at = now;
        caught = number;
    } else if (number != SIGXCPU && (int)(now - caught_at) > SAME_REQUEST) {
        signal(number, SIG_DFL);
        raise(number); /* takes effect when this handler returns */
    }
}

/* Ignored during a stop, because the timer must not count as the second signal, which kills. */
static void signals_on_alarm(int number) {
    if (caught == 0)
        signals_on_stop(number);
}

static void signals_on_progress_request(int number) {
    (void)number;
    progress_requested = true;
}

/* If nobody reads stdout any more, the answer is lost, so the signal ends the program as it
 * would without a handler. If only stderr is affected, the program goes on. */
static void signals_on_broken_pipe(int number) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void signals_handle(int number, void (*handler)(int)) {
    if (signal(number, handler) == SIG_IGN)
        signal(number, SIG_IGN); /* keeps ignoring a signal that the parent ignored */
}

static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR2};

void signals_begin(void) {
    sigset_t used;
    sigemptyset(&used);
    for (size_t i = 0; i < LENGTH(stops); i++)
        sigaddset(&used, stops[i]);
    sigaddset(&used, SIGALRM);
    sigaddset(&used, SIGUSR1);
    sigaddset(&used, SIGPIPE);
    signals_handle(SIGUSR1, signals_on_progress_request);
    sigprocmask(SIG_UNBLOCK, &used, NULL);
}

void signals_catch(void) {
    for (size_t i = 0; i < LENGTH(stops); i++)
        signals_handle(stops[i], signals_on_stop);
    signals_handle(SIGPIPE, signals_on_broken_pipe);
}

void signals_stop_after(double seconds) {
    signal(SIGALRM, signals_on_alarm);
    alarm((unsigned)ceil(seconds));
}

int signals_caught(void) {
    return caught;
}

bool signals_progress_requested(void) {
    return atomic_exchange(&progress_requested, false);
}

void signals_end_at_once(bool yes) {
    ends_at_once = yes;
}
