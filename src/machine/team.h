/* The threads of a count: how many, and where each runs. */
#ifndef MACHINE_TEAM_H
#define MACHINE_TEAM_H

#include "machine/places.h"

#include <hwloc.h>
#include <nqueens/nqueens.h>

struct team_request {
    int threads; /* 1..NQ_MAX_THREADS; 0: chosen */
    nq_bind bind;
    const char *bind_list; /* for NQ_BIND_LIST */
    bool smt;              /* use the hardware threads of a core too, after all cores */
};

struct team {
    int threads;          /* to start */
    struct places places; /* thread i goes to place i modulo count; empty: none is bound */
    hwloc_topology_t topology;
    double quota;    /* of CPUs; 0: none */
    bool omp_places; /* the user placed threads through OpenMP's variables */
};

/* Decides on threads and places from the request and the machine. Binds and starts nothing.
 * NQ_BAD_OPTION, NQ_NO_PU: detail[0..size-1] says what is wrong; NQ_NO_TOPOLOGY, NQ_NO_MEMORY.
 */
nq_status nqi_team_form(const struct team_request *request, struct team *team, char *detail,
                        size_t size);
void nqi_team_free(struct team *team);

/* Binds the calling thread, number `thread` of the team, to its place. Returns the CPU mask to
 * give to nqi_team_unbind when the thread is done; NULL: it was not bound. */
hwloc_bitmap_t nqi_team_bind(const struct team *team, int thread);
void nqi_team_unbind(const struct team *team, hwloc_bitmap_t before);

#endif
