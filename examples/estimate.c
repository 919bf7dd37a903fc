/* Estimates the time and the memory that a count would take on this machine.
 *
 *     estimate N SECONDS
 *
 * SECONDS: how long to measure units of the count, in addition to the time for tables.
 */
#include <nqueens/nqueens.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: estimate N SECONDS\n");
        return 2;
    }
    nq_estimate estimate;
    /* NULL: the default options. An estimate needs the options of the count that it is for. */
    nq_status status = nq_estimate_count(atoi(argv[1]), NULL, atof(argv[2]), &estimate);
    if (status != NQ_OK) {
        fprintf(stderr, "%s\n", estimate.detail);
        return 1;
    }
    printf("n = %d: method %s, plan %s, kernel %s, %d threads\n", estimate.n, estimate.method,
           estimate.plan, estimate.kernel, estimate.threads);
    printf("%.3g seconds, give or take %.0f %%\n", estimate.seconds, 100 * estimate.error);
    printf("%.3g MB of tables, and %.3g MB for each thread\n", 1e-6 * (double)estimate.memory,
           1e-6 * (double)estimate.memory_thread);
    printf("from %" PRIu64 " of %" PRIu64 " units\n", estimate.units_measured, estimate.units);
    return 0;
}
