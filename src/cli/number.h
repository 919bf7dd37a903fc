/* Numbers as users write them. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>

/* Reads a whole decimal number, digits only, from lowest to highest (both >= 0). False: the
 * text is anything else. */
bool read_number(const char *text, int lowest, int highest, int *number);

#endif
