/* SPDX-License-Identifier: MIT */
/* A clock that skips waits. A wait takes at most a millisecond of real time. If nothing has
 * ended it by then, this clock moves ahead by the rest of the wait, so that a test can have a
 * disk that stays full for ten minutes. Each look at this clock moves it ahead by 20 ms, so
 * that even the count of a small board reports progress. */
#include "machine/clock.h"

#include <stdatomic.h>

static const long long look_nanoseconds = 20000000;
static atomic_llong ahead; /* nanoseconds by which this clock is ahead of the real one */

double __real_nqi_seconds_now(void);
double __wrap_nqi_seconds_now(void);
void __real_nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds);
void __wrap_nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds);

double __wrap_nqi_seconds_now(void) {
    const long long looks = atomic_fetch_add(&ahead, look_nanoseconds);
    return __real_nqi_seconds_now() + 1e-9 * (double)looks;
}

void __wrap_nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds) {
    const double real = seconds < 0.001 ? seconds : 0.001;
    const double before = __real_nqi_seconds_now();
    __real_nqi_wait_for(changed, mutex, real);
    if (__real_nqi_seconds_now() - before >= real) /* nothing has changed */
        atomic_fetch_add(&ahead, (long long)(1e9 * (seconds - real)));
}
