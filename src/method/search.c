/* Method `search`: a kernel completes a plan's families.
 *
 * A unit is one part of a family's start states, or several families of one weight. A worker
 * expands a family's states only when it gets a unit of that family, and keeps them until it
 * gets a unit of another. So a plan with millions of units fits in memory, and consecutive
 * units of a family share one expansion.
 */
#include "method/method.h"

#include "kernel/kernel.h"
#include "plan/plan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Units that are made alike: the parts of one family, or several families of one weight that
 * are dealt out to units, family i to unit i % units. */
struct batch {
    uint64_t first_unit, units;
    size_t first_family, families;
};

struct search_job {
    struct job job; /* first, so that a pointer to it is a pointer to the search_job */
    const struct kernel *kernel;
    struct families families;
    struct batch *batch;
    size_t batch_count;
};

struct worker {
    void *scratch;               /* of the kernel */
    size_t family;               /* index of the expanded family; SIZE_MAX: none */
    struct state *states, *part; /* the family's start states; those of one part */
    size_t state_count, room;    /* of states; room is for each of the two */
};

static void search_close(struct job *job) {
    if (job == NULL)
        return;
    struct search_job *search = (struct search_job *)job;
    nqi_families_free(&search->families);
    free(search->batch);
    free(search->job.units);
    free(search);
}

/* Returns the batch that begins with the family at index `first`. */
static struct batch batch_at(const struct families *families, size_t first) {
    const struct family *f = &families->family[first];
    if (families->families_per_unit < 2)
        return (struct batch){.first_family = first, .families = 1, .units = f->parts};
    assert(f->parts == 1); /* solve counts part 0 alone */
    size_t end = first;
    while (end < families->count && families->family[end].weight == f->weight)
        end++;
    return (struct batch){.first_family = first,
                          .families = end - first,
                          .units = (end - first - 1) / families->families_per_unit + 1};
}

/* Returns the expected cost of a unit, given by its index in the batch. */
static double unit_cost(const struct search_job *search, const struct batch *batch,
                        uint64_t unit) {
    const struct family *family = search->families.family + batch->first_family;
    if (batch->families == 1)
        return family->unit_cost;
    double cost = 0;
    for (size_t i = unit; i < batch->families; i += batch->units)
        cost += family[i].unit_cost;
    return cost;
}

/* Numbers the units, batch by batch. False: out of memory. */
static bool list_units(struct search_job *search) {
    const struct families *families = &search->families;
    /* One more than needed: for an empty list, malloc(0) might return NULL, as on failure. */
    search->batch = malloc((families->count + 1) * sizeof *search->batch);
    if (search->batch == NULL)
        return false;
    uint64_t units = 0;
    for (size_t family = 0; family < families->count;) {
        struct batch batch = batch_at(families, family);
        batch.first_unit = units;
        units += batch.units;
        family += batch.families;
        search->batch[search->batch_count++] = batch;
    }
    search->job.units = malloc((units + 1) * sizeof *search->job.units);
    if (search->job.units == NULL)
        return false;
    for (size_t i = 0; i < search->batch_count; i++) {
        const struct batch *batch = &search->batch[i];
        for (uint64_t unit = 0; unit < batch->units; unit++)
            search->job.units[search->job.unit_count++] =
                (struct unit){.weight = families->family[batch->first_family].weight,
                              .cost = unit_cost(search, batch, unit)};
    }
    return true;
}

static bool search_plan_at(size_t index, struct plan_info *info) {
    const struct plan *plan = nqi_plan_at(index);
    if (plan == NULL)
        return false;
    *info = (struct plan_info){
        .name = plan->name, .min_depth = plan->min_depth, .max_depth = plan->max_depth};
    return true;
}

static nq_status search_open(const struct job_request *request,
                             const struct implementation *kernel, struct job **job,
                             char *detail, size_t size) {
    const struct plan *plan = nqi_plan_by_name(request->plan, detail, size);
    if (plan == NULL)
        return NQ_BAD_OPTION;
    int depth = request->depth;
    if (depth != 0 && plan->max_depth == 0) {
        snprintf(detail, size, "depth %d: plan '%s' has no depth", depth, plan->name);
        return NQ_BAD_OPTION;
    }
    if (depth != 0 && (depth < plan->min_depth || depth > plan->max_depth)) {
        snprintf(detail, size, "depth %d: expected %d to %d for plan '%s'", depth,
                 plan->min_depth, plan->max_depth, plan->name);
        return NQ_BAD_OPTION;
    }
    if (depth == 0)
        depth = plan->default_depth(request->n);

    struct search_job *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NQ_NO_MEMORY;
    search->kernel = (const struct kernel *)kernel;
    search->job = (struct job){.method = &nqi_method_search,
                               .n = request->n,
                               .plan = plan->name,
                               .kernel = kernel->name,
                               .plan_version = plan->version,
                               .depth = depth,
                               .memory = {.fits = true}};
    if (!plan->build(request->n, depth, &search->families) || !list_units(search)) {
        search_close(&search->job);
        return NQ_NO_MEMORY;
    }
    *job = &search->job;
    return NQ_OK;
}

static void worker_free(void *data) {
    struct worker *worker = data;
    if (worker == NULL)
        return;
    free(worker->scratch);
    free(worker->states);
    free(worker->part);
    free(worker);
}

static void *worker_new(const struct job *job) {
    const struct search_job *search = (const struct search_job *)job;
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->family = SIZE_MAX;
    worker->scratch = aligned_alloc(64, search->kernel->scratch_bytes / 64 * 64 + 64);
    if (worker->scratch == NULL) {
        worker_free(worker);
        return NULL;
    }
    return worker;
}

/* Makes room for at least that many states. False: out of memory. */
static bool make_room(struct worker *worker, size_t states) {
    if (states <= worker->room)
        return true;
    free(worker->states);
    free(worker->part);
    worker->states = malloc(states * sizeof *worker->states);
    worker->part = malloc(states * sizeof *worker->part);
    worker->room = worker->states != NULL && worker->part != NULL ? states : 0;
    return worker->room != 0;
}

/* Expands the family at an index, unless it is expanded already. False: out of memory. */
static bool expand(struct worker *worker, const struct search_job *search, size_t index) {
    if (worker->family == index)
        return true;
    const struct family *f = &search->families.family[index];
    worker->family = SIZE_MAX;
    worker->state_count = nqi_family_expand(f, f->split, NULL);
    if (!make_room(worker, worker->state_count + 1))
        return false;
    nqi_family_expand(f, f->split, worker->states);
    worker->family = index;
    return true;
}

/* Returns the batch of a unit: the last batch whose first unit is not beyond it. */
static const struct batch *batch_of(const struct search_job *search, uint64_t id) {
    size_t low = 0, high = search->batch_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (search->batch[middle].first_unit <= id)
            low = middle;
        else
            high = middle;
    }
    return &search->batch[low];
}

/* Completes the start states of one part of a family, and adds to the tally. */
static nq_status count_part(const struct search_job *search, struct worker *worker,
                            size_t index, uint64_t part, const struct heartbeat *heartbeat,
                            struct tally *tally) {
    if (!expand(worker, search, index))
        return NQ_NO_MEMORY;
    const struct family *f = &search->families.family[index];
    size_t states = 0;
    for (size_t i = part; i < worker->state_count; i += f->parts)
        worker->part[states++] = worker->states[i];
    if (!search->kernel->count(f, f->split, worker->part, states, worker->scratch, heartbeat,
                               tally))
        return NQ_CANCELLED;
    return NQ_OK;
}

static nq_status solve(const struct job *job, void *data, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result) {
    const struct search_job *search = (const struct search_job *)job;
    const struct batch *batch = batch_of(search, id);
    uint64_t unit = id - batch->first_unit;
    struct tally tally = {0};
    nq_status status = NQ_OK;
    if (batch->families == 1)
        status = count_part(search, data, batch->first_family, unit, heartbeat, &tally);
    else
        for (size_t i = unit; i < batch->families && status == NQ_OK; i += batch->units)
            status = count_part(search, data, batch->first_family + i, 0, heartbeat, &tally);
    *result = (struct unit_result){.solutions = tally.solutions, .work = tally.nodes};
    return status;
}

const struct method nqi_method_search = {.name = "search",
                                         .work = "nodes",
                                         .kernels = nqi_kernel_list,
                                         .plan_at = search_plan_at,
                                         .open = search_open,
                                         .close = search_close,
                                         .worker_new = worker_new,
                                         .worker_free = worker_free,
                                         .solve = solve};
