/* A count's request: the public options, sorted by the layer that uses them. */
#ifndef LIBRARY_REQUEST_H
#define LIBRARY_REQUEST_H

#include "engine/methods.h"
#include "machine/team.h"
#include "run/reporter.h"

struct count_request {
    struct job_request job;
    struct team_request team;
    struct observer observer;
    const char *ledger; /* NULL: none */
    int shard, shards;  /* 0, 0: all units */
};

/* Makes a request from the public options, which must outlive it, as must their strings. The
 * name "auto" becomes NULL. Checks n: each option is checked by the layer that uses it. Returns
 * NQ_OK, or NQ_BAD_N with the reason in `failure`. */
nq_status nqi_request_make(int n, const nq_options *options, struct count_request *request,
                           struct failure *failure);

#endif
