/* Matchers run in guarded memory, and a heartbeat for them. */
#ifndef UNIT_MATCHERS_H
#define UNIT_MATCHERS_H

#include "implementations.h"

/* A heartbeat that checks the work reported to it, and its context. */
struct answers {
    uint64_t calls;
    uint64_t no_at; /* the call that is answered with no; 0: none */
    uint64_t work;  /* reported so far */
    uint64_t most;  /* that may be reported */
};
bool answer(void *context, uint64_t work);

/* Runs a matcher on copies of two lists. False: it stopped because the heartbeat said no. The
 * matcher must add to the pairs, and keep to the lists with their slack, the room and the
 * scratch memory. Slack, room and scratch memory are full of rubbish; nothing is aligned to
 * more than matcher.h promises. */
bool try_matcher(const struct matcher *matcher, const uint64_t *a, size_t a_count,
                 const uint64_t *b, size_t b_count, size_t room_count,
                 const struct heartbeat *heartbeat, uint64_t *pairs);

#endif
