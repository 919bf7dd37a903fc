/* SPDX-License-Identifier: MIT */
/* Lists the methods, and chooses the method of a count by its options.
 *
 * Only this folder knows all methods and the kernels on devices. To add a method, add it to
 * METHODS_HERE (see CONTRIBUTING.md). */
#ifndef METHODS_METHODS_H
#define METHODS_METHODS_H

#include "core/isa.h"
#include "core/method.h"

/* ENTRY(name) for each method, whose symbol is nqi_method_NAME. The last one is the default; it
 * has all kernels. The default for given boards is the first one that can count them. */
#define DEFAULT_METHOD(ENTRY) ENTRY(colours)
#define METHODS_HERE(ENTRY)   ENTRY(search) DEFAULT_METHOD(ENTRY)
#define METHOD_WORD(name)     " " #name
#define METHOD_WORDS          METHODS_HERE(METHOD_WORD) /* names, with a blank before each */
#define METHOD_LISTED(name)   ", " #name
#define METHODS_LISTED        METHODS_HERE(METHOD_LISTED) /* names, with a comma before each */
#define METHOD_ADD_ONE(name)  +1

/* ENTRY(name) for each kernel on devices, whose symbol is nqi_kernel_NAME. */
#define DEVICE_KERNELS(ENTRY) ENTRY(opencl)
#define DEVICE_KERNEL_WORDS   DEVICE_KERNELS(KERNEL_WORD)

enum { METHODS = 0 METHODS_HERE(METHOD_ADD_ONE) };

/* Returns the method at an index of the list, from 0, or NULL if the list ends before it. */
const struct method *nqi_method_at(size_t index);

const struct method *nqi_default_method(void);

/* Returns the method that has this name, or NULL if none has; `failure` then lists the names of
 * all. */
const struct method *nqi_method_by_name(const char *name, struct failure *failure);

/* Returns the most bytes that a thread takes in a count of n by this method. Returns 0 if these
 * are too few to matter, or if no method has this name. */
uint64_t nqi_memory_of_thread(const char *method, int n);

/* Returns whether the options ask for devices, by `device` or by `kernel`. */
bool nqi_asks_for_devices(const nq_options *options);

/* Returns the name of the kernel that the options ask for by `kernel` or `device`, or NULL if
 * they leave the choice to the library. */
const char *nqi_kernel_named(const nq_options *options);

/* Checks that the options can be combined, and that the shard is in range. All rules about
 * which options of a count can be combined are here. An empty board must have been replaced by
 * NULL. Returns NQ_OK, or NQ_BAD_OPTION, which `failure` explains. */
nq_status nqi_options_check(const nq_options *options, struct failure *failure);

/* Chooses the method and its kernel. If the options name no method, takes the first one that
 * counts given boards if there is a board, or the first one that counts on devices if the
 * options ask for devices; otherwise takes the default. Returns NQ_OK, or NQ_BAD_OPTION or
 * NQ_NO_KERNEL; `failure` then lists the methods or kernels that there are. */
nq_status nqi_method_choose(const nq_options *options, const struct method **method,
                            const struct kernel **kernel, struct failure *failure);

/* Chooses the method and its kernel, divides the board into units, and makes their solver. The
 * callback of the options is called while devices are prepared.
 *
 * squares: squares of a given board, as board_partition of struct method takes them; ignored if
 * the options have no board. partition, solver: receive what was made, or NULL after a failure.
 * The caller must close the solver first, then the partition.
 *
 * Returns NQ_OK, NQ_NO_MEMORY, or a status of nqi_method_choose or of `solver` in struct
 * kernel. */
nq_status nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                          struct partition **partition, struct solver **solver,
                          struct failure *failure);

/* Makes a solver of a partition. kernel, devices: as in nq_options. solver: receives the
 * solver, or NULL after a failure. Returns NQ_OK, or a status of nqi_method_choose or of
 * `solver` in struct kernel. */
nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         const char *devices, const struct observer *observer,
                         struct solver **solver, struct failure *failure);

#endif
