/* SPDX-License-Identifier: MIT */
/* Counts for a limited time and keeps finished units in a ledger. The next call continues.
 *
 *     resume N LEDGER SECONDS
 *
 * Exits with 75 (EX_TEMPFAIL) while units are left, so that a script can call again.
 */
#include <nqueens.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns false, which stops the count, once the time is over. It runs in one of the threads
 * that count. It needs no lock, because the time was written before these threads started, and
 * no thread changes it. */
static bool in_time(const nq_progress *progress, void *context) {
    const double *seconds = context;
    return progress->seconds < *seconds;
}

/* Reads a whole number. Its range is checked by the library. */
static bool read_number(const char *text, int *number) {
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end != text && *end == '\0' && *number == value;
}

static bool read_seconds(const char *text, double *seconds) {
    char *end;
    *seconds = strtod(text, &end);
    return end != text && *end == '\0';
}

int main(int argc, char **argv) {
    int n;
    double seconds;
    if (argc != 4 || !read_number(argv[1], &n) || !read_seconds(argv[3], &seconds)) {
        fprintf(stderr, "usage: resume N LEDGER SECONDS\n");
        return 2;
    }
    const nq_options options = {.size = sizeof options,
                                .ledger = argv[2],
                                .progress = in_time,
                                .progress_context = &seconds,
                                .progress_seconds = 0.05};
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(n, &options, &result);
    if (status == NQ_OK) {
        printf("%" PRIu64 "\n", result.solutions);
        return 0;
    }
    if (status == NQ_CANCELLED) { /* no failure: the ledger holds all finished units */
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " units are done\n", result.units_done,
                result.units);
        return 75;
    }
    fprintf(stderr, "%s\n", nq_error_message());
    return 1;
}
