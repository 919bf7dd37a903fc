/* Counts for a limited time and keeps finished units in a ledger. The next call continues.
 *
 *     resume N LEDGER SECONDS
 *
 * Exits with 75 (EX_TEMPFAIL) while units are left, so that a script can call again.
 */
#include <nqueens/nqueens.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns false, which stops the count, once the time is over. */
static bool in_time(const nq_progress *progress, void *context) {
    const double *seconds = context;
    return progress->seconds < *seconds;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: resume N LEDGER SECONDS\n");
        return 2;
    }
    double seconds = atof(argv[3]);
    const nq_options options = {.ledger = argv[2],
                                .progress = in_time,
                                .progress_context = &seconds,
                                .progress_seconds = 0.05};
    nq_result result;
    nq_status status = nq_count(atoi(argv[1]), &options, &result);
    if (status == NQ_OK) {
        printf("%" PRIu64 "\n", result.solutions);
        return 0;
    }
    if (status == NQ_CANCELLED) { /* no failure: the ledger holds all finished units */
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " units are done\n", result.units_done,
                result.units);
        return 75;
    }
    fprintf(stderr, "%s\n", result.detail);
    return 1;
}
