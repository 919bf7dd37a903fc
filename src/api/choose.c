/* nq_choose: what a count would choose. */
#include "api/setup.h"

nq_status nq_choose(int n, const nq_options *options, nq_choice *choice, char *detail,
                    size_t size) {
    struct count_request request = nqi_request_of(n, options);
    struct setup setup;
    request.ledger = NULL;
    if (size > 0)
        detail[0] = '\0';
    nq_status status = nqi_setup_make(&request, &setup, detail, size);
    if (choice != NULL)
        *choice = (nq_choice){0};
    if (choice != NULL && status == NQ_OK)
        *choice = (nq_choice){.method = setup.job->method->name,
                              .plan = setup.job->plan,
                              .kernel = setup.job->kernel,
                              .depth = setup.job->depth,
                              .units = setup.job->unit_count,
                              .memory = setup.job->memory,
                              .memory_thread = setup.job->worker_memory};
    nqi_setup_free(&setup);
    return nqi_with_detail(status, n, detail, size);
}
