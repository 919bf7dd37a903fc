/* SPDX-License-Identifier: MIT */
#include "mpi/ranks.h"

#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void wire_give_up(const char *reason) {
    message("%s", reason);
    MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    abort();
}

/* What every rank tells all others before anything else. No version may change it. */
struct hello {
    char build[128], host[128];
};

bool wire_same_build(void) {
    int ranks, me, other = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    struct hello mine = {"", ""}, *all = malloc((size_t)ranks * sizeof *all);
    if (all == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    snprintf(mine.build, sizeof mine.build, "%s (messages %d-%zu)", nq_version(), WIRE_PROTOCOL,
             sizeof(struct wire));
    gethostname(mine.host, sizeof mine.host - 1);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    while (other < ranks && memcmp(all[other].build, all[0].build, sizeof mine.build) == 0)
        other++;
    if (other < ranks && me == 0)
        message("rank %d on host '%.127s' runs version %.127s, but rank 0 runs version %s",
                other, all[other].host, all[other].build, mine.build);
    free(all);
    return other == ranks;
}

/* The bytes of a message without items, and those of an item. */
static const size_t wire_head = offsetof(struct wire, result);

static size_t wire_item(int kind) {
    return kind == WIRE_UNITS ? sizeof(uint64_t) : sizeof(struct wire_result);
}

void wire_send(int to, const struct wire *message) {
    const size_t length = wire_head + message->items * wire_item((int)message->kind);
    MPI_Send(message, (int)length, MPI_BYTE, to, (int)message->kind, MPI_COMM_WORLD);
}

void wire_order(enum wire_kind kind, const nq_job *job, const char *kernel) {
    static struct wire order; /* megabytes */
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    order.kind = kind;
    if (kind == WIRE_COUNT) {
        order.job = *job;
        snprintf(order.kernel, sizeof order.kernel, "%s", kernel != NULL ? kernel : "");
    }
    for (int rank = 1; rank < ranks; rank++)
        wire_send(rank, &order);
}

bool wire_take(struct wire *message, int *sender) {
    int found = 0, length = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    if (!found)
        return false;
    *sender = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_BYTE, &length);
    const size_t size = (size_t)length, item = wire_item(status.MPI_TAG);
    bool right = size >= wire_head && size <= sizeof *message;
    if (right) {
        MPI_Recv(message, length, MPI_BYTE, *sender, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        right = message->items <= MAX_ITEMS && size == wire_head + message->items * item;
    }
    if (!right) {
        char text[128];
        snprintf(text, sizeof text,
                 "rank %d sent a message of %zu bytes: expected %zu and %zu for each item",
                 *sender, size, wire_head, item);
        wire_give_up(text);
    }
    return true;
}
