/* SPDX-License-Identifier: MIT */
#include "mpi/ranks.h"

#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The bytes of a message without items, of an item, and of a message with all items. */
static const struct {
    size_t head, item, all;
} wire_size[WIRE_TAGS] = {
    [TAG_ORDER] = {sizeof(struct wire_order), 1, sizeof(struct wire_order)},
    [TAG_REPORT] = {offsetof(struct wire_report, result), sizeof(struct wire_result),
                    sizeof(struct wire_report)},
    [TAG_UNITS] = {offsetof(struct wire_units, unit), sizeof(uint64_t),
                   sizeof(struct wire_units)}};

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
    snprintf(mine.build, sizeof mine.build, "%s (messages %d-%zu-%zu-%zu)", nq_version(),
             WIRE_PROTOCOL, wire_size[TAG_ORDER].all, wire_size[TAG_UNITS].all,
             wire_size[TAG_REPORT].all);
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

/* The length of a message, by its number of items. */
static size_t wire_length(enum wire_tag tag, const void *message) {
    uint64_t items;
    memcpy(&items, message, sizeof items);
    return items <= MAX_ITEMS ? wire_size[tag].head + wire_size[tag].item * items : 0;
}

void wire_send(int to, enum wire_tag tag, const void *message) {
    MPI_Send(message, (int)wire_length(tag, message), MPI_BYTE, to, (int)tag, MPI_COMM_WORLD);
}

void wire_send_order(const struct wire_order *order) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int rank = 1; rank < ranks; rank++)
        wire_send(rank, TAG_ORDER, order);
}

bool wire_take(enum wire_tag tag, void *message, int *sender) {
    int found = 0, length = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, MPI_COMM_WORLD, &found, &status);
    if (!found)
        return false;
    *sender = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_BYTE, &length);
    const size_t size = (size_t)length;
    bool right = size >= wire_size[tag].head && size <= wire_size[tag].all;
    if (right) {
        MPI_Recv(message, length, MPI_BYTE, *sender, (int)tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        right = size == wire_length(tag, message);
    }
    if (!right) {
        char text[128];
        snprintf(text, sizeof text,
                 "rank %d sent a message of %zu bytes: expected %zu and %zu for each item",
                 *sender, size, wire_size[tag].head, wire_size[tag].item);
        wire_give_up(text);
    }
    return true;
}
