/* Ranks other than 0: they solve what they are given. */
#ifndef MPI_WORKER_H
#define MPI_WORKER_H

/* Does what rank 0 says until it says that there is nothing more to do. */
void worker_serve(void);

#endif
