/* SPDX-License-Identifier: MIT */
#include "clock.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_llong now = 1000000000, tick = 1000000; /* nanoseconds */
static double thread_share = 1;
void (*clock_looked_at)(void);

void clock_set_tick(double seconds) {
    atomic_store(&tick, (long long)(seconds * 1e9));
}

void clock_set_share(double share) {
    thread_share = share;
}

void clock_advance(double seconds) {
    atomic_fetch_add(&now, (long long)(seconds * 1e9));
}

void clock_wait(void) {
    usleep(100);
}

double nqi_seconds_now(void) {
    const double read = 1e-9 * (double)atomic_fetch_add(&now, atomic_load(&tick));
    if (clock_looked_at != NULL)
        clock_looked_at();
    return read;
}

double nqi_thread_seconds(void) {
    return thread_share * 1e-9 * (double)atomic_fetch_add(&now, atomic_load(&tick));
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
