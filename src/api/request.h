/* What a caller asks for: the public options, as each layer below needs them. */
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

/* options: NULL for the defaults. Names of NULL and "auto" become NULL, and a memory of 0 half
 * of what the machine or the cgroup allows. Nothing is checked: that is for the layers. Strings
 * are borrowed. */
struct count_request nqi_request_of(int n, const nq_options *options);

#endif
