/* SPDX-License-Identifier: MIT */
#include "mpi/ranks.h"

#include "cli/say.h"

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

void wire_send(int to, const struct wire *message) {
    const size_t item = message->kind == WIRE_UNITS ? sizeof *message->unit
                                                    : sizeof *message->result,
                 length = offsetof(struct wire, result) + message->items * item;
    MPI_Send(message, (int)length, MPI_BYTE, to, 0, MPI_COMM_WORLD);
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
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status);
    if (!found)
        return false;
    *sender = status.MPI_SOURCE;
    MPI_Recv(message, sizeof *message, MPI_BYTE, *sender, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}
