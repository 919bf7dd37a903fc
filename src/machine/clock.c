/* SPDX-License-Identifier: MIT */
#include "machine/team.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* Nobody tells a process that it was stopped: a time in which no thread looks at the clock
 * shows it. Threads look every few milliseconds, but not while they make lists, which takes up
 * to a second of CPU time. */
static const double least_gap = 5;
static const double look_seconds = 1e-3; /* looks that follow sooner are not noted */

static atomic_int looking;     /* runs whose threads look */
static _Atomic double gaps;    /* seconds left out so far */
static _Atomic double last_at; /* time of the last look, gaps left out */

static double clock_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A gap is left out by one thread, the first to change `gaps`: the others find another value
 * there than they have read, and read the clock again. */
double nqi_seconds_now(void) {
    for (;;) {
        double left_out = gaps;
        const double now = clock_seconds(CLOCK_MONOTONIC) - left_out;
        double last = last_at; /* after the clock: this thread alone may have waited long */
        if (now - last >= least_gap && looking > 0) {
            const double gap = now - last - look_seconds;
            atomic_compare_exchange_strong(&gaps, &left_out, left_out + gap);
            continue;
        }
        while (now - last >= look_seconds &&
               !atomic_compare_exchange_weak(&last_at, &last, now))
            continue;
        return now;
    }
}

void nqi_looks_begin(void) {
    nqi_seconds_now();
    looking++;
}

void nqi_looks_end(void) {
    looking--;
}

double nqi_thread_seconds(void) {
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static struct timespec clock_timespec(double seconds) {
    return (struct timespec){.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
}

void nqi_pause_for(double seconds) {
    struct timespec remaining = clock_timespec(seconds);
    while (nanosleep(&remaining, &remaining) != 0 && errno == EINTR)
        continue;
}

void nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds) {
    const struct timespec until = clock_timespec(clock_seconds(CLOCK_MONOTONIC) + seconds);
    pthread_cond_timedwait(changed, mutex, &until);
}
