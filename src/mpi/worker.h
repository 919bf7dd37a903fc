/* Ranks other than 0: solve the units that rank 0 hands out. */
#ifndef MPI_WORKER_H
#define MPI_WORKER_H

/* Serves rank 0, count by count, until it ends the workers. */
void worker_serve(void);

#endif
