#include "mpi/wire.h"

#include "cli/message.h"
#include "run/run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The structure of a message, and one of the items that follow. */
static const struct {
    size_t head, item;
} wire_size[WIRE_TAGS] = {
    [TAG_JOB] = {sizeof(struct wire_job), 1},
    [TAG_UNITS] = {sizeof(struct wire_units), sizeof(uint64_t)},
    [TAG_REPORT] = {sizeof(struct wire_report), sizeof(struct wire_result)}};

void wire_give_up(const char *reason) {
    message("%s", reason);
    MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    abort();
}

void *wire_allocate(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    return memory;
}

/* What every rank tells all others before anything else. No version may change it. */
struct hello {
    char build[128], host[128];
};

bool wire_same_build(void) {
    int ranks, me, other = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    struct hello mine = {"", ""}, *all = wire_allocate((size_t)ranks * sizeof *all);
    snprintf(mine.build, sizeof mine.build, "%s (messages %d-%zu-%zu-%zu)", nq_version(),
             WIRE_PROTOCOL, wire_size[TAG_JOB].head, wire_size[TAG_UNITS].head,
             wire_size[TAG_REPORT].head);
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

struct wire_job wire_job_of(const struct partition *partition) {
    struct wire_job out = {.n = partition->n,
                           .version = partition->plan_version,
                           .depth = partition->depth,
                           .units = partition->unit_count};
    snprintf(out.method, sizeof out.method, "%s", partition->method);
    snprintf(out.plan, sizeof out.plan, "%s", partition->plan);
    return out;
}

static void wire_describe(const struct wire_job *job, char *text, size_t size) {
    snprintf(text, size,
             "n = %d by method %.15s, plan %.15s (version %d), depth %d into %" PRIu64 " units",
             job->n, job->method, job->plan, job->version, job->depth, job->units);
}

bool wire_same_units(const struct wire_job *mine, const struct wire_job *of_rank_0,
                     struct failure *failure) {
    char here[160], there[160];
    wire_describe(mine, here, sizeof here);
    wire_describe(of_rank_0, there, sizeof there);
    if (strcmp(here, there) != 0)
        nqi_fail(failure, NQ_BAD_OPTION, "cuts %s, but rank 0 %s", here, there);
    return strcmp(here, there) == 0;
}

void wire_send(int to, enum wire_tag tag, const void *head, const void *items) {
    uint64_t count;
    memcpy(&count, head, sizeof count);
    size_t size = wire_size[tag].head, more = wire_size[tag].item * count;
    if (size + more > INT_MAX) /* MPI's limit; messages are far shorter */
        wire_give_up("a message of more than 2 GB");
    char *bytes = wire_allocate(size + more);
    memcpy(bytes, head, size);
    if (more > 0)
        memcpy(bytes + size, items, more);
    MPI_Send(bytes, (int)(size + more), MPI_BYTE, to, (int)tag, MPI_COMM_WORLD);
    free(bytes);
}

void wire_send_all(enum wire_tag tag, const void *head) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int rank = 1; rank < ranks; rank++)
        wire_send(rank, tag, head, head); /* no items */
}

/* Refuses a message that does not have the length that it should. */
static void wire_check(enum wire_tag tag, size_t size, const char *bytes, int sender) {
    const size_t least = wire_size[tag].head, item = wire_size[tag].item;
    uint64_t count = 0;
    char text[160];
    if (size >= least)
        memcpy(&count, bytes, sizeof count);
    if (size >= least && (size - least) % item == 0 && (size - least) / item == count)
        return;
    snprintf(text, sizeof text,
             "rank %d sent a message of %zu bytes: expected %zu and %" PRIu64 " times %zu",
             sender, size, least, count, item);
    wire_give_up(text);
}

bool wire_take(enum wire_tag tag, void *head, void **items, int *sender) {
    int found = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, MPI_COMM_WORLD, &found, &status);
    if (!found)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    const size_t size = (size_t)count, least = wire_size[tag].head;
    char *bytes = wire_allocate(size + 1);
    MPI_Recv(bytes, count, MPI_BYTE, status.MPI_SOURCE, (int)tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    wire_check(tag, size, bytes, status.MPI_SOURCE);
    memcpy(head, bytes, least);
    memmove(bytes, bytes + least, size - least);
    *items = bytes;
    *sender = status.MPI_SOURCE;
    return true;
}
