/* SPDX-License-Identifier: MIT */
/* The list of completers, apart from their solver, which each of them makes. */
#include "colours/completer.h"

#define COMPLETER_ADDRESS(name) &nqi_completer_##name.impl,
const struct kernel *const nqi_completer_list[] = {KERNELS_HERE(COMPLETER_ADDRESS) NULL};
