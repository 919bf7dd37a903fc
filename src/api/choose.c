/* nq_choose: what a count would do. */
#include "api/prepared.h"

nq_status nq_choose(int n, const nq_options *options, nq_choice *choice, char *detail,
                    size_t size) {
    struct prepared count;
    nq_options without_ledger = options != NULL ? *options : default_options;
    without_ledger.ledger = NULL;
    if (size > 0)
        detail[0] = '\0';
    nq_status status = prepared_make(n, &without_ledger, &count, detail, size);
    if (choice != NULL)
        *choice = (nq_choice){0};
    if (choice != NULL && status == NQ_OK)
        *choice = (nq_choice){.method = count.job->method->name,
                              .plan = count.job->plan,
                              .kernel = count.job->kernel,
                              .depth = count.job->depth,
                              .units = count.job->unit_count,
                              .memory = count.job->memory,
                              .memory_thread = count.job->worker_memory};
    prepared_free(&count);
    return explained(status, n, detail, size);
}
