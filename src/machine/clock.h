/* SPDX-License-Identifier: MIT */
/* Time as the program measures it. */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include <pthread.h>

/* Returns the seconds on a clock that never goes back, although that of some virtual machines
 * does: it then stands still until that has caught up. Its zero is arbitrary. It goes on while
 * the process is stopped (^Z, a suspended job): afterwards progress shows too low a rate and
 * too much time to go. */
double nqi_seconds_now(void);

/* Returns the seconds that the calling thread has been on a CPU: without those in which it
 * waited for one. */
double nqi_thread_seconds(void);

/* Sleeps for this many seconds, even if signals arrive. */
void nqi_pause_for(double seconds);

/* Waits until `changed`, a condition by CLOCK_MONOTONIC, is signalled, at most for so many
 * seconds; it may return sooner. */
void nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds);

#endif
