/* SPDX-License-Identifier: MIT */
/* The threads of a count: how many, and where each runs on what this process may use of the
 * machine.
 */
#ifndef MACHINE_TEAM_H
#define MACHINE_TEAM_H

#include "core/text.h"

#include <nqueens.h>

#include <hwloc.h>
#include <pthread.h>
#include <stdbool.h>

/* The order in which threads are placed on processing units (PUs). */
struct places {
    size_t count;      /* places */
    int cores, caches; /* of all allowed PUs; caches: last-level caches */
    nq_place *place;   /* owned; release with nqi_places_free */
};

/* Lists all allowed PUs of a topology, the best first: one PU of every core before the second
 * PU of any core, fast kinds of core before slow ones. Consecutive PUs alternate between
 * packages, then between last-level caches, so that a few threads share as little as possible.
 * Returns false if memory runs out. */
bool nqi_places_list(hwloc_topology_t topology, struct places *out);

/* Lists the PUs that a text like "0,2,4-7" names, in its order. Returns NQ_OK, or
 *   NQ_BAD_OPTION: the text is not such a list, or names a PU twice;
 *   NQ_NO_PU: a PU is not in `allowed`;
 *   NQ_NO_MEMORY, without a sentence. */
nq_status nqi_places_pick(const struct places *allowed, const char *list, struct places *out,
                          struct failure *failure);

void nqi_places_free(struct places *places);

/* Returns the CPU quota of this process, in CPUs: the smallest one of its cgroup and of the
 * cgroups above. 0: there is none, or it cannot be read. Neither hwloc nor OpenMP reads it.
 * root: "" for this machine; in tests a folder that stands for /. */
double nqi_cpu_quota(const char *root);

/* Returns the bytes of memory that this process may use, likewise; those of the machine, if no
 * cgroup allows fewer. */
double nqi_memory_limit(const char *root);

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

/* Makes the team one of threads that feed devices: they run anywhere, and hardly at all. */
void nqi_team_feed(struct team *team, int threads);

/* Binds the calling thread, number `thread` of the team, to its place. Returns the thread's
 * former CPU mask, to be passed to nqi_team_unbind; NULL if the thread was not bound. */
hwloc_bitmap_t nqi_team_bind(const struct team *team, int thread);
/* Restores the calling thread's CPU mask and frees `before`. NULL does nothing. */
void nqi_team_unbind(const struct team *team, hwloc_bitmap_t before);

/* Time as the program measures it (machine/clock.c). */

/* Returns the seconds on a clock that never goes back; its zero is arbitrary. It goes on while
 * the process is stopped (^Z, a suspended job): afterwards progress shows too low a rate and
 * too much time to go. */
double nqi_seconds_now(void);

/* Returns the seconds that the calling thread has been on a CPU: without those in which it
 * waited for one. */
double nqi_thread_seconds(void);

/* Sleeps for this many seconds, even if signals arrive. */
void nqi_pause_for(double seconds);

/* Waits until `changed`, a condition by CLOCK_MONOTONIC, is signalled, at most for so many
 * seconds; it may return sooner. */
void nqi_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds);

#endif
