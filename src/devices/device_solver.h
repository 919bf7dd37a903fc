/* SPDX-License-Identifier: MIT */
/* The solver of method `colours` on devices. */
#ifndef DEVICES_DEVICE_SOLVER_H
#define DEVICES_DEVICE_SOLVER_H

#include "core/method.h"

/* Makes a solver that counts on devices, "all" or numbers such as "0,2-3". All: those that
 * cannot count are left out, if another one can. The observer is told which device is
 * prepared, with no units yet; NQ_CANCELLED: it said stop. Failures of its own are written to
 * `failure`, too, which must outlive it. NQ_NO_DEVICE; NQ_BAD_OPTION: there is no such device;
 * NQ_DEVICE; NQ_DISAGREE: a device counted wrong; NQ_NO_MEMORY. */
nq_status nqi_device_solver(const struct partition *partition, const char *list,
                            const struct observer *observer, struct solver **solver,
                            struct failure *failure);

#endif
