/* SPDX-License-Identifier: MIT */
/* What signals ask for: to stop, or for a line of progress. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* Prepares the program, at its start, for the signals that it uses. A parent may have blocked
 * them, so they are unblocked: otherwise neither SIGTERM nor --for would end a count. SIGUSR1,
 * which asks for a line of progress, must end no command that has no progress. */
void signals_begin(void);

/* SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR2 ask a call to stop; a second one ends the
 * program at once, unless it comes within 0.1 s (`timeout` signals the process and then its
 * whole group) or is SIGXCPU, which the system repeats. A
 * reader of stderr that goes away does not end the program. A signal that was ignored when the
 * program started stays ignored. */
void signals_catch(void);

/* Asks the call to stop after this time, rounded up to whole seconds, by SIGALRM. 0: never. */
void signals_stop_after(double seconds);

/* The signal that asked to stop; 0: none. */
int signals_caught(void);

/* Whether SIGUSR1 has come since the last call of this. */
bool signals_progress_requested(void);

/* While the program waits for input, it has nothing to save: a signal ends it at once, with 128
 * + its number. */
void signals_end_at_once(bool yes);

#endif
