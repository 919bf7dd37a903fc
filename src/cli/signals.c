/* SPDX-License-Identifier: MIT */
#include "cli/signals.h"

#include "cli/commands.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* Written by a handler and read by any thread; lock-free, so safe in both. */
static atomic_int caught;

/* Milliseconds of the monotonic clock, modulo 2^32 and odd; 0: no signal yet. Not every machine
 * has 64-bit atomics without locks. Of 32-bit ones the compiler for armel says 1, "sometimes":
 * they are calls of the kernel's code there, without locks. */
static atomic_uint caught_at;
_Static_assert(ATOMIC_INT_LOCK_FREE != 0, "a handler may use it");

/* Can be read once a signal was caught; -1: not made. */
static int stop_event = -1;

/* One request may come twice: `timeout` signals the process and then its whole group. */
static const int same_request = 100; /* milliseconds */

static void signals_on_stop(int number) {
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const unsigned now =
        ((unsigned)clock.tv_sec * 1000 + (unsigned)clock.tv_nsec / 1000000) | 1;
    unsigned first = 0;
    if (atomic_compare_exchange_strong(&caught_at, &first, now)) {
        const int error = errno;
        caught = number;
        eventfd_write(stop_event, 1);
        errno = error;
    } else if ((int)(now - first) >
               same_request) { /* the exchange read `first` from caught_at */
        signal(number, SIG_DFL);
        raise(number); /* as soon as this handler returns */
    }
}

static atomic_bool progress_requested;

static void signals_on_progress_request(int number) {
    (void)number;
    progress_requested = true;
}

static void signals_catch_one(int number) {
    struct sigaction before, action = {.sa_handler = signals_on_stop};
    sigemptyset(&action.sa_mask);
    /* While a thread handles one of the signals, the other one is blocked there. */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    /* A signal that was ignored when the program started stays ignored. */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void signals_catch(void) {
    const int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    stop_event =
        fcntl(event, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* no closed stream's place */
    close(event);
    signals_catch_one(SIGINT);
    signals_catch_one(SIGTERM);
    struct sigaction request = {.sa_handler = signals_on_progress_request,
                                .sa_flags = SA_RESTART};
    sigemptyset(&request.sa_mask);
    sigaction(SIGUSR1, &request, NULL);
}

bool signals_progress_requested(void) {
    return atomic_exchange(&progress_requested, false);
}

int signals_caught(void) {
    return caught;
}

bool signals_wait(int file) {
    struct pollfd waited[] = {{.fd = file, .events = POLLIN},
                              {.fd = stop_event, .events = POLLIN}};
    while (poll(waited, 2, -1) < 0 && errno == EINTR && caught == 0)
        ; /* SIGUSR1 */
    return caught == 0;
}

int signals_check(void) {
    int signal = caught;
    if (signal == 0)
        return EXIT_DONE;
    message("interrupted");
    return 128 + signal;
}
