/* SPDX-License-Identifier: MIT */
/* What the ranks do, and what they tell each other: rank 0 hands out units, receives results,
 * and solves units itself. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "core/failure.h"
#include "run/run.h"

#include <mpi.h>
#include <pthread.h>

/* Solves a run's units in a thread, while the thread that calls MPI sends and receives. Ends
 * all ranks if no thread can be started. */
pthread_t crew_start(struct run *run);

/* Returns whether the crew has solved its last unit. Not to be called again after that. */
bool crew_is_over(pthread_t crew);

/* Rank 0: like nq_count_solutions(), on all ranks. */
nq_status manager_count(int n, const nq_options *options, nq_result *result);

/* The other ranks: do what rank 0 orders, until there is no more to do. */
void worker_serve(void);

/* Turns the options of rank 0 into those with which this rank solves its units. Of the devices
 * that the options name, the ranks of a machine take one each, in turn. Threads run on the PUs
 * that the launcher allows the rank, as those of any process that counts.
 *
 * All ranks call this together. Unless rank 0 says `quiet`, warns of ranks that share PUs or
 * devices, or that leave some unused. */
void node_assign(nq_options *options, bool quiet);

/* The messages between ranks. Orders of rank 0 say what all ranks do next. During a count the
 * others report results and ask for units, and rank 0 answers. All ranks run the same build on
 * the same kind of machine (wire_same_build), so a message is sent as bytes, without the items
 * that it does not have.
 *
 * Only the thread that called MPI_Init_thread sends and receives (MPI_THREAD_FUNNELED). It
 * sleeps between looks for messages: waiting inside MPI would spin on a core that units need.
 */
enum wire_kind {
    /* Orders. */
    WIRE_COUNT,
    WIRE_END,
    /* Reports. Rank 0 answers WIRE_RESULTS. A rank sends the next one after the answer, so that
     * two ranks never wait for each other to receive. WIRE_DONE: the rank's last one of a
     * count. WIRE_SIGNAL: a signal to the rank, at any time, is to stop the count. */
    WIRE_RESULTS,
    WIRE_DONE,
    WIRE_SIGNAL,
    /* Answers. WIRE_UNITS: units to solve; no unit in answer to a request means that there are
     * no more. WIRE_STOP: drop all units that do not finish soon. */
    WIRE_UNITS,
    WIRE_STOP
};

enum { WIRE_TEXT = 65 }; /* as long as a ledger keeps */

/* Most items of a message. A rank asks for at most half as many units, so that the results of
 * all that it has go into one report. */
enum { MAX_ITEMS = 1 << 16 };

struct wire_result {
    uint64_t unit, solutions, work;
    double seconds;
};

struct wire {
    uint64_t items;
    enum wire_kind kind;
    nq_job job;             /* WIRE_COUNT: all ranks must make the same */
    char kernel[WIRE_TEXT]; /* WIRE_COUNT: "": each chooses. Reports: that solves units, and its
                               device */
    char host[WIRE_TEXT];   /* reports */
    uint64_t wanted;        /* WIRE_RESULTS: units requested, by `threads` threads */
    int threads, bound;     /* WIRE_DONE: that solved units */
    nq_status status;       /* WIRE_DONE, with its reason */
    struct failure failure;
    union { /* the items */
        struct wire_result result[MAX_ITEMS];
        uint64_t unit[MAX_ITEMS]; /* WIRE_UNITS */
    };
};

/* Seconds between two looks for messages. A look costs some ten microseconds of a core that
 * units need. */
#define WIRE_PAUSE 0.001

/* Whether all ranks are of rank 0's version; each of another says so. All ranks call this
 * together. */
bool wire_same_build(void);

void wire_send(int to, const struct wire *message);

/* Rank 0: sends an order to all others. For WIRE_COUNT: job, and kernel; NULL: each chooses. */
void wire_order(enum wire_kind kind, const nq_job *job, const char *kernel);

/* Receives a message of any rank. Returns false if there is none. */
bool wire_take(struct wire *message, int *sender);

/* Says why and ends all ranks. */
__attribute__((noreturn)) void wire_give_up(const char *reason);

#endif
