/* Numbers as users write them. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include "cli/commands.h"

/* Reads a whole decimal number, digits only, from lowest to highest (both >= 0). False: the
 * text is anything else. */
bool read_number(const char *text, int lowest, int highest, int *number);
bool read_large_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

/* Takes the call's only argument for a number from lowest to highest, or says what is wrong
 * with it. Returns an exit code. */
int read_n(const struct call *call, int lowest, int highest, int *number);

#endif
