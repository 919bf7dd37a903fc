/* Heartbeat: the solver of a long unit reports its progress and learns whether to go on. */
#ifndef CORE_HEARTBEAT_H
#define CORE_HEARTBEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* go_on is called many times a second with the work done on the unit so far. False: stop. */
struct heartbeat {
    bool (*go_on)(void *context, uint64_t work);
    void *context;
};

/* Passes of a kernel between two heartbeats: a few milliseconds. */
enum { PASSES_PER_BEAT = 4096 };

/* Reports the work done so far, and returns whether to go on. heartbeat: NULL, never stop. */
static inline bool heartbeat_go_on(const struct heartbeat *heartbeat, uint64_t work) {
    return heartbeat == NULL || heartbeat->go_on(heartbeat->context, work);
}

#endif
