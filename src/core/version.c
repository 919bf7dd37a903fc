/* SPDX-License-Identifier: MIT */
/* The library's version. It has a file of its own because it changes with each commit, so that
 * no other file must be compiled again. */
#include "version.h" /* made by tools/version */
#include "nqueens.h"

const char *nq_version(void) {
    return NQ_BUILT_VERSION;
}
