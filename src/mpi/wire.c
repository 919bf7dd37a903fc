#include "mpi/wire.h"

#include "machine/clock.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return memory;
}

void wire_wait(int from, enum wire_tag tag) {
    int found = 0;
    for (;;) {
        MPI_Iprobe(from, (int)tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        if (found)
            return;
        nqi_pause_for(WIRE_PAUSE);
    }
}

void wire_send(int to, enum wire_tag tag, const void *head, size_t head_size, const void *items,
               size_t item_size, size_t count) {
    size_t size = head_size + item_size * count;
    if (size > INT_MAX) /* MPI's limit; messages are far shorter */
        MPI_Abort(MPI_COMM_WORLD, 3);
    char *message = allocate(size);
    memcpy(message, head, head_size);
    if (count > 0)
        memcpy(message + head_size, items, item_size * count);
    MPI_Send(message, (int)size, MPI_BYTE, to, (int)tag, MPI_COMM_WORLD);
    free(message);
}

bool wire_take(int from, enum wire_tag tag, void *head, size_t head_size, void **items,
               int *sender) {
    int found = 0, size = 0;
    MPI_Status status;
    *items = NULL;
    MPI_Iprobe(from, (int)tag, MPI_COMM_WORLD, &found, &status);
    if (!found)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *message = allocate((size_t)size);
    MPI_Recv(message, size, MPI_BYTE, status.MPI_SOURCE, (int)tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    memcpy(head, message, head_size);
    if ((size_t)size > head_size) {
        *items = allocate((size_t)size - head_size);
        memcpy(*items, message + head_size, (size_t)size - head_size);
    }
    free(message);
    *sender = status.MPI_SOURCE;
    return true;
}
