/* Matchers: count the pairs of signatures of two lists that have no bit in common.
 *
 * Matchers differ in speed only; all agree on the count. Each kernel has a matcher of the same
 * name, which needs that kernel's instructions and some more (avx2 BMI2, avx512 VBMI and
 * others). avx512bw is a matcher alone: its CPUs search with the kernel avx512.
 */
#ifndef JOIN_MATCHER_H
#define JOIN_MATCHER_H

#include "core/heartbeat.h"
#include "core/implementation.h"
#include "join/quarter.h"

struct matcher {
    struct implementation impl; /* first: a list of matchers is a list of implementations */
    /* From this n on, `join` with this matcher is faster than `search` with the kernel of the
     * same name, or with the fastest of the same CPUs (docs/tried.md). */
    int faster_from;
    struct listing listing;
    size_t scratch_bytes; /* of `match` */
    /* Adds to *pairs the number of pairs, one signature of each span, that have no bit in
     * common. The sum is not checked for overflow: docs/algorithm.md shows why it stays below
     * 2^64 ("Every unit counts once, and no sum wraps around"). Fastest if t is the longer one.
     * room, scratch: memory for this call alone, aligned to 64. Any room_count will do;
     * matcher_room() is enough for full speed. heartbeat: hears how many pairs are decided;
     * NULL, never stop. False: the heartbeat said stop. */
    bool (*match)(struct half_span t, struct half_span u, uint64_t *room, size_t room_count,
                  void *scratch, const struct heartbeat *heartbeat, uint64_t *pairs);
};

/* Returns the room that is enough for full speed, in signatures: three times that of both
 * lists' copies, which take up to 10 bytes a signature. Of a very long t, as much is scattered
 * at a time as there is room for, and at each level of its first splits there may be a copy of
 * u (join/scatter.h). */
static inline size_t matcher_room(size_t t_count, size_t u_count) {
    const size_t most_t = 1 << 22;
    return 4 * HALF_SLACK + (t_count <= most_t
                                 ? 4 * t_count + (t_count <= most_t / 8 ? 4 : 8) * u_count
                                 : 4 * most_t + 12 * u_count);
}

extern const struct matcher nqi_matcher_scalar64;
#ifdef NQ_X86_KERNELS
extern const struct matcher nqi_matcher_avx2, nqi_matcher_avx512bw, nqi_matcher_avx512;
#endif
#ifdef NQ_ARM_KERNELS
extern const struct matcher nqi_matcher_neon;
#endif

/* The `impl` of each matcher of this build: slowest first, NULL at the end. */
extern const struct implementation *const nqi_matcher_list[];

#endif
