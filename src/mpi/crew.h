/* The threads with which a rank solves units, besides the thread that calls MPI; and the units
 * that wait for them. Rank 0 has a crew as the others do, and hands it units as it does theirs.
 */
#ifndef MPI_CREW_H
#define MPI_CREW_H

#include "mpi/wire.h"
#include "run/run.h"

#include <pthread.h>

struct crew {
    /* Set by the caller. */
    struct solver *solver;
    const struct selection *selection;
    struct run_options options;
    bool reports; /* results are to be reported; its run adds up these alone */

    pthread_t thread;
    struct exchange exchange;
    struct sink sink;          /* in front of that of the options: */
    const struct sink *behind; /* NULL: none */
    struct observer observer;  /* of the options */
    _Atomic(struct run *) run; /* NULL: not begun */
    atomic_bool stop;          /* the run is to stop */
    atomic_bool user_stopped;  /* by the observer or a signal, not by a failure */
    atomic_bool all_reported;  /* no other rank has results left for this run */
    atomic_bool over;          /* the run has ended: */
    struct totals totals;
    nq_status status;

    pthread_mutex_t mutex; /* of all that follows */
    uint64_t *unit;        /* unit[next..count-1] wait to be solved; owned */
    size_t next, count;
    bool last;                  /* no more units will come */
    double unit_seconds;        /* that a unit took lately; 0: none is solved */
    struct wire_result *result; /* to be reported; owned */
    size_t results, capacity;
};

/* Starts the run. False: no thread can be started. */
bool crew_start(struct crew *crew);

/* Waits until the run is over. */
void crew_join(struct crew *crew);

/* Adds units, the last ones or not. */
void crew_add(struct crew *crew, const uint64_t *units, size_t count, bool last);

/* Stops the run; units that wait are dropped. */
void crew_stop(struct crew *crew);

/* The number of units to ask for, so that no thread waits for them; 0: enough are here. */
size_t crew_wants(struct crew *crew);

/* Returns the results that are to be reported, to be freed, and forgets them. */
struct wire_result *crew_results(struct crew *crew, uint64_t *count);

#endif
