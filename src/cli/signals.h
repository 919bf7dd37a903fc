/* SIGINT and SIGTERM ask a count to stop; a second one ends the program at once. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

void signals_catch(void);

/* The signal that asked to stop; 0: none did. */
int signals_caught(void);

/* Between two counts: EXIT_DONE to go on, else says that the program was interrupted and
 * returns the exit code. */
int signals_check(void);

#endif
