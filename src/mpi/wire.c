/* SPDX-License-Identifier: MIT */
/* Sends and receives the messages of ranks.h, as the bytes of a struct up to its last item, so
 * that a short message does not take the megabytes of a full one. */
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

/* Ranks of any versions must understand each other here, so what this function sends must not
 * change. */
bool wire_same_build(void) {
    char first[128], host[WIRE_TEXT] = "";
    int me, same, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    snprintf(first, sizeof first, "%s", nq_version());
    MPI_Bcast(first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    same = strcmp(first, nq_version()) == 0;
    gethostname(host, sizeof host - 1);
    if (!same)
        message("rank %d on host '%s' runs version %s, but rank 0 runs version %.127s", me,
                host, nq_version(), first);
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
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
