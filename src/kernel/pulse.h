/* How whoever works on a long unit tells how far it is and hears whether to go on. */
#ifndef KERNEL_PULSE_H
#define KERNEL_PULSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called many times a second, with the work done on the unit so far. False: stop. */
struct pulse {
    bool (*go_on)(void *context, uint64_t work);
    void *context;
};

/* Passes of a kernel between two calls: a few milliseconds. */
enum { PASSES_PER_PULSE = 4096 };

/* pulse: NULL to go on whatever happens. */
static inline bool pulse_go_on(const struct pulse *pulse, uint64_t work) {
    return pulse == NULL || pulse->go_on(pulse->context, work);
}

#endif
