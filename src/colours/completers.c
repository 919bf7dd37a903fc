/* SPDX-License-Identifier: MIT */
/* The list of completers. It is not in colours_solver.c, because completers refer to that file,
 * which would then refer back to all of them. */
#include "colours/completer.h"

#define COMPLETER_ADDRESS(name) &nqi_completer_##name.impl,
const struct kernel *const nqi_completer_list[] = {KERNELS_HERE(COMPLETER_ADDRESS) NULL};
