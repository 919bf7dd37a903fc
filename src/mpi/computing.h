/* The thread from which a rank's team solves units, besides the thread that calls MPI. */
#ifndef MPI_COMPUTING_H
#define MPI_COMPUTING_H

#include "run/run.h"

#include <pthread.h>
#include <stdatomic.h>

struct computing {
    struct solver *solver;
    const struct selection *selection;
    struct run_options options;
    struct totals totals; /* set once the run is over */
    nq_status status;     /* likewise */
    atomic_bool over;
    pthread_t thread;
};

/* Starts the run; all members before `totals` must be set. Returns false if no thread can be
 * started. */
bool computing_start(struct computing *computing);

/* Waits until the run is over. */
void computing_join(struct computing *computing);

#endif
