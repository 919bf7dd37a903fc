/* Matchers: count the pairs of two lists of signatures that have no bit in common.
 *
 * Matchers differ in speed only; all agree on the count. One exists for each kernel's
 * instruction set, under the kernel's name.
 */
#ifndef JOIN_MATCHER_H
#define JOIN_MATCHER_H

#include "join/quarter.h"
#include "kernel/pulse.h"

struct matcher {
    const char *name;
    bool (*runs_here)(void);
    fit_function *fit;
    /* What `match` needs to itself besides the lists: bytes, aligned to 64. */
    size_t scratch_bytes;
    /* Adds to *pairs the number of pairs of a signature of each list that have no bit in
     * common. What is in the longer list afterwards is of no use. room, scratch: memory for
     * `match` alone, aligned to 64; it gets by with any room for signatures, and does well with
     * 4 times as many as are in both lists. pulse: NULL to go on whatever happens; it is told
     * how many pairs are decided. False: the pulse said no. */
    bool (*match)(struct half_list *a, struct half_list *b, uint64_t *room, size_t room_count,
                  void *scratch, const struct pulse *pulse, uint64_t *pairs);
};

extern const struct matcher matcher_scalar64;
#ifdef NQ_X86_KERNELS
extern const struct matcher matcher_avx2, matcher_avx512;
#endif

/* Chooses the matcher of that name, as kernel_choose does. */
nq_status matcher_choose(const char *name, const struct matcher **matcher, char *detail,
                         size_t size);

/* The matchers of this build, slowest first; NULL, or false, past the last. */
const struct matcher *matcher_at(size_t index);
bool matcher_info(size_t index, nq_kernel_info *info);

#endif
