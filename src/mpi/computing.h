/* The thread from which a rank's team solves units, beside the one that speaks MPI. */
#ifndef MPI_COMPUTING_H
#define MPI_COMPUTING_H

#include "api/prepared.h"
#include "run/run.h"

#include <pthread.h>
#include <stdatomic.h>

struct computing {
    struct prepared *count;
    const struct sink *sink;
    const struct exchange *exchange;
    nq_options options;
    double started;
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
