/* SPDX-License-Identifier: MIT */
/* Clocks and waiting, with all times in seconds. */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include <pthread.h>

/* Returns the seconds since an arbitrary moment, the same one for all threads of the process.
 *
 * The result never decreases. On some virtual machines the system's clock goes back; the result
 * then stays as it is until the system's clock has caught up. The clock also runs while the
 * process is stopped (^Z, a suspended job), so that progress then shows too low a rate and too
 * much time to go. */
double nqi_seconds_now(void);

/* Returns the seconds that the calling thread has spent on a CPU. Time in which the thread
 * waited for a CPU is not included. */
double nqi_thread_seconds(void);

/* Sleeps for this many seconds, even if signals arrive. */
void nqi_pause_for(double seconds);

/* Waits until the condition `changed` is signalled, for at most this many seconds. May return
 * earlier. The condition must use CLOCK_MONOTONIC, and the caller must hold the mutex. */
void nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds);

#endif
