/* How whoever works on a long unit tells how far it is and hears whether to go on. */
#ifndef WORK_HEARTBEAT_H
#define WORK_HEARTBEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called many times a second, with the work done on the unit so far. False: stop. */
struct heartbeat {
    bool (*go_on)(void *context, uint64_t work);
    void *context;
};

/* Passes of a kernel between two calls: a few milliseconds. */
enum { PASSES_PER_BEAT = 4096 };

/* heartbeat: NULL to go on whatever happens. */
static inline bool heartbeat_go_on(const struct heartbeat *heartbeat, uint64_t work) {
    return heartbeat == NULL || heartbeat->go_on(heartbeat->context, work);
}

#endif
