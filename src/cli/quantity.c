/* SPDX-License-Identifier: MIT */
#include "cli/quantity.h"

#include <stdio.h>

static const double day = 24 * 3600, year = 365.25 * 24 * 3600;

void duration_text(double seconds, char *text, size_t size) {
    long whole = (long)seconds;
    if (seconds < 10)
        snprintf(text, size, "%.*f s", seconds < 1 ? 3 : 2, seconds);
    else if (whole < 60)
        snprintf(text, size, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, size, "%ld min %02ld s", whole / 60, whole % 60);
    else if (whole < 24 * 3600)
        snprintf(text, size, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    else if (seconds < 365 * day)
        snprintf(text, size, "%ld d %ld h", whole / (24 * 3600), whole / 3600 % 24);
    else
        snprintf(text, size, "%.*f years", seconds < 10 * year ? 1 : 0, seconds / year);
}
