/* SPDX-License-Identifier: MIT */
/* A clock that a test sets: who includes this has it in place of machine/clock.c. Each look at
 * it takes a moment, a pause hardly any real time. Processes forked by a test have a clock of
 * their own. */
#ifndef HELPERS_CLOCK_H
#define HELPERS_CLOCK_H

#include "machine/team.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_llong clock_now = 1000000000,
                    clock_tick = 1000000; /* nanoseconds; 0: stands still */
static double clock_share = 1;            /* of the time in which a thread is on a CPU */
static void (*clock_looked_at)(
    void); /* called by each look, with what it has read, unless NULL */

static inline void clock_advance(double seconds) {
    atomic_fetch_add(&clock_now, (long long)(seconds * 1e9));
}

/* Gives another thread or process a moment of real time. */
static inline void clock_wait(void) {
    usleep(100);
}

double nqi_seconds_now(void) {
    const double read = 1e-9 * (double)atomic_fetch_add(&clock_now, atomic_load(&clock_tick));
    if (clock_looked_at != NULL)
        clock_looked_at();
    return read;
}

double nqi_thread_seconds(void) {
    return clock_share * 1e-9 * (double)atomic_fetch_add(&clock_now, atomic_load(&clock_tick));
}

void nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds) {
    (void)changed, (void)seconds;
    pthread_mutex_unlock(mutex);
    clock_wait();
    pthread_mutex_lock(mutex);
}

void nqi_pause_for(double seconds) {
    clock_advance(seconds);
    nqi_seconds_now(); /* meanwhile others look at it */
    clock_wait();
}

#endif
