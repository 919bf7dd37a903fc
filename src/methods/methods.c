/* SPDX-License-Identifier: MIT */
/* Lists the methods, checks whether options can be combined, and chooses method and kernel. */
#include "methods/methods.h"
#include "colours/colours.h"
#include "colours/completer.h"
#include "core/text.h"
#include "devices/device_solver.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

/* Method colours is defined here, and not in its own folder, because its kernels on devices are
 * in folder `devices`, which colours must not include. */
#define COMPLETER_ADDRESS(name)     &nqi_completer_##name.impl,
#define DEVICE_KERNEL_ADDRESS(name) &nqi_kernel_##name,
static const struct kernel *const kernels_of_colours[] = {
    KERNELS_HERE(COMPLETER_ADDRESS) DEVICE_KERNELS(DEVICE_KERNEL_ADDRESS) NULL};

static const struct method nqi_method_colours = {.name = COLOURS_NAME,
                                                 .work = COLOURS_WORK,
                                                 .kernels = kernels_of_colours,
                                                 .version = COLOURS_VERSION,
                                                 .block_units = 8,
                                                 .max_estimated_n = NQ_MAX_N,
                                                 .max_burn_in_n = NQ_MAX_KNOWN_N,
                                                 .partition = nqi_colours_partition,
                                                 .describe_unit = nqi_colours_describe_unit,
                                                 .workspace_bytes =
                                                     nqi_colours_workspace_bytes};

#define METHOD_ADDRESS(name) &nqi_method_##name,
static const struct method *const methods[METHODS] = {METHODS_HERE(METHOD_ADDRESS)};

const struct method *nqi_method_at(size_t index) {
    return index < METHODS ? methods[index] : NULL;
}

const struct method *nqi_default_method(void) {
    return methods[METHODS - 1];
}

/* Returns the first method that counts given boards. */
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

/* Returns the method's kernel on devices, or NULL if it has none. */
static const struct kernel *method_device_kernel(const struct method *method) {
    const struct kernel *const *kernel = method->kernels;
    while (*kernel != NULL && !(*kernel)->on_devices)
        kernel++;
    return *kernel;
}

/* Returns the first method that counts on devices. */
static const struct method *method_of_devices(void) {
    size_t i = 0;
    while (method_device_kernel(methods[i]) == NULL)
        i++;
    return methods[i];
}

bool nqi_asks_for_devices(const nq_options *options) {
    const struct kernel *kernel = method_device_kernel(method_of_devices());
    return options->device != NULL ||
           (options->kernel != NULL && strcmp(options->kernel, kernel->name) == 0);
}

const char *nqi_kernel_named(const nq_options *options) {
    return nqi_asks_for_devices(options) ? method_device_kernel(method_of_devices())->name
                                         : choice_or_null(options->kernel);
}

/* Checks options of a count on devices, which have only one method and one kernel. */
static nq_status options_check_devices(const nq_options *options, struct failure *failure) {
    const char *kernel = choice_or_null(options->kernel),
               *method = choice_or_null(options->method),
               *of_devices = method_of_devices()->name, *expected = nqi_kernel_named(options);
    char device[80]; /* the option by which the caller asks for devices */
    if (options->device != NULL)
        snprintf(device, sizeof device, "device '%.60s'", options->device);
    else
        snprintf(device, sizeof device, "kernel %s", expected);
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
    if (method != NULL && strcmp(method, of_devices) != 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "method '%.40s': expected auto or %s with %s, since devices count only "
                        "by that method",
                        method, of_devices, device);
    if (kernel != NULL && strcmp(kernel, expected) != 0)
        return nqi_fail(failure, NQ_BAD_OPTION, "kernel '%.40s': expected auto or %s with %s",
                        kernel, expected, device);
    return NQ_OK;
}

/* Checks options of a count of a given board. Not every method counts given boards, and no
 * ledger records their counts. */
static nq_status options_check_board(const nq_options *options, struct failure *failure) {
    const char *name = choice_or_null(options->method);
    const struct method *method = name != NULL ? nqi_method_by_name(name, NULL) : NULL;
    if (options->ledger != NULL)
        return nqi_fail(
            failure, NQ_BAD_OPTION,
            "ledger '%.200s' cannot be combined with a board, since ledgers record counts "
            "of empty boards only",
            options->ledger);
    if (method != NULL && method->board_partition == NULL && !nqi_asks_for_devices(options))
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "method %s counts empty boards only: expected auto or %s for a board "
                        "with queens or blocked squares",
                        name, method_of_boards()->name);
    return NQ_OK;
}

static nq_status options_check_threads(const nq_options *options, struct failure *failure) {
    if (options->smt && options->bind == NQ_BIND_LIST)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "smt cannot be combined with a list of PUs to bind to");
    if (options->smt && options->bind == NQ_BIND_NONE && options->threads != 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "smt has no effect with bind none and threads %d, which already decide "
                        "placement and number",
                        options->threads);
    return NQ_OK;
}

nq_status nqi_options_check(const nq_options *options, struct failure *failure) {
    const int shard = options->shard, shards = options->shards;
    nq_status status = options_check_threads(options, failure);
    if ((shard != 0 || shards != 0) && (shard < 1 || shard > shards || shards > NQ_MAX_SHARDS))
        status = nqi_fail(failure, NQ_BAD_OPTION,
                          "shard %d of %d: expected 1 <= shard <= shards <= %d", shard, shards,
                          NQ_MAX_SHARDS);
    if (status == NQ_OK && options->board != NULL)
        status = options_check_board(options, failure);
    return status == NQ_OK && nqi_asks_for_devices(options)
               ? options_check_devices(options, failure)
               : status;
}

/* Chooses a kernel of the method by its name. If only another method has it, the message says
 * so. */
static nq_status method_choose_kernel(const struct method *method, const char *name,
                                      const struct kernel **kernel, struct failure *failure) {
    const nq_status status = nqi_kernel_choose(method->kernels, name, kernel, failure);
    const struct kernel *other;
    for (size_t i = 0; status == NQ_NO_KERNEL && i < METHODS; i++)
        if (nqi_kernel_choose(methods[i]->kernels, name, &other, NULL) == NQ_OK)
            return nqi_fail(failure, status, "kernel %.40s counts by method %s, not %s", name,
                            methods[i]->name, method->name);
    return status;
}

nq_status nqi_method_choose(const nq_options *options, const struct method **method,
                            const struct kernel **kernel, struct failure *failure) {
    const char *name = choice_or_null(options->method);
    /* The default depends neither on this CPU nor on n. So all machines that join a count
     * divide it in the same way. */
    *method = name != NULL                    ? nqi_method_by_name(name, failure)
              : options->board != NULL        ? method_of_boards()
              : nqi_asks_for_devices(options) ? method_of_devices()
                                              : nqi_default_method();
    if (*method == NULL)
        return NQ_BAD_OPTION;
    return method_choose_kernel(*method, nqi_kernel_named(options), kernel, failure);
}

nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         const char *devices, const struct observer *observer,
                         struct solver **solver, struct failure *failure) {
    const struct method *method = nqi_method_by_name(partition->job.method, NULL);
    const struct kernel *chosen;
    *solver = NULL;
    const nq_status status = method_choose_kernel(method, kernel, &chosen, failure);
    return status == NQ_OK
               ? chosen->solver(partition, chosen, devices, observer, solver, failure)
               : status;
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
        status =
            kernel->solver(*partition, kernel, options->device, &observer, solver, failure);
    if (status != NQ_OK) {
        partition_close(*partition);
        *partition = NULL;
    }
    return status;
}
