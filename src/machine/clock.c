#include "machine/clock.h"

#include <errno.h>
#include <time.h>

double nqi_seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void nqi_pause_for(double seconds) {
    struct timespec remaining = {.tv_sec = (time_t)seconds,
                                 .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&remaining, &remaining) != 0 && errno == EINTR)
        continue;
}
