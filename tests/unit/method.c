/* Methods: a job's units, numbered over all families, solved one by one. */
#include "method/method.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* NULL: refused, with a text. */
static const struct method *choose(struct job_request request) {
    const struct method *method = NULL;
    const struct implementation *kernel = NULL;
    char detail[256] = "";
    nq_status status = nqi_method_choose(&request, &method, &kernel, detail, sizeof detail);
    cr_expect_eq(status != NQ_OK, detail[0] != '\0', "'%s'", detail);
    return status == NQ_OK ? method : NULL;
}

static const struct method *chosen(int n, const char *name) {
    return choose((struct job_request){.n = n, .method = name});
}

Test(method, by_name) {
    for (int n = 0; n <= NQ_MAX_N; n++) {
        cr_expect_not_null(chosen(n, NULL), "n = %d", n);
        cr_expect_eq(chosen(n, "search"), &nqi_method_search, "n = %d", n);
        cr_expect_eq(chosen(n, "join"), &nqi_method_join, "n = %d", n);
        cr_expect_null(chosen(n, ""), "n = %d", n);
        cr_expect_null(chosen(n, "searc"), "n = %d", n);
    }
}

/* Small boards are searched, large ones joined; a plan has one method. Once it is worth joining
 * it stays so, also when only a little memory may be used. */
Test(method, by_size) {
    const uint64_t memories[] = {0, 1, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        const uint64_t memory = memories[i];
        cr_expect_eq(choose((struct job_request){.n = 10, .table_memory = memory}),
                     &nqi_method_search);
        cr_expect_eq(choose((struct job_request){.n = 24, .table_memory = memory}),
                     &nqi_method_join);
        bool joined = false;
        for (int n = 0; n <= 24; n++) {
            bool joins = choose((struct job_request){.n = n, .table_memory = memory}) ==
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

/* Shards are counted on machines that differ, and must be parts of the same job. */
Test(method, for_shards_depends_on_the_size_alone) {
    for (int n = 0; n <= NQ_MAX_N; n++) {
        const struct job_request plain = {
            .n = n, .table_memory = UINT64_MAX, .same_on_every_machine = true};
        const struct job_request other = {
            .n = n, .kernel = "scalar64", .same_on_every_machine = true};
        cr_expect_eq(choose(plain), choose(other), "n = %d", n);
    }
}

/* Opens a job of `search`; the caller closes it. */
static struct job *open_search(int n, struct job_request request) {
    char detail[512] = "";
    struct job *job = NULL;
    request.n = n;
    request.method = "search";
    nq_status status = nqi_job_open(&request, &job, detail, sizeof detail);
    cr_assert_eq(status, NQ_OK, "n = %d: %s", n, detail);
    cr_assert_not_null(job);
    return job;
}

static struct unit_result solve(const struct job *job, void *worker, uint64_t id) {
    struct unit_result result = {0};
    nq_status status = nqi_method_search.solve(job, worker, id, NULL, &result);
    cr_assert_eq(status, NQ_OK, "n = %d, plan %s, unit %" PRIu64 ": %s", job->n, job->plan, id,
                 nq_status_text(status));
    return result;
}

struct queue {
    const struct job *job;
    void *worker;
    uint64_t id;
};

/* Adds the completions of one part of a family, by the oracle. */
static void add_part(const struct family *f, uint32_t part, struct tally *sum) {
    size_t count;
    struct state *states = states_of_part(f, f->split, part, f->parts, &count);
    for (size_t s = 0; s < count; s++) {
        struct tally one = complete_naively(f, f->split, states[s]);
        sum->solutions += one.solutions;
        sum->nodes += one.nodes;
    }
    free(states);
}

/* The next unit of the job must be of this weight and cost, and come to this. */
static void check_unit(struct queue *queue, uint32_t weight, double cost,
                       const struct tally *expected) {
    cr_assert_lt(queue->id, queue->job->unit_count);
    const struct unit *unit = &queue->job->units[queue->id];
    struct unit_result result = solve(queue->job, queue->worker, queue->id);
    cr_expect(unit->weight == weight && unit->cost == cost && cost > 0 &&
                  result.solutions == expected->solutions && result.work == expected->nodes,
              "n = %d, plan %s, depth %d, unit %" PRIu64, queue->job->n, queue->job->plan,
              queue->job->depth, queue->id);
    queue->id++;
}

/* The next units of the job must be the parts of this family, in order. */
static void check_family(struct queue *queue, const struct family *f) {
    for (uint32_t part = 0; part < f->parts; part++) {
        struct tally expected = {0};
        add_part(f, part, &expected);
        check_unit(queue, f->weight, f->unit_cost, &expected);
    }
}

/* The next units of the job must be these families of one weight, dealt out in turns to as few
 * units as take no more than `together` each. */
static void check_together(struct queue *queue, const struct family *family, size_t count,
                           size_t together) {
    size_t units = (count + together - 1) / together;
    for (size_t unit = 0; unit < units; unit++) {
        struct tally expected = {0};
        double cost = 0;
        for (size_t i = unit; i < count; i += units) {
            add_part(&family[i], 0, &expected);
            cost += family[i].unit_cost;
        }
        check_unit(queue, family->weight, cost, &expected);
    }
}

/* The next units must be those of the family, or of all that go together with it. Returns the
 * family after these. */
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

static void check_job(const struct plan *plan, int n, int depth) {
    const struct job_request request = {.plan = plan->name, .depth = depth};
    struct job *job = open_search(n, request);
    cr_expect(job->n == n && job->method == &nqi_method_search && job->depth == depth &&
              job->plan_version == plan->version && strcmp(job->plan, plan->name) == 0);
    struct families families;
    cr_assert(plan->build(n, depth, &families));
    struct queue queue = {.job = job, .worker = nqi_method_search.worker_new(job)};
    cr_assert_not_null(queue.worker);
    for (size_t i = 0; i < families.count;)
        i = check_from(&queue, &families, i);
    cr_expect_eq(queue.id, job->unit_count, "n = %d, plan %s, depth %d", n, plan->name, depth);
    nqi_families_free(&families);
    nqi_method_search.worker_free(queue.worker);
    nqi_method_search.close(job);
}

Test(search, units_are_made_of_the_families_in_order) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= 10; n++)
                check_job(plan, n, depth);
    }
}

/* Not in order, and by another worker than the one before: a unit depends on nothing but its
 * id. */
Test(search, units_depend_on_their_id_alone) {
    struct job *job = open_search(9, (struct job_request){.plan = "rows", .depth = 3});
    cr_assert_gt(job->unit_count, 10);
    void *first = nqi_method_search.worker_new(job),
         *second = nqi_method_search.worker_new(job);
    cr_assert(first != NULL && second != NULL);
    for (uint64_t id = 0; id < job->unit_count; id++) {
        struct unit_result a = solve(job, first, id);
        struct unit_result b = solve(job, second, job->unit_count - 1 - id);
        struct unit_result c = solve(job, second, id);
        struct unit_result d = solve(job, first, job->unit_count - 1 - id);
        cr_expect(a.solutions == c.solutions && a.work == c.work, "unit %" PRIu64, id);
        cr_expect(b.solutions == d.solutions && b.work == d.work, "unit %" PRIu64, id);
    }
    nqi_method_search.worker_free(first);
    nqi_method_search.worker_free(second);
    nqi_method_search.close(job);
}

static bool say_no(void *context, uint64_t work) {
    (void)work;
    ++*(int *)context;
    return false;
}

/* Half of a unit is worth nothing; the worker is none the worse for it. */
Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    nq_kernel_info kernel;
    for (size_t k = 0; nq_kernel(k, &kernel); k++) {
        if (!kernel.runs_here)
            continue;
        const struct job_request request = {.plan = "rows", .depth = 2, .kernel = kernel.name};
        struct job *job = open_search(20, request), *small = open_search(10, request);
        void *worker = nqi_method_search.worker_new(job);
        cr_assert_not_null(worker);
        int asked = 0;
        const struct heartbeat heartbeat = {.go_on = say_no, .context = &asked};
        struct unit_result result;
        cr_expect_eq(nqi_method_search.solve(job, worker, 0, &heartbeat, &result),
                     NQ_CANCELLED);
        cr_expect_eq(asked, 1, "kernel %s asked %d times", kernel.name, asked);
        nqi_method_search.worker_free(worker);
        worker = nqi_method_search.worker_new(small);
        cr_assert_not_null(worker);
        uint64_t sum = 0;
        for (uint64_t id = 0; id < small->unit_count; id++) {
            cr_expect_neq(nqi_method_search.solve(small, worker, id, &heartbeat, &result),
                          NQ_NO_MEMORY);
            sum += small->units[id].weight * solve(small, worker, id).solutions;
        }
        cr_expect_eq(sum, published[10], "kernel %s: %" PRIu64, kernel.name, sum);
        nqi_method_search.worker_free(worker);
        nqi_method_search.close(small);
        nqi_method_search.close(job);
    }
}

Test(search, nothing_may_be_released) {
    nqi_method_search.close(NULL);
    nqi_method_search.worker_free(NULL);
}
