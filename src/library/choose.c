#include "library/choose.h"
#include "join/join.h"

#include "core/failure.h"
#include "library/setup.h"
#include "library/sized.h"

static nq_status choose_method(int n, const nq_options *options, struct method_choice *choice,
                               struct failure *failure) {
    struct count_request request;
    const struct method *method;
    const struct implementation *kernel;
    nq_status status = nqi_check_n(n, failure);
    if (status == NQ_OK)
        status = nqi_request_make(n, options, &request, failure);
    if (status == NQ_OK)
        status = nqi_method_choose(&request.job, &method, &kernel, failure);
    if (status != NQ_OK)
        return status;
    *choice = (struct method_choice){
        .method = method->name, .kernel = kernel->name, .memory_limit = request.job.memory.all};
    if (method != &nqi_method_join)
        return NQ_OK;
    const struct memory_use use = nqi_join_memory(n, &request.job.memory);
    choice->table_bytes = use.tables;
    choice->thread_bytes = use.worker;
    choice->most_threads = use.most_workers;
    return NQ_OK;
}

nq_status nqi_choose_method(int n, const nq_options *options, struct method_choice *choice) {
    struct failure failure = {0};
    nq_options own;
    *choice = (struct method_choice){0};
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = choose_method(n, &own, choice, &failure);
    return nqi_end_call(status, &failure);
}

static nq_status choose_settings(int n, const nq_options *options, struct settings *settings,
                                 struct failure *failure) {
    struct count_request request;
    struct setup setup;
    nq_status status = nqi_request_make(n, options, &request, failure);
    if (status != NQ_OK)
        return status;
    request.ledger = NULL;
    status = nqi_setup_make(&request, &setup, failure);
    if (status == NQ_OK)
        *settings = (struct settings){.method = setup.partition->method,
                                      .plan = setup.partition->plan,
                                      .kernel = setup.solver->kernel,
                                      .depth = setup.partition->depth,
                                      .units = setup.partition->unit_count,
                                      .table_bytes = setup.solver->memory.tables,
                                      .thread_bytes = setup.solver->memory.worker};
    nqi_setup_free(&setup);
    return nqi_name_n(status, n, failure);
}

nq_status nqi_choose_settings(int n, const nq_options *options, struct settings *settings) {
    struct failure failure = {0};
    nq_options own;
    *settings = (struct settings){0};
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = choose_settings(n, &own, settings, &failure);
    return nqi_end_call(status, &failure);
}

bool nqi_method_info_at(size_t index, struct method_info *info) {
    const struct method *method = nqi_method_at(index);
    if (method == NULL)
        return false;
    *info = (struct method_info){.name = method->name, .work = method->work};
    return true;
}

bool nqi_kernel_info_at(const char *method, size_t index, struct kernel_info *info) {
    const struct method *of = nqi_method_by_name(method);
    size_t count = 0;
    while (of != NULL && of->kernels[count] != NULL)
        count++;
    if (index >= count)
        return false;
    *info = (struct kernel_info){.name = of->kernels[index]->name,
                                 .runs_here = nqi_implementation_runs_here(of->kernels[index])};
    return true;
}

bool nqi_plan_info_at(const char *method, size_t index, struct plan_info *info) {
    const struct method *of = nqi_method_by_name(method);
    return of != NULL && of->plan_at(index, info);
}
