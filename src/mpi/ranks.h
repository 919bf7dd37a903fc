/* What the ranks do: rank 0 hands out units, receives results, and solves units itself. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "run/run.h"

#include <pthread.h>

/* Solves a run's units in a thread, while the thread that calls MPI sends and receives. Ends
 * all ranks if no thread can be started. */
pthread_t crew_start(struct run *run);

/* Whether it solves no more units. Not to be called again then. */
bool crew_is_over(pthread_t crew);

/* Rank 0: like nq_count_solutions(), on all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* The other ranks: do what rank 0 orders, until there is no more to do. */
void worker_serve(void);

/* How the ranks of a machine share its cores and its memory. A rank uses the PUs that its
 * launcher allows. If several ranks are allowed the same PUs (the launcher binds nothing), each
 * takes a part of them: otherwise every rank would bind a thread to each core. And each takes
 * an equal part of the memory, unless --memory says how much.
 *
 * Turns the options of rank 0 into those with which this rank solves its units. All ranks call
 * this together. Warns of ranks that share cores, or that may use few of them. */
void share_take(nq_options *options);

#endif
