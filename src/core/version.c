/* SPDX-License-Identifier: MIT */
#include "version.h" /* made by tools/version */
#include "nqueens.h"

const char *nq_version(void) {
    return NQ_BUILT_VERSION;
}
