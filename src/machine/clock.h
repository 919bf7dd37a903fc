#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

/* Seconds on a clock that only goes forward. */
double seconds_now(void);

/* Waits so long, whatever signals come. */
void pause_for(double seconds);

#endif
