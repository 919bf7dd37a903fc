/* nq_choose: what a count would choose. */
#include "api/setup.h"

const char *nq_choose_method(int n, const nq_options *options, uint64_t *tables,
                             uint64_t *limit) {
    const struct count_request request = nqi_request_of(n, options);
    const struct method *method;
    const struct implementation *kernel;
    char ignored[1];
    if (n < 0 || n > NQ_MAX_N ||
        nqi_method_choose(&request.job, &method, &kernel, ignored, sizeof ignored) != NQ_OK)
        return NULL;
    if (tables != NULL)
        *tables = nqi_join_table_bytes(n);
    if (limit != NULL)
        *limit = request.job.table_memory;
    return method->name;
}

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
