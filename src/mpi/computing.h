/* The thread from which a rank's team solves units, beside the one that speaks MPI. */
#ifndef MPI_COMPUTING_H
#define MPI_COMPUTING_H

#include "run/run.h"

#include <pthread.h>
#include <stdatomic.h>

struct computing {
    struct job *job;
    const struct selection *selection;
    struct run_options options;
    struct totals totals; /* once it is over */
    nq_status status;     /* likewise */
    atomic_bool over;
    pthread_t thread;
};

/* Starts it; all members above `totals` are set. False: there is no thread to be had. */
bool computing_start(struct computing *computing);

/* Waits until it is over. */
void computing_join(struct computing *computing);

#endif
