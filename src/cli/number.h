/* Reads numbers from the command line and from input. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include "cli/commands.h"

/* Reads a whole decimal number, digits only, in lowest..highest (both >= 0). Returns false for
 * any other text. */
bool read_number(const char *text, int lowest, int highest, int *number);
bool read_large_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

/* Reads a whole number, or a range of them, first..last, in the same limits. */
bool read_range(const char *text, int lowest, int highest, int *first, int *last);

/* Reads N, the call's only argument, in lowest..highest, or says what is wrong with it. Returns
 * an exit code. */
int read_n(const struct call *call, int lowest, int highest, int *number);

#endif
