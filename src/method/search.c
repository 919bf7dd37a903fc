/* Method `search`: a plan's families, completed by a kernel.
 *
 * A unit is one part of a family's start states. A thread expands them when it comes to a
 * family, and again only for the next family: so a plan of millions of units fits in memory,
 * and units that come one after the other share the work.
 */
#include "method/method.h"

#include "kernel/kernel.h"
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

struct search {
    struct job job; /* first: a job of this method is a search */
    const struct kernel *kernel;
    struct families families;
    uint64_t *first_unit; /* [family]: the id of its part 0 */
};

struct worker {
    void *scratch;               /* of the kernel */
    size_t family;               /* the one that is expanded; SIZE_MAX: none yet */
    struct state *states, *part; /* its start states; those of one unit */
    size_t state_count, room;
};

static void search_close(struct job *job) {
    if (job == NULL)
        return;
    struct search *search = (struct search *)job;
    families_free(&search->families);
    free(search->first_unit);
    free(search->job.units);
    free(search);
}

/* Numbers the units, family by family. False: out of memory. */
static bool list_units(struct search *search) {
    const struct families *families = &search->families;
    uint64_t units = 0;
    for (size_t i = 0; i < families->count; i++)
        units += families->family[i].parts;
    /* One more than needed: an empty list is no failure, and malloc(0) may look like one. */
    search->first_unit = malloc((families->count + 1) * sizeof *search->first_unit);
    search->job.units = malloc((units + 1) * sizeof *search->job.units);
    if (search->first_unit == NULL || search->job.units == NULL)
        return false;

    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        search->first_unit[i] = search->job.unit_count;
        for (uint32_t part = 0; part < f->parts; part++)
            search->job.units[search->job.unit_count++] =
                (struct unit){.weight = f->weight, .cost = f->unit_cost};
    }
    return true;
}

static nq_status search_open(int n, const nq_options *options, struct job **job, char *detail,
                             size_t size) {
    const struct plan *plan = plan_by_name(options->plan);
    if (plan == NULL) {
        snprintf(detail, size, "no plan '%.60s': auto, cross or rows", options->plan);
        return NQ_BAD_OPTION;
    }
    const struct kernel *kernel;
    nq_status status = kernel_choose(options->kernel, &kernel, detail, size);
    if (status != NQ_OK)
        return status;
    int depth = options->depth;
    if (depth != 0 && plan->max_depth == 0) {
        snprintf(detail, size, "depth %d: plan '%s' takes none", depth, plan->name);
        return NQ_BAD_OPTION;
    }
    if (depth != 0 && (depth < plan->min_depth || depth > plan->max_depth)) {
        snprintf(detail, size, "depth %d: plan '%s' takes %d to %d", depth, plan->name,
                 plan->min_depth, plan->max_depth);
        return NQ_BAD_OPTION;
    }
    if (depth == 0)
        depth = plan->default_depth(n);

    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NQ_NO_MEMORY;
    search->kernel = kernel;
    search->job = (struct job){.method = &method_search,
                               .n = n,
                               .plan = plan->name,
                               .kernel = kernel->name,
                               .plan_version = plan->version,
                               .depth = depth};
    if (!plan->build(n, depth, &search->families) || !list_units(search)) {
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
    const struct search *search = (const struct search *)job;
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

/* Makes room for that many states. False: out of memory. */
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

/* Expands a family, unless the worker has just done that. False: out of memory. */
static bool expand(struct worker *worker, const struct search *search, size_t number) {
    if (worker->family == number)
        return true;
    const struct family *f = &search->families.family[number];
    worker->family = SIZE_MAX;
    worker->state_count = family_expand(f, f->split, NULL);
    if (!make_room(worker, worker->state_count + 1))
        return false;
    family_expand(f, f->split, worker->states);
    worker->family = number;
    return true;
}

/* The family that a unit belongs to: the last one whose first unit is not beyond it. */
static size_t family_of(const struct search *search, uint64_t id) {
    size_t low = 0, high = search->families.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (search->first_unit[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static nq_status solve(const struct job *job, void *data, uint64_t id,
                       const struct pulse *pulse, struct unit_result *result) {
    const struct search *search = (const struct search *)job;
    struct worker *worker = data;
    size_t number = family_of(search, id), states = 0;
    if (!expand(worker, search, number))
        return NQ_NO_MEMORY;
    const struct family *f = &search->families.family[number];
    for (size_t i = id - search->first_unit[number]; i < worker->state_count; i += f->parts)
        worker->part[states++] = worker->states[i];
    struct tally tally = {0};
    if (!search->kernel->count(f, f->split, worker->part, states, worker->scratch, pulse,
                               &tally))
        return NQ_CANCELLED;
    *result = (struct unit_result){.solutions = tally.solutions, .work = tally.nodes};
    return NQ_OK;
}

const struct method method_search = {.name = "search",
                                     .open = search_open,
                                     .close = search_close,
                                     .worker_new = worker_new,
                                     .worker_free = worker_free,
                                     .solve = solve};
