/* SPDX-License-Identifier: MIT */
/* The solver of method `search`: a walk counts the ways to complete the state of a unit. */
#include "core/isa.h"
#include "search/search.h"

#include <stdlib.h>

static void *search_workspace_new(const struct solver *solver) {
    (void)solver;
    return nqi_walk_memory_new();
}

static nq_status search_solve(const struct solver *solver, void *workspace,
                              struct bundle *bundle, const struct heartbeat *heartbeat) {
    const struct search_partition *search = (const struct search_partition *)solver->partition;
    struct tally tally = {0};
    const bool done = nqi_walk(&search->board, search->row, search->state[bundle->ids[0]],
                               workspace, heartbeat, &tally);
    bundle->results[0] =
        (struct unit_result){.solutions = tally.solutions, .work = tally.nodes};
    return done ? NQ_OK : NQ_CANCELLED;
}

static void search_close(struct solver *solver) {
    free(solver);
}

static nq_status search_solver_new(const struct partition *partition,
                                   const struct kernel *kernel, const char *devices,
                                   const struct observer *observer, struct solver **out,
                                   struct failure *failure) {
    (void)devices, (void)observer, (void)failure;
    static const struct solver_calls calls = {search_close, search_workspace_new, free,
                                              search_solve};
    struct solver *solver = *out = malloc(sizeof *solver);
    if (solver == NULL)
        return NQ_NO_MEMORY;
    *solver = (struct solver){.call = &calls, .partition = partition, .kernel = kernel->name};
    return NQ_OK;
}

/* The only kernel. It has the name of the first kernel in KERNELS_HERE, because it runs on
 * every CPU. */
static const struct kernel walk = {.name = "scalar64", .solver = search_solver_new};
static const struct kernel *const kernels[] = {&walk, NULL};

const struct method nqi_method_search = {.name = "search",
                                         .work = "nodes",
                                         .kernels = kernels,
                                         .version = SEARCH_VERSION,
                                         .block_units = 1,
                                         .max_estimated_n = 20,
                                         .max_burn_in_n = NQ_MAX_KNOWN_N,
                                         .partition = nqi_search_partition,
                                         .board_partition = nqi_board_partition,
                                         .describe_unit = nqi_search_describe_unit};
