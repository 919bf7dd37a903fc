/* SPDX-License-Identifier: MIT */
/* A clock by which the library waits a millisecond of real time at most, and each look takes
 * some time. So a disk that stays full for ten minutes takes a test little time, and a small
 * board is counted slowly enough for reports of progress. */
#include "machine/clock.h"

#include <stdatomic.h>

static const long long look_nanoseconds = 20000000;
static atomic_llong ahead; /* of the real clock: nanoseconds */

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
