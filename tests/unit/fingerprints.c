/* Every kernel on all units of every plan: totals as published, units and nodes as pinned. */
#include "fingerprints.h"
#include "implementations.h"
#include "jobs.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>

struct sum {
    uint64_t units, solutions, nodes;
};

static struct sum solve_all(const struct fingerprint *f, const char *kernel) {
    struct solver *job = open_search(f->n, f->plan, f->depth, kernel);
    void *worker = job->call->worker_new(job);
    cr_assert_not_null(worker);
    struct sum sum = {.units = job->partition->unit_count};
    for (uint64_t id = 0; id < job->partition->unit_count; id++) {
        struct unit_result result = solve_unit(job, worker, id);
        sum.solutions += job->partition->units[id].weight * result.solutions;
        sum.nodes += result.work;
    }
    job->call->worker_free(worker);
    close_solver(job);
    return sum;
}

Test(fingerprints, every_kernel_visits_the_pinned_nodes) {
    for (size_t k = 0; kernel_here(k) != NULL; k++)
        for (size_t i = 0; i < FINGERPRINTS; i++) {
            const char *kernel = kernel_here(k)->impl.name;
            const struct fingerprint *f = &fingerprints[i];
            struct sum sum = solve_all(f, kernel);
            cr_expect_eq(sum.solutions, published[f->n],
                         "kernel %s, n = %d, plan %s, depth %d: %" PRIu64 " solutions", kernel,
                         f->n, f->plan, f->depth, sum.solutions);
            cr_expect(sum.units == f->units && sum.nodes == f->nodes,
                      "kernel %s: {%d, \"%s\", %d, %" PRIu64 ", %" PRIu64 "},", kernel, f->n,
                      f->plan, f->depth, sum.units, sum.nodes);
        }
}

/* A new plan or depth must be pinned, too. */
Test(fingerprints, every_plan_and_depth_is_pinned) {
    for (int n = 0; n < PUBLISHED; n++)
        for (size_t p = 0; nqi_plan_at(p) != NULL; p++)
            for (int depth = nqi_plan_at(p)->min_depth; depth <= nqi_plan_at(p)->max_depth;
                 depth++)
                cr_expect_not_null(fingerprint_of(n, nqi_plan_at(p)->name, depth),
                                   "n = %d, plan %s, depth %d", n, nqi_plan_at(p)->name, depth);
}
