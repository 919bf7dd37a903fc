/* SPDX-License-Identifier: MIT */
/* Memory for what is tested, full of rubbish and aligned to 64 bytes. Every other time it has
 * guards around it, and is aligned to no more; else it has no byte to spare, so that
 * AddressSanitizer sees an access beside it. */
#ifndef TESTS_ROOM_H
#define TESTS_ROOM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, RUBBISH = 0xa5 };

struct room {
    unsigned char *memory, *own; /* own: what is tested may write */
    size_t bytes;
    bool guarded;
};

static inline struct room room_new(size_t bytes) {
    static unsigned rooms;
    struct room room = {.bytes = bytes, .guarded = rooms++ % 2 == 0};
    const size_t all = bytes + (room.guarded ? 2 * GUARD : bytes == 0);
    void *memory = NULL;
    if (posix_memalign(&memory, room.guarded ? 128 : 64, all) != 0) {
        printf("Bail out! out of memory\n");
        exit(1);
    }
    room.memory = memory;
    room.own = room.memory + (room.guarded ? GUARD : 0);
    memset(memory, (int)(rooms * 37 % 256), all);
    if (room.guarded) {
        memset(room.memory, RUBBISH, GUARD);
        memset(room.own + bytes, RUBBISH, GUARD);
    }
    return room;
}

/* The same with a copy of these bytes at its beginning. */
static inline struct room room_with(const void *bytes, size_t count) {
    struct room room = room_new(count);
    if (count > 0)
        memcpy(room.own, bytes, count);
    return room;
}

/* Frees the memory. Returns whether the guards are as they were. */
static inline bool room_end(struct room *room) {
    bool whole = true;
    for (size_t i = 0; i < GUARD && room->guarded; i++)
        whole = whole && room->memory[i] == RUBBISH && room->own[room->bytes + i] == RUBBISH;
    free(room->memory);
    return whole;
}

#endif
