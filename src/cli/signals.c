/* SPDX-License-Identifier: MIT */
/* Handlers store what came in atomics, which threads read when they next report. A second
 * signal ends the program from the handler itself: the threads may hang. */
#include "cli/signals.h"
#include "core/arrays.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* Written by a handler and read by any thread; lock-free, so safe in both. */
static atomic_int caught;
static atomic_uint caught_at; /* milliseconds of a clock, modulo 2^32 */
static atomic_bool ends_at_once, progress_requested;
_Static_assert(ATOMIC_INT_LOCK_FREE != 0 && ATOMIC_BOOL_LOCK_FREE != 0, "a handler may use it");

enum { SAME_REQUEST = 100 }; /* milliseconds */

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
        raise(number); /* as soon as this handler returns */
    }
}

/* Does not disturb a stop that is under way. */
static void signals_on_alarm(int number) {
    if (caught == 0)
        signals_on_stop(number);
}

static void signals_on_progress_request(int number) {
    (void)number;
    progress_requested = true;
}

/* Ends the program, as without a handler, if nobody reads stdout: it counts for nobody. Else
 * what was written to stderr is dropped. */
static void signals_on_broken_pipe(int number) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void signals_handle(int number, void (*handler)(int)) {
    if (signal(number, handler) == SIG_IGN)
        signal(number, SIG_IGN); /* as it was when the program started */
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
