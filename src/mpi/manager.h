/* Rank 0: hands out units, receives results, and solves units itself. */
#ifndef MPI_MANAGER_H
#define MPI_MANAGER_H

#include <nqueens/nqueens.h>

/* Like nq_count_solutions(), on all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* Ends the workers. */
void manager_end(void);

#endif
