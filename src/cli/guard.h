/* Keeps the exit codes ours while threads compute. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>

/* OpenMP ends the program, with exit code 1, when the system refuses it a thread. That code is
 * kept for wrong counts: between guard_threads(true) and (false) it becomes EXIT_SYSTEM. */
void guard_threads(bool on);

#endif
