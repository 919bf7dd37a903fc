/* SPDX-License-Identifier: MIT */
/* Counts, shows progress on one line, and stops at SIGINT.
 *
 *     progress N
 */
#include <nqueens.h>

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Atomic, because the signal may interrupt one thread while another one reads the flag: between
 * threads a volatile sig_atomic_t would be a data race. A signal handler may use atomic objects
 * if they are lock-free. */
static atomic_int stopped;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "an atomic_int has a lock");

/* Only sets a flag: a signal handler may not call the library. The callback reads the flag. */
static void stop(int number) {
    (void)number;
    atomic_store(&stopped, 1);
}

/* Runs in one of the threads that count, never in two at once, so that it needs no lock for
 * what it writes. Returns false to stop the count. */
static bool show(const nq_progress *progress, void *context) {
    (void)context;
    fprintf(stderr, "\rn = %d: %5.1f %%", progress->job->n, 100 * progress->share);
    if (progress->remaining >= 0) /* negative: not known yet */
        fprintf(stderr, ", %.0f s to go ", progress->remaining);
    return atomic_load(&stopped) == 0;
}

/* Reads a whole number. Its range is checked by the library. */
static bool read_number(const char *text, int *number) {
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end != text && *end == '\0' && *number == value;
}

int main(int argc, char **argv) {
    int n;
    if (argc != 2 || !read_number(argv[1], &n)) {
        fprintf(stderr, "usage: progress N\n");
        return 2;
    }
    signal(SIGINT, stop);
    nq_options options = NQ_OPTIONS_INIT;
    nq_result result = NQ_RESULT_INIT;
    options.progress = show;
    options.progress_seconds = 0.2;
    nq_status status = nq_count_solutions(n, &options, &result);
    fputc('\n', stderr);
    if (status != NQ_OK) {
        fprintf(stderr, "%s\n", nq_error_message());
        return 1;
    }
    printf("%" PRIu64 "\n", result.solutions);
    fprintf(stderr, "%.3f s, %d threads, method %s, kernel %s, %s\n", result.seconds,
            result.threads, result.job.method, result.kernel,
            result.verdict == NQ_VERIFIED ? "verified" : "unverified");
    return 0;
}
