/* Counts whose units are solved by more than this process. */
#ifndef API_EXECUTOR_H
#define API_EXECUTOR_H

#include "run/run.h"

struct executor {
    /* Solves the selected units, as nqi_run_job would. What is wrong goes to detail[0..size-1]
     * where the status does not say enough. */
    nq_status (*execute)(void *context, struct job *job, const struct selection *selection,
                         const struct run_options *options, struct totals *totals, char *detail,
                         size_t size);
    void *context;
};

/* Like nq_count(), with units solved by the executor. */
nq_status nqi_count_on(const struct executor *executor, int n, const nq_options *options,
                       nq_result *result);

#endif
