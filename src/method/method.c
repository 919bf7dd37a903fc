/* The list of methods, and the choice of one. */
#include "method/method.h"

#include "join/matcher.h"
#include "plan/halves.h"
#include "text/choices.h"

#include <stdio.h>
#include <string.h>

static const struct method *const methods[] = {&nqi_method_search, &nqi_method_join};
enum { METHODS = sizeof methods / sizeof *methods };

/* Machines that count parts of one job must choose the same method. So the crossover depends on
 * nothing but n: it is that of the vector matchers with room for tables. */
enum { JOIN_FOR_SHARDS = 18 };

/* Workers that need no more than this are not counted: programs take as much. */
static const uint64_t small_worker = UINT64_C(64) << 20;

static bool counts(const struct job_request *request, uint64_t worker_bytes) {
    return request->memory > 0 && worker_bytes > small_worker;
}

int nqi_most_workers(const struct job_request *request, uint64_t table_bytes,
                     uint64_t worker_bytes) {
    if (!counts(request, worker_bytes))
        return 0;
    uint64_t left = request->memory > table_bytes ? request->memory - table_bytes : 0;
    uint64_t most = left / worker_bytes;
    return most == 0 ? 1 : most < NQ_MAX_THREADS ? (int)most : NQ_MAX_THREADS;
}

/* Returns whether there is room for a worker, and `join` is faster than `search` on this
 * machine, as measured. */
static bool join_is_faster(const struct job_request *request) {
    const struct implementation *chosen;
    char ignored[1];
    if (nqi_implementation_choose(nqi_matcher_list, request->kernel, &chosen, ignored,
                                  sizeof ignored) != NQ_OK)
        return false;
    const struct matcher *matcher = (const struct matcher *)chosen;
    uint64_t worker = nqi_join_worker_bytes(request->n);
    if (counts(request, worker) && worker > request->memory)
        return false;
    return request->n >= (nqi_join_has_tables(request->n, request->table_memory)
                              ? matcher->faster_from
                              : matcher->faster_from_without_tables);
}

static const struct method *method_for(const struct job_request *request) {
    if (request->plan != NULL && strcmp(request->plan, nqi_halves_name) == 0)
        return &nqi_method_join;
    if (request->plan != NULL || request->depth != 0)
        return &nqi_method_search; /* the other plans are the search's */
    bool join = request->same_on_every_machine ? request->n >= JOIN_FOR_SHARDS
                                               : join_is_faster(request);
    return join ? &nqi_method_join : &nqi_method_search;
}

const struct method *nqi_method_at(size_t index) {
    return index < METHODS ? methods[index] : NULL;
}

const struct method *nqi_method_by_name(const char *name) {
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(name, methods[i]->name) == 0)
            return methods[i];
    return NULL;
}

static const struct method *method_named(const char *name, char *detail, size_t size) {
    const struct method *method = nqi_method_by_name(name);
    if (method != NULL)
        return method;
    const char *names[METHODS];
    char choices[64];
    for (size_t i = 0; i < METHODS; i++)
        names[i] = methods[i]->name;
    nqi_text_choices(names, METHODS, choices, sizeof choices);
    snprintf(detail, size, "method '%.60s': expected %s", name, choices);
    return NULL;
}

nq_status nqi_method_choose(const struct job_request *request, const struct method **method,
                            const struct implementation **kernel, char *detail, size_t size) {
    *method = request->method == NULL ? method_for(request)
                                      : method_named(request->method, detail, size);
    return *method == NULL ? NQ_BAD_OPTION
                           : nqi_implementation_choose((*method)->kernels, request->kernel,
                                                       kernel, detail, size);
}

nq_status nqi_job_open(const struct job_request *request, struct job **job, char *detail,
                       size_t size) {
    const struct method *method;
    const struct implementation *kernel;
    *job = NULL;
    nq_status status = nqi_method_choose(request, &method, &kernel, detail, size);
    return status == NQ_OK ? method->open(request, kernel, job, detail, size) : status;
}
