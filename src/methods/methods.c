/* SPDX-License-Identifier: MIT */
/* The list of methods, and the choice of one. */
#include "methods/methods.h"
#include "colours/colours.h"
#include "core/text.h"
#include "devices/device_solver.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

#define METHOD_ADDRESS(name) &nqi_method_##name,
static const struct method *const methods[METHODS] = {METHODS_HERE(METHOD_ADDRESS)};

const struct method *nqi_method_at(size_t index) {
    return index < METHODS ? methods[index] : NULL;
}

const struct method *nqi_default_method(void) {
    return methods[METHODS - 1];
}

static const struct method *method_of_boards(void) {
    size_t i = 0;
    while (methods[i]->board_partition == NULL)
        i++;
    return methods[i];
}

const struct method *nqi_method_by_name(const char *name, struct failure *failure) {
    char names[64] = "auto";
    for (size_t i = 0; i < METHODS; i++) {
        if (strcmp(name, methods[i]->name) == 0)
            return methods[i];
        nqi_add_word(names, sizeof names, methods[i]->name);
    }
    nqi_fail_name(failure, NQ_BAD_OPTION, "method", name, names, "");
    return NULL;
}

uint64_t nqi_memory_of_thread(const char *method, int n) {
    const struct method *found = nqi_method_by_name(method, NULL);
    return found != NULL && found->workspace_bytes != NULL ? found->workspace_bytes(n) : 0;
}

bool nqi_asks_for_devices(const nq_options *options) {
    return options->device != NULL ||
           (options->kernel != NULL && strcmp(options->kernel, "opencl") == 0);
}

/* Devices count by colours, with a kernel of their own. */
static nq_status options_check_devices(const nq_options *options, struct failure *failure) {
    const char *kernel = named_choice(options->kernel), *method = named_choice(options->method),
               *colours = nqi_method_colours.name;
    char device[80] = "kernel opencl"; /* as the caller asks for it */
    if (options->device != NULL)
        snprintf(device, sizeof device, "device '%.60s'", options->device);
    if (options->threads != 0)
        return nqi_fail(
            failure, NQ_BAD_OPTION,
            "threads %d cannot be combined with %s, since each device gets two threads "
            "of its own",
            options->threads, device);
    if (options->bind != NQ_BIND_AUTO || options->smt)
        return nqi_fail(
            failure, NQ_BAD_OPTION,
            "%s cannot be combined with %s, since each device gets two threads of its "
            "own",
            options->smt ? "smt" : "bind", device);
    if (options->board != NULL)
        return nqi_fail(
            failure, NQ_BAD_OPTION,
            "a board cannot be combined with %s, since devices count empty boards only",
            device);
    if (method != NULL && strcmp(method, colours) != 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "method '%.40s': expected auto or %s with %s: devices count by it",
                        method, colours, device);
    if (kernel != NULL && strcmp(kernel, "opencl") != 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "kernel '%.40s': expected auto or opencl with %s", kernel, device);
    return NQ_OK;
}

nq_status nqi_options_check(const nq_options *options, struct failure *failure) {
    if (options->board != NULL && options->ledger != NULL)
        return nqi_fail(
            failure, NQ_BAD_OPTION,
            "ledger '%.200s' cannot be combined with a board, since ledgers record counts "
            "of empty boards only",
            options->ledger);
    if (options->smt && options->bind == NQ_BIND_LIST)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "smt cannot be combined with a list of PUs to bind to");
    if (options->smt && options->bind == NQ_BIND_NONE && options->threads != 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "smt has no effect with bind none and threads %d, which already decide "
                        "placement and number",
                        options->threads);
    return nqi_asks_for_devices(options) ? options_check_devices(options, failure) : NQ_OK;
}

nq_status nqi_method_choose(const nq_options *options, const struct method **method,
                            const struct kernel **kernel, struct failure *failure) {
    static const struct kernel opencl = {.name = "opencl"};
    const char *name = named_choice(options->method);
    /* The default depends neither on the CPU's kernels nor on n, so that all machines count
     * units of the same partition. */
    *method = name != NULL             ? nqi_method_by_name(name, failure)
              : options->board != NULL ? method_of_boards()
                                       : nqi_default_method();
    if (*method == NULL)
        return NQ_BAD_OPTION;
    if (nqi_asks_for_devices(options)) {
        *kernel = &opencl;
        return NQ_OK;
    }
    if (options->board != NULL && (*method)->board_partition == NULL)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "method %s counts no board with queens or blocked squares: expected "
                        "auto or %s",
                        name, method_of_boards()->name);
    const nq_status status =
        nqi_kernel_choose((*method)->kernels, options->kernel, kernel, failure);
    const struct kernel *of_colours;
    return status == NQ_NO_KERNEL &&
                   nqi_kernel_choose(nqi_method_colours.kernels, options->kernel, &of_colours,
                                     NULL) == NQ_OK
               ? nqi_fail(failure, status, "kernel %.40s counts by method %s alone",
                          options->kernel, nqi_method_colours.name)
               : status;
}

nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         const char *device, const struct observer *observer,
                         struct solver **solver, struct failure *failure) {
    const struct method *method = nqi_method_by_name(partition->job.method, NULL);
    const struct kernel *chosen;
    *solver = NULL;
    const bool on_devices = kernel != NULL && strcmp(kernel, "opencl") == 0;
    if (on_devices && method != &nqi_method_colours)
        return nqi_fail(failure, NQ_BAD_OPTION, "devices count by method %s, not %s",
                        nqi_method_colours.name, method->name);
    if (on_devices)
        return nqi_device_solver(partition, device != NULL ? device : "0", observer, solver,
                                 failure);
    const nq_status status = nqi_kernel_choose(method->kernels, kernel, &chosen, failure);
    if (status == NQ_OK)
        *solver = method->solver(partition, chosen);
    return status == NQ_OK && *solver == NULL ? NQ_NO_MEMORY : status;
}

nq_status nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                          struct partition **partition, struct solver **solver,
                          struct failure *failure) {
    const struct method *method;
    const struct kernel *kernel;
    const struct observer observer = {options->progress, options->progress_context,
                                      options->progress_seconds};
    *partition = NULL;
    *solver = NULL;
    nq_status status = nqi_method_choose(options, &method, &kernel, failure);
    if (status == NQ_OK)
        *partition =
            options->board != NULL ? method->board_partition(n, squares) : method->partition(n);
    if (status == NQ_OK && *partition == NULL)
        status = NQ_NO_MEMORY;
    if (status == NQ_OK)
        status = nqi_solver_for(*partition, kernel->name, options->device, &observer, solver,
                                failure);
    if (status != NQ_OK) {
        partition_close(*partition);
        *partition = NULL;
    }
    return status;
}
