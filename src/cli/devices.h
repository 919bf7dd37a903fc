/* SPDX-License-Identifier: MIT */
/* The devices of a call. `--device all` leaves out those that cannot count, with a warning. */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

#include "cli/commands.h"

/* Returns nq_options.device for the call: what it names or, once some were left out, the
 * others. */
const char *devices_of(const struct call *call);

/* Called when the call has failed before its first unit. If `all` devices were to count and one
 * of them may be the cause, tries each with a board of n, and warns of those that cannot count.
 * Returns whether to try the call again, which is once at most. */
bool devices_leave_out(const struct call *call, int n, nq_status status);

/* Returns the devices that count, each with `number` and `name`; NULL: none, or those of
 * several processes. */
json_t *devices_json(const struct call *call);

#endif
