/* SPDX-License-Identifier: MIT */
/* What the ranks of an MPI job do, and what they tell each other. Rank 0, the manager, hands
 * out units, receives results, and solves units itself. The other ranks, the workers, solve
 * units.
 *
 * On each rank, a team of OpenMP threads solves units while the thread that called MPI sends
 * and receives. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "core/failure.h"
#include "run/run.h"

#include <mpi.h>
#include <pthread.h>

/* Starts a thread that solves a run's units with the run's team: the crew. If the system
 * refuses the thread, ends all ranks. */
pthread_t crew_start(struct run *run);

/* Returns whether the crew has solved its last unit. It must not be called again once it has
 * returned true. */
bool crew_is_over(pthread_t crew);

/* For rank 0: does what nq_count_solutions() does, on all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* For the other ranks: does what rank 0 orders, until it orders the end. */
void worker_serve(void);

/* Turns the options of rank 0 into those with which this rank solves its units. Each rank of a
 * machine takes one of the devices that the options name, in turn. Threads run on the PUs that
 * the launcher allows the rank, as in any process that counts.
 *
 * All ranks must call this together. It warns of ranks that share PUs or devices, and of PUs or
 * devices that stay unused, unless rank 0 passes `quiet`. */
void node_assign(nq_options *options, bool quiet);

/* Messages. Orders of rank 0 say what all other ranks do next. During a count, the others send
 * reports, with results and a request for units, and rank 0 answers them. All ranks run the
 * same version on the same kind of machine (wire_same_build checks the version), so a message
 * is sent as the bytes of a struct, up to its last item.
 *
 * Only the thread that called MPI_Init_thread() sends and receives, because not all MPI
 * libraries allow other threads to do so (MPI_THREAD_FUNNELED). It sleeps between two looks for
 * messages: if it waited inside MPI, it would keep a core busy that units need.
 */
enum wire_kind {
    /* Orders. */
    WIRE_COUNT,
    WIRE_END,
    /* Reports. Rank 0 answers each WIRE_RESULTS. A rank sends the next one only after it has
     * received the answer, so that two ranks never wait for each other to receive. */
    WIRE_RESULTS,
    WIRE_DONE,   /* the rank's last report of a count */
    WIRE_SIGNAL, /* the rank got a signal, which is to stop the count; sent at any time */
    /* Answers. */
    WIRE_UNITS, /* units to solve; if units were requested and none come, there are no more */
    WIRE_STOP   /* drop all units that do not finish soon */
};

enum { WIRE_TEXT = 65 }; /* the most bytes of a name that a ledger keeps, and a NUL */

/* Most items of a message. A rank asks for at most half this number of units, so that the
 * results of all units that it has fit into one report. */
enum { MAX_ITEMS = 1 << 16 };

struct wire_result {
    uint64_t unit, solutions, work;
    double seconds;
};

struct wire {
    uint64_t items;
    enum wire_kind kind;
    nq_job job; /* WIRE_COUNT: the job, which each rank compares with the one that it makes */
    /* WIRE_COUNT: the kernel to use; "" if each rank chooses its own. Reports: the kernel that
     * solves units, with its device. */
    char kernel[WIRE_TEXT];
    char host[WIRE_TEXT]; /* reports: the rank's host */
    uint64_t wanted;      /* WIRE_RESULTS: how many units the rank's `threads` threads need */
    int threads, bound; /* WIRE_DONE: how many threads solved units, and how many were bound */
    /* WIRE_DONE: how the rank's count ended, and why. */
    nq_status status;
    struct failure failure;
    /* The items; `items` is their number. */
    union {
        struct wire_result result[MAX_ITEMS]; /* reports */
        uint64_t unit[MAX_ITEMS];             /* WIRE_UNITS */
    };
};

/* Seconds between two looks for messages. A look takes about ten microseconds of a core that
 * units need. */
#define WIRE_PAUSE 0.001

/* Returns whether all ranks have the version of rank 0. A rank with another version says so on
 * stderr. All ranks must call this together. */
bool wire_same_build(void);

void wire_send(int to, const struct wire *message);

/* Sends an order from rank 0 to all other ranks. job, kernel: for WIRE_COUNT; if the kernel is
 * NULL, each rank chooses its own. */
void wire_order(enum wire_kind kind, const nq_job *job, const char *kernel);

/* Receives a message of any rank. Returns false if none has arrived. */
bool wire_take(struct wire *message, int *sender);

/* Prints the reason, and ends all ranks. */
__attribute__((noreturn)) void wire_give_up(const char *reason);

#endif
