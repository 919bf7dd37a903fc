/* SIGINT and SIGTERM ask a count to stop; a second one ends the program at once. SIGUSR1 asks
 * how far it is. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

void signals_catch(void);

/* Whether somebody has asked how far the count is since this was called last. */
bool signals_progress_requested(void);

/* The signal that asked to stop; 0: none did. */
int signals_caught(void);

/* Between two counts: EXIT_DONE to go on, else says that the program was interrupted and
 * returns the exit code. */
int signals_check(void);

#endif
