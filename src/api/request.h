/* A count's request: the public options, sorted by the layer that uses them. */
#ifndef API_REQUEST_H
#define API_REQUEST_H

#include "machine/team.h"
#include "method/method.h"
#include "run/reporter.h"

struct count_request {
    struct job_request job;
    struct team_request team;
    struct observer observer;
    const char *ledger; /* NULL: none */
    int shard, shards;  /* 0, 0: all units */
};

/* Makes a request from the public options; NULL: the defaults. The name "auto" becomes NULL, a
 * memory of 0 half of what the machine or the cgroup allows. Checks nothing: each layer checks
 * its part. Strings are borrowed. */
struct count_request nqi_request_of(int n, const nq_options *options);

#endif
