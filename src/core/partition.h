/* SPDX-License-Identifier: MIT */
/* Partition: the units that one n is divided into, by a method and its plan.
 *
 * It is the same on every machine and in every run: units, weights and costs depend on n, the
 * method, the plan, its version and its depth alone, and are whole numbers. The number of
 * solutions is the sum over all units of weight x solutions; core/solver.h solves units.
 */
#ifndef CORE_PARTITION_H
#define CORE_PARTITION_H

#include "core/failure.h"
#include "core/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A unit of work; its id is its index in the partition. */
struct unit {
    uint64_t weight;
    uint64_t cost; /* expected, above 0, on one scale for the whole partition */
};

/* Each method embeds it in a structure of its own. */
struct partition {
    nq_job job;
    const char *work;         /* a static name: "nodes", "completions" */
    uint64_t cost;            /* of all units: below 2^64 */
    const struct unit *units; /* [id] */
    void (*close)(struct partition *partition);
};

/* Closes a partition; NULL allowed. */
static inline void partition_close(struct partition *partition) {
    if (partition != NULL)
        partition->close(partition);
}

/* Expected costs are equal on every machine: shards and the order of units depend on them. So
 * costs are whole numbers of 64 bits, made of whole numbers alone: a compiler may round other
 * arithmetic as it likes (x87, -ffast-math).
 *
 * No power of 2 below exceeds 2 to the power of this and a half. */
enum { MAX_COST_POWER = 62 };

/* Returns 2 to the power of x / 2^16, within 0.4 %, rounded down, at least 1. x: at most
 * MAX_COST_POWER x 2^16. The fractional part f of the exponent contributes 1 + f (a + b
 * f), a = 43024 / 2^16, b = 22512 / 2^16: exact at f = 0 and at f = 1, since a + b = 1. */
static inline uint64_t cost_power_of_2(int32_t x) {
    if (x <= 0)
        return 1;
    const int32_t whole = x >> 16;
    const uint64_t f = (uint64_t)(x & 0xffff);
    const uint64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return whole >= 16 ? mantissa << (whole - 16) : mantissa >> (16 - whole);
}

#endif
