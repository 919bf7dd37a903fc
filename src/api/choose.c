/* nq_choose_settings, nq_choose_method: what a count would choose. */
#include "api/error.h"
#include "api/setup.h"
#include "api/sized.h"

static nq_status choose_method(int n, const nq_options *options, nq_method_choice *choice,
                               char *detail, size_t size) {
    struct count_request request;
    const struct method *method;
    const struct implementation *kernel;
    nq_status status = nqi_check_n(n, detail, size);
    if (status == NQ_OK)
        status = nqi_request_make(n, options, &request, detail, size);
    if (status == NQ_OK)
        status = nqi_method_choose(&request.job, &method, &kernel, detail, size);
    if (status != NQ_OK)
        return status;
    *choice = (nq_method_choice){
        .method = method->name, .kernel = kernel->name, .memory_limit = request.job.memory.all};
    if (method != &nqi_method_join)
        return NQ_OK;
    const struct memory_use use = nqi_join_memory(n, &request.job.memory);
    choice->table_bytes = use.tables;
    choice->thread_bytes = use.worker;
    choice->most_threads = use.most_workers;
    return NQ_OK;
}

nq_status nq_choose_method_sized(int n, const nq_options *options, size_t options_size,
                                 nq_method_choice *choice, size_t choice_size) {
    char detail[ERROR_SIZE] = "";
    nq_options own;
    nq_method_choice chosen = {0};
    nq_status status = nqi_read_options(options, options_size, &own, detail, sizeof detail);
    if (status == NQ_OK)
        status = choose_method(n, &own, &chosen, detail, sizeof detail);
    nqi_write_sized(&chosen, SIZE_TO(nq_method_choice, most_threads), choice, choice_size);
    return nqi_end_call(status, detail);
}

static nq_status choose_settings(int n, const nq_options *options, nq_settings *settings,
                                 char *detail, size_t size) {
    struct count_request request;
    struct setup setup;
    nq_status status = nqi_request_make(n, options, &request, detail, size);
    if (status != NQ_OK)
        return status;
    request.ledger = NULL;
    status = nqi_setup_make(&request, &setup, detail, size);
    if (status == NQ_OK)
        *settings = (nq_settings){.method = setup.partition->method,
                                  .plan = setup.partition->plan,
                                  .kernel = setup.solver->kernel,
                                  .depth = setup.partition->depth,
                                  .units = setup.partition->unit_count,
                                  .table_bytes = setup.solver->memory.tables,
                                  .thread_bytes = setup.solver->memory.worker};
    nqi_setup_free(&setup);
    return nqi_with_detail(status, n, detail, size);
}

nq_status nq_choose_settings_sized(int n, const nq_options *options, size_t options_size,
                                   nq_settings *settings, size_t settings_size) {
    char detail[ERROR_SIZE] = "";
    nq_options own;
    nq_settings chosen = {0};
    nq_status status = nqi_read_options(options, options_size, &own, detail, sizeof detail);
    if (status == NQ_OK)
        status = choose_settings(n, &own, &chosen, detail, sizeof detail);
    nqi_write_sized(&chosen, SIZE_TO(nq_settings, thread_bytes), settings, settings_size);
    return nqi_end_call(status, detail);
}
