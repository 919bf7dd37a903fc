/* Matchers under watch. */
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

/* What a matcher makes of copies of two lists; false when it stopped because the heartbeat said
 * no. Checks that it adds to the pairs, stays within the lists and their slack (which it gets
 * full of rubbish, as its room and its scratch memory), and that these are aligned to no more
 * than matcher.h says. */
bool try_matcher(const struct matcher *matcher, const uint64_t *a, size_t a_count,
                 const uint64_t *b, size_t b_count, size_t room_count,
                 const struct heartbeat *heartbeat, uint64_t *pairs);

#endif
