/* SPDX-License-Identifier: MIT */
/* The kernel of method `colours` on devices. */
#ifndef DEVICES_DEVICE_SOLVER_H
#define DEVICES_DEVICE_SOLVER_H

#include "core/isa.h"
#include "core/method.h"

/* Its solver counts on devices, "all" or numbers such as "0,2-3"; NULL: device 0. All: those
 * that cannot count are left out, if another one can. The observer is told which device is
 * prepared, with no units yet; NQ_CANCELLED: it said stop. Failures of its own are written to
 * `failure`, too, which must outlive it. NQ_NO_DEVICE; NQ_BAD_OPTION: there is no such device;
 * NQ_DEVICE; NQ_DISAGREE: a device counted wrong; NQ_NO_MEMORY. */
extern const struct kernel nqi_kernel_opencl;

#endif
