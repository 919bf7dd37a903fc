/* SPDX-License-Identifier: MIT */
/* Methods: their kernels and plans, the choice of one, and the families and units of method
 * search, solved one by one.
 */
#include "colours/colours.h"
#include "search/plan.h"

#include "counts.h"
#include "engine/methods.h"
#include "implementations.h"
#include "jobs.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pinned by hand, slowest first. A build may have others, too. */
Test(kernels, a_build_has_those_of_its_architecture) {
    const struct {
        const char *name;
        bool runs;
    } required[] = {
        {"scalar64", true},
#if defined __aarch64__ && defined __AARCH64EL__
        {"neon", true},
#endif
#ifdef __x86_64__
        {"avx2", __builtin_cpu_supports("avx2") != 0},
        {"avx512", __builtin_cpu_supports("avx512f") != 0},
        {"avx512vbmi2", __builtin_cpu_supports("avx512vbmi2") != 0},
#endif
    };
    size_t k = 0;
    for (size_t i = 0; i < LENGTH(required); i++) {
        while (nqi_completer_list[k] != NULL &&
               strcmp(nqi_completer_list[k]->name, required[i].name) != 0)
            k++;
        cr_assert(nqi_completer_list[k] != NULL && (i > 0 || k == 0), "%s", required[i].name);
        cr_expect_eq(nqi_implementation_runs_here(nqi_completer_list[k]), required[i].runs,
                     "%s", required[i].name);
    }
}

/* The first plan is the default. nq_machine has the kernels of colours, so search must have no
 * others. The program has an environment variable for the kernel; other programs that use the
 * library do not. */
Test(methods, are_listed_with_kernels_and_plans) {
    static const char *const expected[] = {"cross", "rows", "orbits"};
    size_t found = 0;
    const struct method *method;
    setenv("NQUEENS_KERNEL", "no such kernel", 1);
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++) {
        for (size_t k = 0, c = 0; method->kernels[k] != NULL; k++, c++)
            while (nqi_completer_list[c] == NULL ||
                   strcmp(method->kernels[k]->name, nqi_completer_list[c]->name) != 0)
                cr_assert_not_null(nqi_completer_list[c++]);
        for (size_t p = 0; method->plans[p] != NULL; p++, found++) {
            const struct plan *plan = method->plans[p];
            cr_assert_lt(found, LENGTH(expected));
            cr_expect_str_eq(plan->name, expected[found]);
            const nq_options *options =
                OPTIONS(.method = method->name, .plan = p > 0 ? plan->name : NULL);
            nq_result result = NQ_RESULT_INIT;
            expect_status(nq_count_solutions(10, options, &result), NQ_OK, method->name);
            cr_expect_str_eq(result.job.plan, plan->name);
        }
    }
    cr_expect_eq(found, LENGTH(expected));
}

/* Machines with other kernels count shards of a board, or carry on each other's ledgers: they
 * must count units of the same partition. */
Test(method, is_chosen_by_n_alone_if_nothing_is_named) {
    const struct implementation *kernel = NULL, *chosen; /* first the library's own choice */
    const struct method *method = NULL;
    struct failure failure = {0};
    do
        for (int n = 0; n <= NQ_MAX_N; n++)
            for (int shards = 0; shards <= 3; shards += 3) {
                const nq_options *options =
                    OPTIONS(.kernel = kernel != NULL ? kernel->name : NULL, .shard = shards > 0,
                            .shards = shards);
                cr_assert_eq(nqi_method_choose(n, options, &method, &chosen, &failure), NQ_OK);
                cr_expect_eq(method, n <= 13 ? &nqi_method_search : &nqi_method_colours,
                             "n = %d, %d shards", n, shards);
            }
    while ((kernel = implementation_after(nqi_kernel_list, kernel)) != NULL);
}

struct queue {
    const struct solver *job;
    void *worker;
    uint64_t id;
    int32_t scale; /* added to logarithms of costs */
};

/* Adds the completions of one part of a family, as the oracle counts them. */
static void add_part(const struct family *f, uint32_t part, struct tally *sum) {
    size_t count;
    struct state *states = states_of_part(f, f->expanded, part, f->parts, &count);
    for (size_t s = 0; s < count; s++) {
        struct tally one = complete_naively(f, f->expanded, states[s]);
        sum->solutions += one.solutions;
        sum->nodes += one.nodes;
    }
    free(states);
}

/* The next unit of the job must have this weight, cost and result. */
static void check_unit(struct queue *queue, uint32_t weight, uint64_t cost,
                       const struct tally *expected) {
    cr_assert_lt(queue->id, queue->job->partition->job.units);
    const struct unit *unit = &queue->job->partition->units[queue->id];
    struct unit_result result = solve_unit(queue->job, queue->worker, queue->id);
    cr_expect(unit->weight == weight && unit->cost == cost && cost > 0 &&
                  result.solutions == expected->solutions && result.work == expected->nodes,
              "n = %d, plan %s, unit %" PRIu64, queue->job->partition->job.n,
              queue->job->partition->job.plan, queue->id);
    queue->id++;
}

/* The next units must be the parts of family `first`, in order; or, if families share units,
 * those of all families with its weight, dealt in turn to as few units as possible. Returns the
 * index of the family after these. */
static size_t check_from(struct queue *queue, const struct families *families, size_t first) {
    const struct family *f = families->family;
    const size_t together = families->families_per_unit < 2 ? 1 : families->families_per_unit;
    size_t end = first + 1;
    while (together > 1 && end < families->count && f[end].weight == f[first].weight)
        end++;
    const size_t units = (end - first + together - 1) / together;
    for (size_t unit = 0; unit < units * f[first].parts; unit++) {
        struct tally expected = {0};
        uint64_t cost = 0;
        for (size_t i = first + unit % units; i < end; i += units) {
            add_part(&f[i], (uint32_t)(unit / units), &expected);
            cost += cost_power_of_2(f[i].log_cost + queue->scale);
        }
        check_unit(queue, f[first].weight, cost, &expected);
    }
    return end;
}

/* The greatest cost of a part is as large as whole powers of two let it be if the sum of costs
 * is to stay below 2^63. */
static int32_t scale_for(const struct families *families, uint64_t parts) {
    int32_t greatest = 0, scale = 62 << 16;
    for (size_t i = 0; i < families->count; i++)
        if (families->family[i].log_cost > greatest)
            greatest = families->family[i].log_cost;
    for (uint64_t room = 1; room <= parts; room *= 2)
        scale -= 1 << 16;
    return scale - (greatest & ~0xffff);
}

static void check_job(const struct plan *plan, int n) {
    struct solver *job = open_search(n, plan->name, NULL);
    cr_expect(job->partition->job.n == n && strcmp(job->partition->job.method, "search") == 0 &&
              job->partition->job.plan_version == plan->version &&
              strcmp(job->partition->job.plan, plan->name) == 0);
    struct families families;
    cr_assert(plan->build(n, &families));
    struct queue queue = {.job = job, .worker = job->call->worker_new(job)};
    cr_assert_not_null(queue.worker);
    uint64_t parts = 0;
    for (size_t i = 0; i < families.count; i++)
        parts += families.family[i].parts;
    queue.scale = scale_for(&families, parts);
    for (size_t i = 0; i < families.count;)
        i = check_from(&queue, &families, i);
    cr_expect_eq(queue.id, job->partition->job.units, "n = %d, plan %s", n, plan->name);
    nqi_families_free(&families);
    queue.job->call->worker_free(queue.worker);
    close_solver(job);
}

Test(search, units_are_made_of_the_families_in_order) {
    for (const struct plan *plan = NULL; (plan = plan_after(plan)) != NULL;)
        for (int n = 0; n <= 11; n++)
            check_job(plan, n);
}

Test(search, results_depend_on_the_units_id_alone) {
    struct solver *job = open_search(9, "rows", NULL);
    expect_results_by_id_alone(job);
    close_solver(job);
}

Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    for (const struct kernel *kernel = NULL; (kernel = kernel_after(kernel)) != NULL;) {
        struct solver *job = open_search(17, "rows", kernel->impl.name);
        expect_stops(job, 0);
        close_solver(job);
    }
}
