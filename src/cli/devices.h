/* SPDX-License-Identifier: MIT */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

#include <jansson.h>
#include <nqueens.h>

/* Returns those of nq_result.devices, each with `number` and `name`; NULL: none. */
json_t *devices_json(uint64_t counted);

#endif
