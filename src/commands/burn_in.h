/* SPDX-License-Identifier: MIT */
/* A burn-in, and its lines on stdout. */
#ifndef COMMANDS_BURN_IN_H
#define COMMANDS_BURN_IN_H

/* Counts the boards from `first` to `last` again and again for this time, with the given
 * options, and prints a line a minute. Returns an exit code. */
int burn_in(int first, int last, double seconds);

#endif
