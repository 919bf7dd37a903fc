/* SPDX-License-Identifier: MIT */
/* An X as a task, and the CPU's back end, which adds it up with a completer, in tables, batches
 * and vectors of its own. */
#ifndef COLOURS_TASK_H
#define COLOURS_TASK_H

#include "colours/board.h"
#include "colours/completer.h"
#include "core/method.h"

/* A set D of odd columns of black queens. */
struct odd_columns {
    uint8_t weight; /* of every Y that has them, for even n at most 1 */
    bool twice;     /* even n: Y with them count twice if their key exceeds that of X */
};

/* One colour's part in an X. */
struct x_side {
    const struct first_list *first;
    bool white; /* its odd columns are the complement of D */
    struct second second;
};

struct x_task {
    struct x_side fewer, more; /* the colour with fewer queens, which fills tables; the other */
    const struct odd_columns *columns; /* [rank of D] */
    size_t begin, end, sets; /* ranks of the D that may count; number of all of that size */
    uint32_t key;            /* of X */
    /* Even n, where black has fewer queens: [entry]: the least image of black's even columns,
     * if white takes those of the entry. */
    const uint32_t *keys;
    bool counts;     /* whether the colour with more queens may have placements */
    uint64_t weight; /* number of X that it stands for */
};

/* Makes the back end of one thread. NULL: out of memory. */
struct cpu_backend *nqi_cpu_backend_new(const struct colours_board *board,
                                        const struct completer *completer);
void nqi_cpu_backend_free(struct cpu_backend *backend); /* NULL allowed */

/* Adds what the task contributes to *sum, whose work goes to the heartbeat.
 * NQ_CANCELLED: the heartbeat said stop. NQ_OVERFLOW. */
nq_status nqi_cpu_backend_add(struct cpu_backend *backend, const struct x_task *task,
                              const struct heartbeat *heartbeat, struct unit_result *sum);

#endif
