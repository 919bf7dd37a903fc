#include "library/choose.h"

#include "core/failure.h"
#include "library/setup.h"

nq_status nqi_choose_method(int n, const nq_options *options, struct method_choice *choice) {
    struct failure failure = {0};
    struct count_request request;
    const struct method *method;
    const struct implementation *kernel;
    *choice = (struct method_choice){0};
    nq_status status = nqi_request_make(n, options, &request, &failure);
    if (status == NQ_OK)
        status = nqi_method_choose(&request.job, &method, &kernel, &failure);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    choice->method = method->name;
    choice->kernel = kernel->name;
    return nqi_end_call(NQ_OK, &failure);
}

nq_status nqi_choose_settings(int n, const nq_options *options, struct settings *settings) {
    struct failure failure = {0};
    struct count_request request;
    struct setup setup;
    *settings = (struct settings){0};
    nq_status status = nqi_request_make(n, options, &request, &failure);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    request.ledger = NULL;
    status = nqi_setup_make(&request, &setup, &failure);
    if (status == NQ_OK)
        *settings = (struct settings){.method = setup.partition->method,
                                      .plan = setup.partition->plan,
                                      .kernel = setup.solver->kernel,
                                      .depth = setup.partition->depth,
                                      .units = setup.partition->unit_count};
    nqi_setup_free(&setup);
    return nqi_end_call(nqi_name_n(status, n, &failure), &failure);
}

bool nqi_method_info_at(size_t index, struct method_info *info) {
    const struct method *method = nqi_method_at(index);
    if (method == NULL)
        return false;
    *info = (struct method_info){.name = method->name, .work = method->work};
    return true;
}

bool nqi_kernel_info_at(const char *method, size_t index, struct kernel_info *info) {
    const struct method *of = nqi_method_by_name(method, NULL);
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
    const struct method *of = nqi_method_by_name(method, NULL);
    return of != NULL && of->plan_at(index, info);
}
