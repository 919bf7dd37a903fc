/* SPDX-License-Identifier: MIT */
/* SIGINT and SIGTERM ask a count to stop; a second one ends the program at once. SIGUSR1 asks
 * for a line of progress. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

void signals_catch(void);

/* Whether SIGUSR1 has come since the last call. */
bool signals_progress_requested(void);

/* The signal that asked to stop; 0: none. */
int signals_caught(void);

/* Waits until a file can be read. Returns false as soon as a signal has asked to stop: a read
 * would not notice one that came just before it. */
bool signals_wait(int file);

/* Called between two counts. Returns EXIT_DONE to go on; after a signal says that the program
 * was interrupted, and returns the exit code. */
int signals_check(void);

#endif
