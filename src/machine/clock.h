#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

/* Seconds on a clock that only goes forward. */
double nqi_seconds_now(void);

/* Waits so long, whatever signals come. */
void nqi_pause_for(double seconds);

#endif
