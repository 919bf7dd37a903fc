/* What the operating system reports: clocks, caches, settings. */
#ifndef BENCH_SYSTEM_H
#define BENCH_SYSTEM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Seconds on one of the system's clocks. */
double system_seconds(clockid_t clock);

/* Reads the first line of a file, without the newline. Returns false, with an empty text, if
 * there is none. */
bool system_line(const char *file, char *text, size_t size);

/* The caches of the first CPU, from the first level on, as Google Benchmark lists them. */
json_t *system_caches(void);

/* The environment variables set for OpenMP, hwloc and this program. */
json_t *system_settings(void);

#endif
