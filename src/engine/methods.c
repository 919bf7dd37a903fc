/* The list of methods, and the choice of one. */
#include "engine/methods.h"
#include "colours/colours.h"
#include "join/join.h"
#include "search/search.h"

#include "colours/colours_partition.h"
#include "core/choices.h"
#include "join/halves.h"
#include "join/matcher.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct method *const methods[] = {&nqi_method_search, &nqi_method_colours,
                                               &nqi_method_join};
enum { METHODS = sizeof methods / sizeof *methods };

/* Machines that count shards of one job must choose the same method. So the crossover depends
 * on nothing but n: from here on every matcher is faster. */
enum { JOIN_FOR_SHARDS = 17 };

static bool has_kernel(const struct method *method, const char *name) {
    return nqi_implementation_by_name(method->kernels, name) != NULL;
}

/* Returns whether there is room for a worker, and `join` is faster than `search` on this
 * machine, as measured. */
static bool join_is_faster(const struct job_request *request) {
    const struct implementation *chosen;
    if (nqi_implementation_choose(nqi_matcher_list, request->kernel, &chosen, NULL) != NQ_OK)
        return false;
    return request->n >= ((const struct matcher *)chosen)->faster_from &&
           nqi_join_memory(request->n, &request->memory).fits;
}

static const struct method *method_for(const struct job_request *request) {
    if (request->plan != NULL && strcmp(request->plan, nqi_halves_name) == 0)
        return &nqi_method_join;
    if (request->plan != NULL && strcmp(request->plan, nqi_colours_plan) == 0)
        return &nqi_method_colours;
    if (request->plan != NULL || request->depth != 0)
        return &nqi_method_search; /* the other plans are the search's */
    if (request->same_on_every_machine)
        return request->n >= JOIN_FOR_SHARDS ? &nqi_method_join : &nqi_method_search;
    const bool only_join = request->kernel != NULL &&
                           has_kernel(&nqi_method_join, request->kernel) &&
                           !has_kernel(&nqi_method_search, request->kernel);
    return only_join || join_is_faster(request) ? &nqi_method_join : &nqi_method_search;
}

const struct method *nqi_method_at(size_t index) {
    return index < METHODS ? methods[index] : NULL;
}

const struct method *nqi_method_by_name(const char *name, struct failure *failure) {
    const char *names[METHODS];
    for (size_t i = 0; i < METHODS; i++)
        names[i] = methods[i]->name;
    const int chosen = nqi_choose_name("method", name, names, METHODS, failure);
    return chosen >= 0 ? methods[chosen] : NULL;
}

/* Chooses a kernel of the method. A kernel of another method is named as such. */
static nq_status choose_kernel(const struct method *method, const char *name,
                               const struct implementation **kernel, struct failure *failure) {
    const nq_status status = nqi_implementation_choose(method->kernels, name, kernel, failure);
    if (status != NQ_NO_KERNEL || has_kernel(method, name))
        return status;
    for (size_t i = 0; i < METHODS; i++)
        if (has_kernel(methods[i], name)) {
            char choices[256];
            nqi_implementation_choices(method->kernels, choices, sizeof choices);
            nqi_fail(failure, status,
                     "method %s has no kernel '%s', only %s has; accepted here: %s",
                     method->name, name, methods[i]->name, choices);
        }
    return status;
}

nq_status nqi_method_choose(const struct job_request *request, const struct method **method,
                            const struct implementation **kernel, struct failure *failure) {
    *method = request->method == NULL ? method_for(request)
                                      : nqi_method_by_name(request->method, failure);
    return *method == NULL ? NQ_BAD_OPTION
                           : choose_kernel(*method, request->kernel, kernel, failure);
}

/* Makes a solver of a partition of this method. */
static nq_status make_solver(const struct method *method, const struct partition *partition,
                             const struct implementation *kernel,
                             const struct memory_limits *memory, struct solver **solver) {
    *solver = method->solver(partition, kernel, memory);
    return *solver != NULL ? NQ_OK : NQ_NO_MEMORY;
}

nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         const struct memory_limits *memory, struct solver **solver,
                         struct failure *failure) {
    const struct method *method = nqi_method_by_name(partition->method, NULL);
    const struct implementation *chosen;
    *solver = NULL;
    if (kernel != NULL && strcmp(kernel, "plain") == 0) {
        if (method->plain == NULL)
            return nqi_fail(failure, NQ_BAD_OPTION,
                            "method %s has no plain search to audit it with", method->name);
        *solver = method->plain(partition);
        return *solver != NULL ? NQ_OK : NQ_NO_MEMORY;
    }
    nq_status status = choose_kernel(method, kernel, &chosen, failure);
    return status == NQ_OK ? make_solver(method, partition, chosen, memory, solver) : status;
}

nq_status nqi_solver_open(const struct job_request *request, struct partition **partition,
                          struct solver **solver, struct failure *failure) {
    const struct method *method;
    const struct implementation *kernel;
    *partition = NULL;
    *solver = NULL;
    nq_status status = nqi_method_choose(request, &method, &kernel, failure);
    if (status == NQ_OK)
        status =
            method->partition(request->n, request->plan, request->depth, partition, failure);
    if (status == NQ_OK)
        status = make_solver(method, *partition, kernel, &request->memory, solver);
    if (status != NQ_OK) {
        partition_close(*partition);
        *partition = NULL;
    }
    return status;
}

nq_status nqi_solver_limit_threads(const struct solver *solver, int *threads,
                                   struct failure *failure) {
    const struct memory_use *memory = &solver->memory;
    if (!memory->fits)
        return nqi_fail(
            failure, NQ_NO_MEMORY,
            "n = %d: method '%s' needs %.0f MB of memory for each thread, more than the "
            "limit",
            solver->partition->n, solver->partition->method,
            ceil((double)memory->worker * 1e-6));
    if (memory->most_workers > 0 && *threads > memory->most_workers)
        *threads = memory->most_workers;
    return NQ_OK;
}
