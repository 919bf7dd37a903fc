/* SIGINT and SIGTERM ask a count to stop; a second one ends the program at once. SIGUSR1 asks
 * for a line of progress. SIGXFSZ, which would end the program in the middle of a write, makes
 * the write fail instead. SIGHUP, SIGINT and SIGTERM, where they end the program, first remove
 * a file that is being written. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* From now on a write beyond the limit on file sizes (`ulimit -f`) fails with EFBIG. */
void signals_outlive_file_limit(void);

void signals_catch(void);

/* Creates a file, which must not exist, and remembers to remove it if a signal ends the program
 * before signals_forget_file. One file at a time. Returns its descriptor, or -1 with errno set.
 */
int signals_create_file(const char *name);
void signals_forget_file(void);

/* Whether SIGUSR1 has come since the last call. */
bool signals_progress_requested(void);

/* The signal that asked to stop; 0: none. */
int signals_caught(void);

/* Called between two counts. Returns EXIT_DONE to go on; after a signal says that the program
 * was interrupted, and returns the exit code. */
int signals_check(void);

#endif
