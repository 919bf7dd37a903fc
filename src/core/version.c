/* SPDX-License-Identifier: MIT */
/* The version alone, so that a commit compiles no other file again. */
#include "version.h" /* made by tools/version */
#include "nqueens.h"

const char *nq_version(void) {
    return NQ_BUILT_VERSION;
}
