/* SPDX-License-Identifier: MIT */
/* Time as the program measures it. */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

/* Returns the seconds on a clock that never goes back; its zero is arbitrary. */
double nqi_seconds_now(void);

/* Returns the seconds that the calling thread has been on a CPU: without those in which it
 * waited for one. */
double nqi_thread_seconds(void);

/* Sleeps for this many seconds, even if signals arrive. */
void nqi_pause_for(double seconds);

#endif
