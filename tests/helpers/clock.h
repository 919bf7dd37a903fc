/* SPDX-License-Identifier: MIT */
/* A clock that a test sets. A program that includes this header has this clock in place of the
 * one in machine/clock.c. Each look at the clock moves it on, and a pause takes hardly any real
 * time. A process that a test forks has its own copy of the clock. */
#ifndef HELPERS_CLOCK_H
#define HELPERS_CLOCK_H

#include "machine/team.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_llong clock_now = 1000000000; /* nanoseconds */
static atomic_llong clock_tick = 1000000;   /* nanoseconds by which a look moves the clock */
static double clock_share = 1; /* the share of time in which a thread is on a CPU */
/* Called by each look after it has read the clock, unless NULL. */
static void (*clock_looked_at)(void);

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
    nqi_seconds_now(); /* as if another thread looked at the clock during the pause */
    clock_wait();
}

#endif
