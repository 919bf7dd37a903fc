/* Rank 0: it hands out units, takes results in, and solves units itself. */
#ifndef MPI_MANAGER_H
#define MPI_MANAGER_H

#include <nqueens/nqueens.h>

/* nq_count, by all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* Tells the workers that there is nothing more to do. */
void manager_end(void);

#endif
