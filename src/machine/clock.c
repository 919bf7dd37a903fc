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

static atomic_int looking;             /* runs whose threads look */
static _Atomic double last_look, gaps; /* by CLOCK_MONOTONIC; seconds left out so far */
static pthread_mutex_t leaving_out = PTHREAD_MUTEX_INITIALIZER;

static double clock_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Leaves a gap out that ends now, unless another thread has. Who sees the new last_look sees
 * the new gaps. */
static void clock_leave_out(double now) {
    pthread_mutex_lock(&leaving_out);
    const double gap = now - last_look;
    if (gap >= least_gap) {
        gaps = gaps + gap - look_seconds;
        last_look = now;
    }
    pthread_mutex_unlock(&leaving_out);
}

double nqi_seconds_now(void) {
    for (;;) {
        const double before = gaps, now = clock_seconds(CLOCK_MONOTONIC);
        double last = last_look;
        if (now - last >= least_gap && looking > 0) {
            clock_leave_out(now);
            continue;
        }
        while (now - last >= look_seconds &&
               !atomic_compare_exchange_weak(&last_look, &last, now))
            continue;
        if (gaps == before) /* else the process was stopped in this function */
            return now - before;
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
