/* A match under way: what it has found, and when its heartbeat is due. */
#ifndef JOIN_MATCHING_H
#define JOIN_MATCHING_H

#include "core/heartbeat.h"

/* Time is measured in pairs that a leaf looks at, of which the slowest matcher decides more
 * than a hundred million a second: so many between two heartbeats, and so many as take at
 * least as long as preparing a leaf, or moving one signature of a list. */
enum { PAIRS_PER_BEAT = 1 << 22, PAIRS_OF_LEAF = 1 << 12, PAIRS_OF_MOVE = 1 << 5 };
enum { MOST_MOVES = PAIRS_PER_BEAT / PAIRS_OF_MOVE };

struct matching {
    struct leaf_memory *memory; /* of the matcher, for a leaf */
    const struct heartbeat *heartbeat;
    uint64_t pairs;   /* that have no bit in common */
    uint64_t decided; /* pairs looked at or excluded */
    uint64_t unheard; /* time since the last heartbeat */
    bool stopped;
};

/* Lets time pass. */
static inline void pass(struct matching *matching, uint64_t time) {
    matching->unheard += time;
    if (matching->unheard < PAIRS_PER_BEAT || matching->stopped)
        return;
    matching->unheard = 0;
    matching->stopped = !heartbeat_go_on(matching->heartbeat, matching->decided);
}

#endif
