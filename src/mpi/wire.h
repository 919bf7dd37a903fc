/* What the ranks tell each other. Rank 0, the manager, hands out units and takes results in;
 * the others, its workers, ask and report. All ranks run the same program on the same kind of
 * machine, so structures travel as bytes.
 *
 * Only the thread that called MPI_Init_thread sends and receives (MPI_THREAD_FUNNELED), which
 * every MPI offers; units are solved by others. So that they have the cores to themselves, it
 * sleeps between looks: a wait inside MPI would spin.
 */
#ifndef MPI_WIRE_H
#define MPI_WIRE_H

#include <nqueens/nqueens.h>

#include <mpi.h>

enum { WIRE_NAME = 16, WIRE_HOST = 65, WIRE_LIST = 4096 };

/* From the manager: what to count, and how; or that there is nothing more to do. */
struct wire_job {
    bool end;
    int n, threads;
    nq_bind bind;
    bool smt;
    uint64_t memory;
    char bind_list[WIRE_LIST], kernel[WIRE_NAME];
};

/* From the manager, once it knows: how the board is cut; or that there will be no run. */
struct wire_plan {
    bool go;
    char method[WIRE_NAME], plan[WIRE_NAME];
    int depth;
    uint64_t units;
};

/* From the manager: units to solve, `count` ids behind this. */
struct wire_units {
    uint64_t count;
    bool last; /* there are no more */
    bool stop; /* give up those that are not done soon */
};

/* From a worker: `count` results behind this. */
struct wire_report {
    double want; /* units of such a cost, please, one at least; 0: none now */
    uint64_t count;
    bool done;  /* the last report of this run */
    bool asked; /* a signal asks to stop the count */
    nq_status status;
    int threads, threads_bound;
    char kernel[WIRE_NAME], host[WIRE_HOST];
    char detail[256]; /* of a failure */
};

struct wire_result {
    uint64_t unit, solutions, work;
    double seconds;
};

enum wire_tag { TAG_JOB = 1, TAG_PLAN, TAG_UNITS, TAG_REPORT };

/* Seconds between two looks for messages: while this rank waits for one, while others may be
 * waiting for it, and while nobody does. A look costs some ten microseconds of a core that
 * units need. */
#define WIRE_PAUSE        0.0003
#define WIRE_MIDDLE_PAUSE 0.001
#define WIRE_LONG_PAUSE   0.003

/* Waits for a message with that tag from rank `from`. */
void wire_wait(int from, enum wire_tag tag);

/* Sends a structure, and `count` items of a size behind it. */
void wire_send(int to, enum wire_tag tag, const void *head, size_t head_size, const void *items,
               size_t item_size, size_t count);

/* Whether there is a message with that tag from rank `from`, or MPI_ANY_SOURCE. If so takes it:
 * *head is filled in, *items (to be freed; NULL when there are none) and *sender are set.
 * Memory running out ends the whole job, which its ledger survives. */
bool wire_take(int from, enum wire_tag tag, void *head, size_t head_size, void **items,
               int *sender);

#endif
