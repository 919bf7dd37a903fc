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
    if (argc != 3 || !read_number(argv[1], &n) || !read_seconds(argv[2], &seconds)) {
        fprintf(stderr, "usage: estimate N SECONDS\n");
        return 2;
    }
    nq_estimate estimate;
    /* NULL: the default options. An estimate needs the options of the count that it is for.
     * Without a callback the program shares nothing with the threads that the library starts.
     */
    nq_status status = nq_estimate_count(n, NULL, seconds, &estimate);
    if (status != NQ_OK) {
        fprintf(stderr, "%s\n", nq_error_message());
        return 1;
    }
    printf("n = %d: method %s, plan %s, kernel %s, %d threads\n", estimate.n, estimate.method,
           estimate.plan, estimate.kernel, estimate.threads);
    printf("%.3g seconds, give or take %.0f %%\n", estimate.seconds, 100 * estimate.error);
    printf("%.3g MB of tables, and %.3g MB for each thread\n",
           1e-6 * (double)estimate.table_bytes, 1e-6 * (double)estimate.thread_bytes);
    printf("from %" PRIu64 " of %" PRIu64 " units\n", estimate.units_measured, estimate.units);
    return 0;
}
