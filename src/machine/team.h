/* SPDX-License-Identifier: MIT */
/* The threads of a count: how many there are, and where each of them runs, among the PUs that
 * this process may use.
 *
 * Threads that compute all the time are fastest when each stays on a core of its own, so each
 * is bound to a PU, unless the user or OpenMP's variables say otherwise. */
#ifndef MACHINE_TEAM_H
#define MACHINE_TEAM_H

#include "core/failure.h"
#include "machine/places.h"

#include <nqueens.h>

#include <hwloc.h>
#include <stdbool.h>

struct team {
    int threads;           /* number of threads to start */
    int pus;               /* number of PUs on which they may run at the same time */
    struct places allowed; /* all PUs that this process may use */
    /* Thread i is bound to place i modulo count. If there are no places, threads stay unbound.
     */
    struct places places;
    hwloc_topology_t topology;
    double quota; /* CPUs that the cgroup allows; 0 if it has no limit */
    /* Whether OpenMP places the threads: OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set,
     * and the option `bind` is NQ_BIND_AUTO. */
    bool omp_places;
};

/* Decides how many threads a count starts and where they run, by the options threads, bind,
 * bind_list and smt. Starts and binds no thread. Release the team with nqi_team_free. Returns
 * NQ_OK, or
 *   NQ_BAD_OPTION, NQ_NO_PU, with the reason in `failure`;
 *   NQ_NO_TOPOLOGY, NQ_NO_MEMORY, without a reason. */
nq_status nqi_team_form(const nq_options *options, struct team *team, struct failure *failure);
void nqi_team_free(struct team *team);

/* Changes the team to threads that serve devices. They sleep most of the time, so they are not
 * bound, and the CPU quota is ignored. threads: the number that a solver asks for; 0 leaves the
 * team as it is. */
void nqi_team_for_devices(struct team *team, int threads);

/* Binds the calling thread, number `thread` of the team, to its place. Returns the thread's
 * former CPU mask, for nqi_team_unbind; NULL if the thread was not bound. */
hwloc_bitmap_t nqi_team_bind(const struct team *team, int thread);
/* Restores the calling thread's CPU mask, and frees `before`, which may be NULL. */
void nqi_team_unbind(const struct team *team, hwloc_bitmap_t before);

#endif
