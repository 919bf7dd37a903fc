/* SPDX-License-Identifier: MIT */
/* Kernels that run on this CPU, such as completers. Tests walk the library's lists of kernels
 * instead of naming them, so that new kernels are tested, too. */
#ifndef HELPERS_KERNELS_H
#define HELPERS_KERNELS_H

#include "colours/completer.h"

#include <stdio.h>

/* Returns the kernel of the list after `before` that runs here, the first one if `before` is
 * NULL, or NULL after the last. */
static inline const struct kernel *kernel_after(const struct kernel *const *list,
                                                const struct kernel *before) {
    while (before != NULL && *list++ != before)
        continue;
    while (*list != NULL && !nqi_kernel_runs_here(*list))
        list++;
    return *list;
}

static inline const struct completer *completer_after(const struct completer *before) {
    return (const struct completer *)kernel_after(nqi_completer_list,
                                                  before != NULL ? &before->impl : NULL);
}

/* Says in a test's output which kernels of the list do not run on this CPU. */
static inline void print_missing(const struct kernel *const *list) {
    for (; *list != NULL; list++)
        if (!nqi_kernel_runs_here(*list))
            printf("# %s does not run here\n", (*list)->name);
}

#endif
