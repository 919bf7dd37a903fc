/* SPDX-License-Identifier: MIT */
/* Reads clocks and waits. The rest of the program has times as seconds in a double; POSIX has
 * them in structs. */
#include "machine/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static double clock_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double nqi_seconds_now(void) {
    static _Atomic double latest;
    const double now = clock_seconds(CLOCK_MONOTONIC);
    double before = atomic_load(&latest);
    while (before < now)
        if (atomic_compare_exchange_weak(&latest, &before, now))
            return now;
    return before;
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
