#include "joins.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>

struct job *open_join(int n, const char *kernel, uint64_t memory, int threads) {
    const struct job_request request = {
        .n = n, .method = "join", .kernel = kernel, .table_memory = memory};
    char detail[512] = "";
    struct job *job = NULL;
    nq_status status = nqi_job_open(&request, &job, detail, sizeof detail);
    cr_assert_eq(status, NQ_OK, "n = %d: %s", n, detail);
    cr_assert_not_null(job);
    int failed = 0, started = 0;
#pragma omp parallel num_threads(threads) reduction(+ : failed) shared(started)
    {
        if (omp_get_thread_num() == 0)
            started = omp_get_num_threads();
        failed += nqi_method_join.prepare(job, NULL) != NQ_OK;
    }
    cr_assert(failed == 0 && started == threads, "n = %d: %d of %d threads failed", n, failed,
              threads);
    return job;
}

void close_join(struct job *job) {
    nqi_method_join.close(job);
}

struct unit_result join_unit(const struct job *job, void *worker, uint64_t id) {
    struct unit_result result = {.solutions = 77, .work = 77};
    nq_status status = nqi_method_join.solve(job, worker, id, NULL, &result);
    cr_assert_eq(status, NQ_OK, "n = %d, kernel %s, unit %" PRIu64 ": %s", job->n, job->kernel,
                 id, nq_status_text(status));
    return result;
}

uint64_t hash_number(uint64_t hash, uint64_t number) {
    for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}
