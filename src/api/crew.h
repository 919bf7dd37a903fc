/* Counts whose units are solved by more than this process. */
#ifndef API_CREW_H
#define API_CREW_H

#include "api/prepared.h"
#include "run/run.h"

struct crew {
    /* Solves the selected units, as run_job would. What is wrong goes to detail[0..size-1]
     * where the status does not say enough. */
    nq_status (*run)(void *context, struct prepared *count, const struct sink *sink,
                     double started, struct totals *totals, char *detail, size_t size);
    void *context;
};

/* nq_count, with units solved by the crew. */
nq_status count_by(const struct crew *crew, int n, const nq_options *options,
                   nq_result *result);

#endif
