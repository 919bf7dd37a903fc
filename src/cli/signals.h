/* SPDX-License-Identifier: MIT */
/* Handles signals, which ask a call to stop or to show a line of progress. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* Call it when the program starts. It unblocks the signals that the program uses, because a
 * parent may have blocked them, and then neither SIGTERM nor --for would end a count. It also
 * handles SIGUSR1, which asks for a line of progress, so that the signal does not kill a
 * command that shows no progress. */
void signals_begin(void);

/* From here on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR2 ask a call to stop. A second signal
 * ends the program at once, with two exceptions: a signal within 0.1 s of the first, because
 * `timeout` signals the process and then its whole group; and SIGXCPU, because the system
 * repeats this signal. The program goes on if the reader of stderr goes away. Signals that were
 * ignored when the program started stay ignored. */
void signals_catch(void);

/* Asks the call to stop after this time, rounded up to whole seconds, by SIGALRM. 0 cancels
 * the request. */
void signals_stop_after(double seconds);

/* Returns the signal that asked the program to stop, or 0 if none has. */
int signals_caught(void);

/* Returns whether SIGUSR1 has arrived since the last call. */
bool signals_progress_requested(void);

/* If `yes`, a signal from now on ends the program at once, with the exit code 128 + its number.
 * Otherwise a signal asks a call to stop, as before. A program that waits for input has nothing
 * to save, so it should end at once. */
void signals_end_at_once(bool yes);

#endif
