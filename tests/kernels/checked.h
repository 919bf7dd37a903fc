/* SPDX-License-Identifier: MIT */
/* A kernel for tests alone: the wavefront on plain words, with each load and store checked. */
#ifndef KERNELS_CHECKED_H
#define KERNELS_CHECKED_H

#include "search/kernel.h"

extern const struct kernel kernel_checked;

#endif
