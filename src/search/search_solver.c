/* SPDX-License-Identifier: MIT */
/* Method `search`: a kernel completes a plan's families.
 *
 * A unit is one part of a family's start states, or several families of one weight. A worker
 * expands a family's states only when it gets a unit of that family, and keeps them until it
 * gets a unit of another. So a plan with millions of units fits in memory, and consecutive
 * units of a family share one expansion.
 */
#include "search/plan.h"

#include "search/kernel.h"

#include <stdlib.h>

#define KERNEL_LIST(name, in_search) IN_SEARCH_##in_search(&nqi_kernel_##name.impl, )
const struct implementation *const nqi_kernel_list[] = {KERNELS_HERE(KERNEL_LIST) NULL};

uint64_t nqi_kernel_last_rows(const struct family *family, int row, const struct state *states,
                              size_t count) {
    uint64_t solutions = 0;
    for (size_t i = 0; i < count; i++)
        solutions += nqi_state_expand(family, row, states[i], family->rows, NULL);
    return solutions;
}

struct search_solver {
    struct solver solver; /* first, so that a pointer to it is one to the search_solver */
    const struct search_partition *partition;
    const struct kernel *kernel;
};

struct search_worker {
    void *scratch;        /* of the kernel */
    size_t family;        /* index of the expanded family; SIZE_MAX: none */
    struct state *states; /* the family's start states, then those of one part */
    size_t state_count;   /* of the family */
};

static void search_worker_free(void *data) {
    struct search_worker *worker = data;
    if (worker == NULL)
        return;
    free(worker->scratch);
    free(worker->states);
    free(worker);
}

static void *search_worker_new(const struct solver *solver) {
    const struct search_solver *search = (const struct search_solver *)solver;
    struct search_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->family = SIZE_MAX;
    worker->scratch = aligned_alloc(64, search->kernel->scratch_bytes / 64 * 64 + 64);
    if (worker->scratch == NULL) {
        search_worker_free(worker);
        return NULL;
    }
    return worker;
}

/* Expands the family at an index, unless it is expanded already. False: out of memory. */
static bool search_worker_expand(struct search_worker *worker,
                                 const struct search_solver *search, size_t index) {
    if (worker->family == index)
        return true;
    const struct family *f = &search->partition->families.family[index];
    worker->family = SIZE_MAX;
    worker->state_count = nqi_family_expand(f, f->expanded, NULL);
    struct state *states =
        realloc(worker->states, (2 * worker->state_count + 1) * sizeof *states);
    if (states == NULL)
        return false;
    worker->states = states;
    nqi_family_expand(f, f->expanded, worker->states);
    worker->family = index;
    return true;
}

/* For bsearch: where a unit is, seen from a batch. */
static int search_compare(const void *unit, const void *entry) {
    const uint64_t id = *(const uint64_t *)unit;
    const struct search_batch *batch = entry;
    return id < batch->first_unit ? -1 : id - batch->first_unit >= batch->units;
}

/* Completes the start states of one part of a family, and adds to the tally. */
static nq_status search_count_part(const struct search_solver *search,
                                   struct search_worker *worker, size_t index, uint64_t part,
                                   const struct heartbeat *heartbeat, struct tally *tally) {
    if (!search_worker_expand(worker, search, index))
        return NQ_NO_MEMORY;
    const struct family *f = &search->partition->families.family[index];
    struct state *states = worker->states + worker->state_count;
    size_t count = 0;
    for (size_t i = part; i < worker->state_count; i += f->parts)
        states[count++] = worker->states[i];
    return search->kernel->count(f, f->expanded, states, count, worker->scratch, heartbeat,
                                 tally)
               ? NQ_OK
               : NQ_CANCELLED;
}

static nq_status search_solve(const struct solver *solver, void *data, uint64_t id,
                              const struct heartbeat *heartbeat, struct unit_result *result) {
    const struct search_solver *search = (const struct search_solver *)solver;
    const struct search_batch *batch =
        bsearch(&id, search->partition->batch, search->partition->batch_count, sizeof *batch,
                search_compare);
    uint64_t unit = id - batch->first_unit;
    struct tally tally = {0};
    nq_status status = NQ_OK;
    /* One family's part number `unit`, or part 0 of each of several. */
    for (size_t i = unit % batch->families; i < batch->families && status == NQ_OK;
         i += batch->units)
        status = search_count_part(search, data, batch->first_family + i,
                                   unit / batch->families, heartbeat, &tally);
    *result = (struct unit_result){.solutions = tally.solutions, .work = tally.nodes};
    return status;
}

static void search_solver_close(struct solver *solver) {
    free(solver);
}

static const struct solver_calls search_calls = {.close = search_solver_close,
                                                 .worker_new = search_worker_new,
                                                 .worker_free = search_worker_free,
                                                 .solve = search_solve};

static struct solver *search_solver_new(const struct partition *partition,
                                        const struct implementation *kernel) {
    struct search_solver *search = malloc(sizeof *search);
    if (search == NULL)
        return NULL;
    *search = (struct search_solver){
        .solver = {.call = &search_calls, .partition = partition, .kernel = kernel->name},
        .partition = (const struct search_partition *)partition,
        .kernel = (const struct kernel *)kernel};
    return &search->solver;
}

const struct method nqi_method_search = {.name = "search",
                                         .work = "nodes",
                                         .max_n = NQ_MAX_SEARCH_N,
                                         .kernels = nqi_kernel_list,
                                         .plans = nqi_search_plans,
                                         .partition = nqi_search_partition,
                                         .solver = search_solver_new};
