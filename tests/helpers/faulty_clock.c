/* SPDX-License-Identifier: MIT */
/* A monotonic clock that goes back once, as clocks of virtual machines are reported to do. With
 * CLOCK_FAULT=LOOKS, the clock is right for the first LOOKS looks at it. From then on it is
 * three seconds slow. */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    static atomic_int looks;
    const int status = __real_clock_gettime(clock, time);
    const char *fault = getenv("CLOCK_FAULT");
    if (fault != NULL && clock == CLOCK_MONOTONIC && atomic_fetch_add(&looks, 1) >= atoi(fault))
        time->tv_sec -= 3;
    return status;
}
