#include "cli/quantity.h"

#include <inttypes.h>
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

void size_text(uint64_t bytes, char *text, size_t size) {
    if (bytes < 100000)
        snprintf(text, size, "%" PRIu64 " bytes", bytes);
    else if (bytes < 1000000000)
        snprintf(text, size, "%.3g MB", 1e-6 * (double)bytes);
    else
        snprintf(text, size, "%.3g GB", 1e-9 * (double)bytes);
}
