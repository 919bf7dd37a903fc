/* SPDX-License-Identifier: MIT */
/* The kernel of method `colours` that counts on GPUs and other devices. */
#ifndef DEVICES_DEVICE_SOLVER_H
#define DEVICES_DEVICE_SOLVER_H

#include "core/isa.h"
#include "core/method.h"

/* Kernel `opencl`. Its solver counts on the devices that it is given: "all", or numbers such as
 * "0,2-3"; NULL means device 0. With "all", devices that cannot count are left out, with a
 * warning, if another one can.
 *
 * While a device is prepared, the observer is told which device it is. No units of the count
 * are solved yet. Making the solver fails with NQ_NO_DEVICE; NQ_BAD_OPTION if there is no such
 * device; NQ_DEVICE; NQ_DISAGREE if a device counted wrong; NQ_NO_MEMORY; or NQ_CANCELLED if
 * the observer returned false.
 *
 * The solver explains later failures in `failure`, too, which must therefore outlive it. */
extern const struct kernel nqi_kernel_opencl;

#endif
