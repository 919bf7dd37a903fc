/* Counts for a while, keeps what is done in a ledger, and carries on when called again.
 *
 *     resume N LEDGER SECONDS
 *
 * Ends with 75 as long as there is something left to do.
 */
#include <nqueens/nqueens.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
    if (status == NQ_CANCELLED) {
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " units are done\n", result.units_done,
                result.units);
        return 75;
    }
    fprintf(stderr, "%s\n", result.detail);
    return 1;
}
