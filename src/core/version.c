/* SPDX-License-Identifier: MIT */
/* The library's version. It changes with each commit. It has a file of its own, so that no
 * other file must then be compiled again. */
#include "version.h" /* made by tools/version */
#include "nqueens.h"

const char *nq_version(void) {
    return NQ_BUILT_VERSION;
}
