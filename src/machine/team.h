/* SPDX-License-Identifier: MIT */
/* The threads of a count: how many, and where each runs on what this process may use of the
 * machine.
 */
#ifndef MACHINE_TEAM_H
#define MACHINE_TEAM_H

#include "core/failure.h"
#include "machine/places.h"

#include <nqueens.h>

#include <hwloc.h>
#include <stdbool.h>

struct team {
    int threads;           /* number of threads to start */
    int pus;               /* on which they may run at the same time */
    struct places allowed; /* all PUs that this process may use */
    struct places places;  /* thread i is bound to place i modulo count; empty: no binding */
    hwloc_topology_t topology;
    double quota;    /* CPUs that the cgroup allows; 0: no limit */
    bool omp_places; /* OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set: OpenMP places the
                        threads */
};

/* Decides how many threads a count starts and where they run, by the options threads, bind,
 * bind_list and smt. Binds and starts nothing. Returns NQ_OK, or
 *   NQ_BAD_OPTION, NQ_NO_PU, with the reason in `failure`;
 *   NQ_NO_TOPOLOGY, NQ_NO_MEMORY, without a sentence. */
nq_status nqi_team_form(const nq_options *options, struct team *team, struct failure *failure);
void nqi_team_free(struct team *team);

/* Makes the team one of threads that feed devices: they run anywhere, and hardly at all.
 * threads: those that a solver asks for; 0: the team stays. */
void nqi_team_for_devices(struct team *team, int threads);

/* Binds the calling thread, number `thread` of the team, to its place. Returns the thread's
 * former CPU mask, to be passed to nqi_team_unbind; NULL if the thread was not bound. */
hwloc_bitmap_t nqi_team_bind(const struct team *team, int thread);
/* Restores the calling thread's CPU mask and frees `before`. NULL does nothing. */
void nqi_team_unbind(const struct team *team, hwloc_bitmap_t before);

#endif
