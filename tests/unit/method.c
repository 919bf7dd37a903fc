/* Methods: the choice of one, and the units of method search, solved one by one. */
#include "join/join.h"
#include "join/matcher.h"
#include "search/search.h"

#include "core/cost.h"
#include "implementations.h"
#include "jobs.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* NULL: refused, with a failure.text. */
static const struct method *choose(struct job_request request) {
    const struct method *method = NULL;
    const struct implementation *kernel = NULL;
    struct failure failure = {0};
    nq_status status = nqi_method_choose(&request, &method, &kernel, &failure);
    cr_expect_eq(status != NQ_OK, failure.text[0] != '\0', "'%s'", failure.text);
    return status == NQ_OK ? method : NULL;
}

static const struct method *chosen(int n, const char *name) {
    return choose((struct job_request){.n = n, .method = name});
}

/* The names are pinned by hand, since options and ledgers hold them. */
Test(method, is_chosen_by_its_name) {
    for (int n = 0; n <= NQ_MAX_N; n++) {
        cr_expect_not_null(chosen(n, NULL), "n = %d", n);
        cr_expect_eq(chosen(n, "search"), &nqi_method_search, "n = %d", n);
        cr_expect_eq(chosen(n, "join"), &nqi_method_join, "n = %d", n);
        cr_expect_null(chosen(n, ""), "n = %d", n);
        cr_expect_null(chosen(n, "searc"), "n = %d", n);
    }
}

/* With a gigabyte or more, all boards from some n on are joined. */
Test(method, is_chosen_by_n_unless_a_plan_or_depth_is_named) {
    const uint64_t memories[] = {0, UINT64_C(1) << 30, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        const uint64_t memory = memories[i];
        cr_expect_eq(choose((struct job_request){.n = 10, .memory = {.all = memory}}),
                     &nqi_method_search);
        cr_expect_eq(choose((struct job_request){.n = 24, .memory = {.all = memory}}),
                     &nqi_method_join);
        bool joined = false;
        for (int n = 0; n <= 24; n++) {
            bool joins = choose((struct job_request){.n = n, .memory = {.all = memory}}) ==
                         &nqi_method_join;
            cr_expect(joins || !joined, "n = %d, memory %d", n, (int)memory);
            joined = joins;
        }
    }
    cr_expect_eq(choose((struct job_request){.n = 8, .plan = "halves"}), &nqi_method_join);
    cr_expect_eq(choose((struct job_request){.n = 24, .plan = "cross"}), &nqi_method_search);
    cr_expect_eq(choose((struct job_request){.n = 24, .plan = "rows", .depth = 3}),
                 &nqi_method_search);
    cr_expect_eq(choose((struct job_request){.n = 24, .depth = 3}), &nqi_method_search);
}

/* The lists of a thread take 1.14 GB for n = 28. */
Test(method, is_search_if_there_is_no_room_for_one_thread) {
    const uint64_t megabyte = 1000000;
    cr_expect_eq(choose((struct job_request){.n = 28, .memory = {.all = 1100 * megabyte}}),
                 &nqi_method_search);
    cr_expect_eq(choose((struct job_request){.n = 28, .memory = {.all = 1200 * megabyte}}),
                 &nqi_method_join);
    cr_expect_eq(choose((struct job_request){.n = 28}), &nqi_method_join);
    cr_expect_eq(choose((struct job_request){.n = 22, .memory = {.all = megabyte}}),
                 &nqi_method_search);
    cr_expect_eq(
        choose((struct job_request){.n = 16, .kernel = "scalar64", .memory = {.all = 1}}),
        &nqi_method_join);
    cr_expect_eq(choose((struct job_request){
                     .n = 28, .memory = {.all = megabyte}, .same_on_every_machine = true}),
                 &nqi_method_join);
}

/* Whether or not this CPU can run it: then the kernel is refused. */
Test(method, is_join_with_a_kernel_that_only_join_has) {
    if (nqi_implementation_by_name(nqi_matcher_list, "avx512bw") == NULL)
        cr_skip_test("not on this architecture");
    const struct job_request requests[] = {
        {.n = 4}, {.n = 24}, {.n = 28, .memory = {.all = 1}}, {.n = 8, .plan = "halves"}};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct job_request request = requests[i];
        const struct method *method = NULL;
        const struct implementation *kernel;
        struct failure failure = {0};
        request.kernel = "avx512bw";
        const nq_status status = nqi_method_choose(&request, &method, &kernel, &failure);
        cr_expect_eq(method, &nqi_method_join, "n = %d", request.n);
        cr_expect(status == NQ_OK || strstr(failure.text, "this CPU lacks") != NULL, "%s",
                  failure.text);
        request.plan = "rows";
        cr_expect_null(choose(request));
        request.plan = NULL;
        request.depth = 3;
        cr_expect_null(choose(request));
    }
}

/* Machines that count shards may differ, but the shards must be parts of one job. */
Test(method, for_shards_depends_on_n_alone) {
    for (int n = 0; n <= NQ_MAX_N; n++) {
        const struct job_request plain = {
            .n = n, .memory = {.tables = true}, .same_on_every_machine = true};
        const struct job_request other = {
            .n = n, .kernel = "scalar64", .same_on_every_machine = true};
        cr_expect_eq(choose(plain), choose(other), "n = %d", n);
    }
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
    cr_assert_lt(queue->id, queue->job->partition->unit_count);
    const struct unit *unit = &queue->job->partition->units[queue->id];
    struct unit_result result = solve_unit(queue->job, queue->worker, queue->id);
    cr_expect(unit->weight == weight && unit->cost == cost && cost > 0 &&
                  result.solutions == expected->solutions && result.work == expected->nodes,
              "n = %d, plan %s, depth %d, unit %" PRIu64, queue->job->partition->n,
              queue->job->partition->plan, queue->job->partition->depth, queue->id);
    queue->id++;
}

/* The next units of the job must be the parts of this family, in order. */
static void check_family(struct queue *queue, const struct family *f) {
    for (uint32_t part = 0; part < f->parts; part++) {
        struct tally expected = {0};
        add_part(f, part, &expected);
        check_unit(queue, f->weight, cost_power_of_2(f->log_cost + queue->scale), &expected);
    }
}

/* The next units of the job must be these families of one weight, dealt in turn to as few units
 * as possible with at most `together` families each. */
static void check_together(struct queue *queue, const struct family *family, size_t count,
                           size_t together) {
    size_t units = (count + together - 1) / together;
    for (size_t unit = 0; unit < units; unit++) {
        struct tally expected = {0};
        uint64_t cost = 0;
        for (size_t i = unit; i < count; i += units) {
            add_part(&family[i], 0, &expected);
            cost += cost_power_of_2(family[i].log_cost + queue->scale);
        }
        check_unit(queue, family->weight, cost, &expected);
    }
}

/* The next units must be those of family `first`, or of all families that share units with it.
 * Returns the index of the family after these. */
static size_t check_from(struct queue *queue, const struct families *families, size_t first) {
    if (families->families_per_unit < 2) {
        check_family(queue, &families->family[first]);
        return first + 1;
    }
    size_t end = first;
    while (end < families->count &&
           families->family[end].weight == families->family[first].weight)
        end++;
    check_together(queue, &families->family[first], end - first, families->families_per_unit);
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

static void check_job(const struct plan *plan, int n, int depth) {
    struct solver *job = open_search(n, plan->name, depth, NULL);
    cr_expect(job->partition->n == n && strcmp(job->partition->method, "search") == 0 &&
              job->partition->depth == depth && job->partition->plan_version == plan->version &&
              strcmp(job->partition->plan, plan->name) == 0);
    struct families families;
    cr_assert(plan->build(n, depth, &families));
    struct queue queue = {.job = job, .worker = job->call->worker_new(job)};
    cr_assert_not_null(queue.worker);
    uint64_t parts = 0;
    for (size_t i = 0; i < families.count; i++)
        parts += families.family[i].parts;
    queue.scale = scale_for(&families, parts);
    for (size_t i = 0; i < families.count;)
        i = check_from(&queue, &families, i);
    cr_expect_eq(queue.id, job->partition->unit_count, "n = %d, plan %s, depth %d", n,
                 plan->name, depth);
    nqi_families_free(&families);
    queue.job->call->worker_free(queue.worker);
    close_solver(job);
}

Test(search, units_are_made_of_the_families_in_order) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= 10; n++)
                check_job(plan, n, depth);
    }
}

Test(search, results_depend_on_the_units_id_alone) {
    struct solver *job = open_search(9, "rows", 3, NULL);
    expect_results_by_id_alone(job);
    close_solver(job);
}

static bool say_no(void *context, uint64_t work) {
    (void)work;
    ++*(int *)context;
    return false;
}

/* A cancelled unit has no result, and leaves the worker fit for other units. */
Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    for (size_t k = 0; kernel_here(k) != NULL; k++) {
        const char *kernel = kernel_here(k)->impl.name;
        struct solver *job = open_search(20, "rows", 2, kernel),
                      *small = open_search(10, "rows", 2, kernel);
        void *worker = job->call->worker_new(job);
        cr_assert_not_null(worker);
        int asked = 0;
        const struct heartbeat heartbeat = {.go_on = say_no, .context = &asked};
        struct unit_result result;
        cr_expect_eq(job->call->solve(job, worker, 0, &heartbeat, &result), NQ_CANCELLED);
        cr_expect_eq(asked, 1, "kernel %s asked %d times", kernel, asked);
        job->call->worker_free(worker);
        worker = small->call->worker_new(small);
        cr_assert_not_null(worker);
        uint64_t sum = 0;
        for (uint64_t id = 0; id < small->partition->unit_count; id++) {
            cr_expect_neq(small->call->solve(small, worker, id, &heartbeat, &result),
                          NQ_NO_MEMORY);
            sum += small->partition->units[id].weight * solve_unit(small, worker, id).solutions;
        }
        cr_expect_eq(sum, published[10], "kernel %s: %" PRIu64, kernel, sum);
        job->call->worker_free(worker);
        close_solver(small);
        close_solver(job);
    }
}
