/* What the system tells: its clocks, and of itself in files of one line. */
#ifndef CLI_BENCH_SYSTEM_H
#define CLI_BENCH_SYSTEM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Seconds on one of the system's clocks. */
double system_seconds(clockid_t clock);

/* The first line of a file, without its end. False, and an empty text: there is none. */
bool system_line(const char *file, char *text, size_t size);

/* The caches of the first CPU, from the first level on, as Google Benchmark lists them. */
json_t *system_caches(void);

/* The variables that OpenMP, hwloc and we heed and that are set. */
json_t *system_settings(void);

#endif
