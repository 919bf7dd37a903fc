/* How long does the hardest unit of a board take? Counts the units that are expected to cost
 * most, of some at equal distances, on this one thread.
 *
 *     costliest-units N KERNEL CANDIDATES UNITS
 *
 * A line for each of UNITS units, the costliest first: what it was expected to cost against the
 * mean of all CANDIDATES, and its time. Then the largest resident set of the process.
 */
#include "engine/methods.h"
#include "machine/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

struct candidate {
    uint64_t unit;
    double cost;
};

static int costlier(const void *a, const void *b) {
    const double x = ((const struct candidate *)a)->cost,
                 y = ((const struct candidate *)b)->cost;
    return (x < y) - (x > y);
}

static double cost_of(const struct solver *job, uint64_t id) {
    return (double)partition_unit(job->partition, id).cost;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int fail(const char *what) {
    fprintf(stderr, "costliest-units: %s\n", what);
    return 1;
}

int main(int count, char **arguments) {
    if (count != 5)
        return fail("usage: costliest-units N KERNEL CANDIDATES UNITS");
    struct failure failure = {0};
    const struct job_request request = {.n = atoi(arguments[1]),
                                        .method = "join",
                                        .kernel = arguments[2],
                                        .memory = {.tables = true}};
    struct partition *partition;
    struct solver *job;
    if (nqi_solver_open(&request, &partition, &job, &failure) != NQ_OK)
        return fail(failure.text);
    uint64_t candidates = strtoull(arguments[3], NULL, 10);
    uint64_t units = strtoull(arguments[4], NULL, 10);
    if (candidates == 0 || candidates > job->partition->unit_count)
        candidates = job->partition->unit_count;
    if (units > candidates)
        units = candidates;
    struct candidate *candidate = calloc(candidates, sizeof *candidate);
    if (candidate == NULL)
        return fail("out of memory");
    double mean = 0;
    for (uint64_t i = 0; i < candidates; i++) {
        const uint64_t unit = i * (job->partition->unit_count / candidates);
        candidate[i] = (struct candidate){.unit = unit, .cost = cost_of(job, unit)};
        mean += candidate[i].cost / (double)candidates;
    }
    qsort(candidate, candidates, sizeof *candidate, costlier);
    void *worker = job->call->worker_new(job);
    if (worker == NULL)
        return fail("out of memory");
    printf("n = %d, %s: %" PRIu64 " of %" PRIu64 " units\n", job->partition->n, job->kernel,
           candidates, job->partition->unit_count);
    for (uint64_t i = 0; i < units; i++) {
        struct unit_result result;
        const double before = cpu_seconds();
        if (job->call->solve(job, worker, candidate[i].unit, NULL, &result) != NQ_OK)
            return fail("a unit failed");
        printf("unit %" PRIu64 ": cost %.2f, %.2f s, %" PRIu64 " solutions\n",
               candidate[i].unit, candidate[i].cost / mean, cpu_seconds() - before,
               result.solutions);
        fflush(stdout);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("memory: %.0f MB\n", (double)usage.ru_maxrss * 1024 / 1e6);
    job->call->worker_free(worker);
    solver_close(job);
    partition_close(partition);
    free(candidate);
    return 0;
}
