/* SPDX-License-Identifier: MIT */
/* Quantities as people read them. */
#ifndef CLI_QUANTITY_H
#define CLI_QUANTITY_H

#include <stddef.h>

/* Writes a duration such as "0.310 s", "2 min 05 s", "3 h 20 min", "12 d 4 h", "107 years". */
void duration_text(double seconds, char *text, size_t size);

#endif
