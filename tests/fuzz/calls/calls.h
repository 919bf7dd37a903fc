/* SPDX-License-Identifier: MIT */
/* Steps of made-up sequences. A step makes calls by six random bytes, of which 0 is the plain
 * case, and returns whether they did as a model says. */
#ifndef CALLS_H
#define CALLS_H

#include "truth.h"

#include <nqueens.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <watch.h>

/* What the processes of the tests share. */
struct shared {
    int at; /* the sequence that runs */
    char problem[1000];
};
extern struct shared *shared;
extern struct truth truths[TOP + 1];
extern nq_machine machine;
extern int first_pu;
extern bool loud;         /* print the calls */
extern unsigned patience; /* seconds until a child hangs */

#define SAY(...) (loud ? printf(__VA_ARGS__) : 0)

/* Notes a problem. Returns false. */
bool wrong(const char *format, ...);
#define HOLDS(truth) ((truth) || wrong("%s, line %d: not %s", __FILE_NAME__, __LINE__, #truth))

uint64_t random_next(uint64_t *state);

#define BIT(status) (1U << (status))

/* Returns whether `call` may return the status: one of `must` (bits), or else NQ_OK, or one of
 * `may`. */
bool judge(nq_status status, unsigned must, unsigned may, const char *call);

/* A count that a step asks for, and what it may return. */
struct request {
    int n;
    struct {
        nq_options known;
        char later[8];
    } options;
    unsigned must, may; /* as judge() has them */
    const struct truth *truth;
    struct truth of_board;
    bool has_board;
    char squares[TOP * TOP + 1], board[TOP * (TOP + 1) + 2], pus[16];
    struct watch watch;
    nq_status status;
    nq_result result;
};

/* ledger: NULL: none, and there may be a board. */
void request_make(const uint8_t *a, const char *ledger, struct request *r);
void request_say_options(const struct request *r);
void request_say(const struct request *r); /* the call of nq_count_solutions() */

/* Makes the call. method: the one that is counted by if the options name none. */
bool request_run(struct request *r, const char *method);

/* Locks of AddressSanitizer may stay locked in a child of fork(). */
#ifdef __SANITIZE_ADDRESS__
enum { CHILD_MAY_HANG = 1 };
#else
enum { CHILD_MAY_HANG = 0 };
#endif

/* Runs `work` in a new thread of a child: the caller may have counted. It returns NULL if all
 * was right. Returns what waitpid() stores. */
int in_child(void *(*work)(void *), void *context);

/* Returns whether a child of in_child() ended, and all was right. */
bool child_is_right(int status);

/* Removes the ledgers of the last sequence. */
void files_begin(void);

bool step_count(const uint8_t *a);
bool step_machine(const uint8_t *a);
bool step_pair(const uint8_t *a);
bool step_fork(const uint8_t *a);
bool step_ledger(const uint8_t *a);
bool step_kill(const uint8_t *a);
bool step_files(const uint8_t *a);
bool step_stale(const uint8_t *a);
bool step_list(const uint8_t *a);
bool step_placement(const uint8_t *a);
bool step_classes(const uint8_t *a);

#endif
