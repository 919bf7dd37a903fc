/* What the ranks do: rank 0 hands out units, receives results, and solves units itself. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include <nqueens.h>

/* Rank 0: like nq_count_solutions(), on all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* Rank 0: there will be no more counts. */
void manager_end(void);

/* The other ranks: count by count until there will be no more. options: this rank's share. */
void worker_serve(const nq_options *options);

#endif
