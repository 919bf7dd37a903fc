#include "api/request.h"

#include "machine/limits.h"

#include <string.h>

static const char *name_or_null(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

struct count_request nqi_request_of(int n, const nq_options *options) {
    static const nq_options defaults;
    const nq_options *o = options != NULL ? options : &defaults;
    return (struct count_request){
        .job = {.n = n,
                .method = name_or_null(o->method),
                .plan = name_or_null(o->plan),
                .depth = o->depth,
                .kernel = name_or_null(o->kernel),
                .table_memory = o->memory != 0 ? o->memory : nqi_memory_allowed("") / 2,
                .same_on_every_machine = o->shards != 0},
        .team = {.threads = o->threads,
                 .bind = o->bind,
                 .bind_list = o->bind_list,
                 .smt = o->smt},
        .observer = {.report = o->progress,
                     .context = o->progress_context,
                     .seconds = o->progress_seconds},
        .ledger = o->ledger,
        .shard = o->shard,
        .shards = o->shards,
    };
}
