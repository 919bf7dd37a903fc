/* SPDX-License-Identifier: MIT */
/* The list of methods, and which one a count takes. */
#ifndef METHODS_METHODS_H
#define METHODS_METHODS_H

#include "core/isa.h"
#include "core/method.h"

/* A row for each method, whose symbol ends in its name. The last one is the default; it has all
 * kernels. The first one that counts a given board is the default for that. */
#define METHODS_HERE(ROW)    ROW(search) ROW(colours)
#define METHOD_WORD(name)    " " #name
#define METHOD_WORDS         METHODS_HERE(METHOD_WORD) /* their names, each behind a blank */
#define METHOD_LISTED(name)  ", " #name
#define METHODS_LISTED       METHODS_HERE(METHOD_LISTED) /* the same, each behind a comma */
#define METHOD_ADD_ONE(name) +1

/* A row for each kernel on devices, whose symbol ends in its name. */
#define DEVICE_KERNELS(ROW) ROW(opencl)
#define DEVICE_KERNEL_WORDS DEVICE_KERNELS(KERNEL_WORD)

enum { METHODS = 0 METHODS_HERE(METHOD_ADD_ONE) };

/* Returns the method at an index, from 0, or NULL past the last. */
const struct method *nqi_method_at(size_t index);

const struct method *nqi_default_method(void);

/* Returns the method of that name, or NULL if there is none; `failure` then says which there
 * are. */
const struct method *nqi_method_by_name(const char *name, struct failure *failure);

/* Returns the bytes that each thread of a count of n takes at most; 0: little. */
uint64_t nqi_memory_of_thread(const char *method, int n);

/* Returns whether the options ask for devices, by name or by their kernel. */
bool nqi_asks_for_devices(const nq_options *options);

/* Returns the name of the kernel that the options ask for, by `kernel` or by `device`; NULL:
 * they ask for none. */
const char *nqi_kernel_named(const nq_options *options);

/* Refuses options that do not go together, with NQ_BAD_OPTION: all rules of the library of
 * which options those are. board: NULL, if it is empty. Every call that takes options begins
 * with it. */
nq_status nqi_options_check(const nq_options *options, struct failure *failure);

/* Chooses the method and its kernel. If the options name no method: the first one that counts a
 * given board, or on devices, else the default. NQ_BAD_OPTION, NQ_NO_KERNEL: `failure` says
 * which methods or kernels there are.
 */
nq_status nqi_method_choose(const nq_options *options, const struct method **method,
                            const struct kernel **kernel, struct failure *failure);

/* Chooses the method and its kernel, divides the board of n into units, and makes their solver,
 * observed by the callback of the options. squares: of a given board, as its method takes them
 * (board_partition of struct method); not read if the options have none. The caller closes the
 * solver, and then the partition. Fails as nqi_method_choose and solver (struct kernel) do, or
 * with NQ_NO_MEMORY; both are NULL then. */
nq_status nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                          struct partition **partition, struct solver **solver,
                          struct failure *failure);

/* Makes a solver of a partition. kernel, devices: as in nq_options. Fails as
 * nqi_method_choose or solver (struct kernel) does; *solver is NULL then. */
nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         const char *devices, const struct observer *observer,
                         struct solver **solver, struct failure *failure);

#endif
