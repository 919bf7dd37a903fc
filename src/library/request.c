#include "library/request.h"

#include <stdio.h>
#include <string.h>

static const char *name_or_null(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

/* Calls the caller's progress callback. */
static bool report(const nq_progress *progress, void *context) {
    const nq_options *options = context;
    nq_progress sized = *progress;
    sized.size = sizeof sized;
    return options->progress(&sized, options->progress_context);
}

nq_status nqi_request_make(int n, const nq_options *options, struct count_request *request,
                           struct failure *failure) {
    const nq_options *o = options;
    if (n < 0 || n > NQ_MAX_N)
        return nqi_fail(failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_N);
    *request = (struct count_request){
        .job = {.n = n,
                .method = name_or_null(o->method),
                .plan = name_or_null(o->plan),
                .depth = o->depth,
                .kernel = name_or_null(o->kernel)},
        .team = {.threads = o->threads,
                 .bind = o->bind,
                 .bind_list = o->bind_list,
                 .smt = o->smt},
        .observer = {.report = o->progress != NULL ? report : NULL,
                     .context = (void *)o,
                     .seconds = o->progress_seconds},
        .ledger = o->ledger,
        .shard = o->shard,
        .shards = o->shards,
    };
    return NQ_OK;
}
