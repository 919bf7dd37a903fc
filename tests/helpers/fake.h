/* SPDX-License-Identifier: MIT */
/* A job with a method made up for the test: its units have the results that the test says. */
#ifndef HELPERS_FAKE_H
#define HELPERS_FAKE_H

#include "core/method.h"

#include <stdatomic.h>

struct fake {
    struct solver job; /* first */
    struct partition partition;
    struct unit *units;          /* [unit]: of weight 1 and cost 1 */
    struct unit_result *results; /* [unit]: one solution, work 3 */
    atomic_uint *solved;         /* [unit]: how often */
    atomic_ullong finished;      /* units */
    atomic_int workspaces;       /* living */
    atomic_int workspaces_made;  /* ever */
    int spare_workspaces;        /* that memory is there for */
    uint64_t fails_at;           /* the unit that ends with `failure` */
    nq_status failure;
    uint64_t waits_at; /* the unit that goes on until its heartbeat says no */
    void (*act)(struct fake *fake, uint64_t id); /* called for each unit, unless NULL */
};

struct fake *fake_new(uint64_t units);
/* Expects that no workspace is left. */
void fake_free(struct fake *fake);

#endif
