/* SPDX-License-Identifier: MIT */
/* A clock that tests set, linked in place of machine/clock.c. Each look at it takes a moment, a
 * pause hardly any real time. Processes forked by a test have a clock of their own. */
#ifndef HELPERS_CLOCK_H
#define HELPERS_CLOCK_H

#include "machine/team.h"

/* Sets the seconds that a look takes: a millisecond until then; 0: the clock stands still. */
void clock_set_tick(double seconds);
/* Sets the share of the time in which a thread is on a CPU: 1 until then. */
void clock_set_share(double share);
void clock_advance(double seconds);
/* Called by each look at the clock, with what it has read; NULL: nothing is called. */
extern void (*clock_looked_at)(void);

/* Gives another thread or process a moment of real time. */
void clock_wait(void);

#endif
