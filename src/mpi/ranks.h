/* What the ranks do: rank 0 hands out units, receives results, and solves units itself. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "run/run.h"

#include <pthread.h>

/* Solves a run's units, while the thread that calls MPI sends and receives. */
struct crew {
    struct run *run;
    pthread_t thread;
    atomic_bool over; /* this rank solves no more units */
};

/* Ends all ranks if no thread can be started. */
void crew_start(struct crew *crew);

/* Rank 0: like nq_count_solutions(), on all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* Rank 0: there will be no more counts. */
void manager_end(void);

/* The other ranks: count by count until there will be no more. options: this rank's share. */
void worker_serve(const nq_options *options);

#endif
