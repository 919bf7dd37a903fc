/* The messages between ranks. Rank 0 hands out units, the others ask for them and report
 * results. All ranks run the same build on the same kind of machine (wire_same_build), so
 * structures are sent as bytes. Each message begins with the number of items that follow its
 * structure, and is refused unless it has exactly that length.
 *
 * Only the thread that called MPI_Init_thread sends and receives (MPI_THREAD_FUNNELED). It
 * sleeps between looks for messages: waiting inside MPI would spin on a core that units need.
 */
#ifndef MPI_WIRE_H
#define MPI_WIRE_H

#include "core/failure.h"

#include <mpi.h>

enum { WIRE_NAME = 16, WIRE_HOST = 65 };

/* To be raised when messages, or what they mean, change. */
enum { WIRE_PROTOCOL = 3 };

struct partition;

/* From rank 0: what to count. */
struct wire_job {
    uint64_t items; /* 0 */
    bool end;       /* no job, and no more jobs */
    int n, version, depth;
    char method[WIRE_NAME], plan[WIRE_NAME];
    uint64_t units;
    char kernel[WIRE_NAME]; /* "": each rank chooses */
};

/* From rank 0, the answer to each report that waits for one; ids of units to
 * solve follow. A rank sends no other report before it has the answer, so that no two ranks
 * ever wait until the other receives. */
struct wire_units {
    uint64_t items;
    bool last; /* no more units will come */
    bool stop; /* drop all units that do not finish soon */
};

/* From another rank; struct wire_result follow. */
struct wire_report {
    uint64_t items;
    uint64_t wanted;    /* units requested */
    int threads, bound; /* the last report: that solved units */
    bool waits;         /* for the answer */
    bool done;          /* the last report of this job */
    bool signalled;     /* a signal to this rank is to stop the count */
    nq_status status;
    char kernel[WIRE_NAME], host[WIRE_HOST];
    struct failure failure;
};

struct wire_result {
    uint64_t unit, solutions, work;
    double seconds;
};

enum wire_tag { TAG_JOB, TAG_UNITS, TAG_REPORT, WIRE_TAGS };

/* Seconds between two looks for messages: while a rank may wait for another, and otherwise. A
 * look costs some ten microseconds of a core that units need. */
#define WIRE_PAUSE      0.0003
#define WIRE_LONG_PAUSE 0.001

/* Whether all ranks are of one build; if not, rank 0 says which is of another. All ranks call
 * this together. */
bool wire_same_build(void);

/* Describes a board as this rank has cut it. The kernel is left to the caller. */
struct wire_job wire_job_of(const struct partition *partition);

/* Whether both jobs have the same units; if not, the reason goes to `failure`. */
bool wire_same_units(const struct wire_job *mine, const struct wire_job *of_rank_0,
                     struct failure *failure);

/* malloc, or the end of all ranks. */
void *wire_allocate(size_t size);

/* Sends a structure and the items that it announces. */
void wire_send(int to, enum wire_tag tag, const void *head, const void *items);

/* Sends a structure without items to all other ranks. */
void wire_send_all(enum wire_tag tag, const void *head);

/* Receives a message of any rank. Returns false if there is none. *items: what follows the
 * structure, to be freed. If the message has another length than it should, or memory runs out,
 * says so and aborts the whole job; its ledger survives that. */
bool wire_take(enum wire_tag tag, void *head, void **items, int *sender);

/* Says why and ends all ranks. */
__attribute__((noreturn)) void wire_give_up(const char *reason);

#endif
