/* The threads of a count: how many, and where each runs. */
#ifndef THREADS_TEAM_H
#define THREADS_TEAM_H

#include "threads/places.h"

#include <hwloc.h>
#include <nqueens/nqueens.h>

struct team {
    int threads;          /* to start */
    struct places places; /* thread i goes to place i modulo count; empty: none is bound */
    hwloc_topology_t topology;
    double quota;    /* of CPUs; 0: none */
    bool omp_places; /* the user placed threads through OpenMP's variables */
};

/* Decides on threads and places from the options and the machine. Nothing is bound or started.
 * On failure, detail says what was wrong where the status does not say enough. */
nq_status team_form(const nq_options *options, struct team *team, char *detail, size_t size);
void team_free(struct team *team);

/* Binds the calling thread, number `thread` of the team, to its place. Returns the CPU mask to
 * give to team_unbind when the thread is done; NULL: it was not bound. */
hwloc_bitmap_t team_bind(const struct team *team, int thread);
void team_unbind(const struct team *team, hwloc_bitmap_t before);

#endif
