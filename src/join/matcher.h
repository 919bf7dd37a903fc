/* Matchers: count the pairs of two lists of signatures that have no bit in common.
 *
 * Matchers differ in speed only; all agree on the count. One exists for each kernel's
 * instruction set, under the kernel's name.
 */
#ifndef JOIN_MATCHER_H
#define JOIN_MATCHER_H

#include "cpu/implementation.h"
#include "join/quarter.h"
#include "work/heartbeat.h"

struct matcher {
    struct implementation impl; /* first: a list of matchers is one of implementations */
    /* The smallest n that the join with this matcher counts faster than the search does with
     * the kernel of the same name: with quarter tables, and without room for them. */
    int faster_from, faster_from_without_tables;
    combine_function *combine_disjoint;
    /* What `match` needs to itself besides the lists: bytes, aligned to 64. */
    size_t scratch_bytes;
    /* Adds to *pairs the number of pairs of a signature of each list that have no bit in
     * common. What is in the longer list afterwards is of no use. room, scratch: memory for
     * `match` alone, aligned to 64; it gets by with any room for signatures, and does well with
     * 4 times as many as are in both lists. heartbeat: NULL to go on whatever happens; it is
     * told how many pairs are decided. False: the heartbeat said no. */
    bool (*match)(struct half_list *a, struct half_list *b, uint64_t *room, size_t room_count,
                  void *scratch, const struct heartbeat *heartbeat, uint64_t *pairs);
};

extern const struct matcher nqi_matcher_scalar64;
#ifdef NQ_X86_KERNELS
extern const struct matcher nqi_matcher_avx2, nqi_matcher_avx512;
#endif

/* The matchers of this build, each one's `impl`: slowest first, NULL at the end. */
extern const struct implementation *const nqi_matcher_list[];

#endif
