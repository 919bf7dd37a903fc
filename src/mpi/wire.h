/* The messages between ranks. Rank 0, the manager, hands out units and receives results; the
 * other ranks, its workers, request units and report results. All ranks run the same program on
 * the same kind of machine, so structures are sent as bytes.
 *
 * Only the thread that called MPI_Init_thread sends and receives (MPI_THREAD_FUNNELED); other
 * threads solve units. It sleeps between looks for messages, since waiting inside MPI would
 * spin on a core that units need.
 */
#ifndef MPI_WIRE_H
#define MPI_WIRE_H

#include <nqueens/nqueens.h>

#include <mpi.h>

enum { WIRE_NAME = 16, WIRE_HOST = 65, WIRE_LIST = 4096 };

/* From the manager: what to count, and how. */
struct wire_job {
    bool end; /* no job, and no more jobs: the worker ends */
    int n, threads;
    nq_bind bind;
    bool smt;
    nq_tables tables;
    uint64_t memory_limit;
    char bind_list[WIRE_LIST], kernel[WIRE_NAME];
};

/* From the manager, after the job: how it has cut the board. */
struct wire_plan {
    bool start; /* false: there will be no run, and the other members are not set */
    char method[WIRE_NAME], plan[WIRE_NAME];
    int depth;
    uint64_t units;
};

/* From the manager: units to solve. `count` ids follow. */
struct wire_units {
    uint64_t count;
    bool last; /* no more units will come */
    bool stop; /* drop all units that do not finish soon */
};

/* From a worker: `count` results follow. */
struct wire_report {
    double requested_cost; /* expected cost of the units requested, at least one; 0: none */
    uint64_t count;
    bool done;      /* the last report of this run */
    bool signalled; /* a signal to this rank is to stop the count */
    nq_status status;
    int threads, threads_bound;
    char kernel[WIRE_NAME], host[WIRE_HOST];
    char detail[256]; /* reason of a failure */
};

struct wire_result {
    uint64_t unit, solutions, work;
    double seconds;
};

enum wire_tag { TAG_JOB = 1, TAG_PLAN, TAG_UNITS, TAG_REPORT };

/* Seconds between two looks for messages: while this rank waits for a message, while others may
 * wait for this rank, and otherwise. A look costs some ten microseconds of a core that units
 * need. */
#define WIRE_PAUSE        0.0003
#define WIRE_MIDDLE_PAUSE 0.001
#define WIRE_LONG_PAUSE   0.003

/* Waits for a message with this tag from rank `from`. */
void wire_wait(int from, enum wire_tag tag);

/* Sends a structure, followed by `count` items. */
void wire_send(int to, enum wire_tag tag, const void *head, size_t head_size, const void *items,
               size_t item_size, size_t count);

/* Receives a message with this tag from rank `from` or MPI_ANY_SOURCE. Returns false if there
 * is none. *head: the structure. *items: what follows it, to be freed; NULL if nothing does. If
 * memory runs out, aborts the whole job; its ledger survives that. */
bool wire_take(int from, enum wire_tag tag, void *head, size_t head_size, void **items,
               int *sender);

#endif
