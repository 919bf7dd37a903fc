/* SPDX-License-Identifier: MIT */
/* The wavefront's arrays are neighbours in its scratch memory, so that no guard and no
 * sanitizer sees a write past the end of one into the next. This kernel checks that each load
 * and store of a vector lies within one array. Its arrays grow with the number of lanes, as
 * those of every instruction set do. */
#include "search/kernel.h"
#include "search/mask.h"

#include <stdio.h>
#include <stdlib.h>

enum { LANES = 4, MIN_PASS = 24 * LANES, MAX_PASS = 48 * LANES };
typedef uint32_t vec __attribute__((vector_size(16)));

static void check(const uint32_t *at);
#define CHECK(at) check(at)

#define EACH(i) for (int i = 0; i < LANES; i++)

static inline vec v_or_3(vec a, vec b, vec c) {
    return a | b | c;
}
static inline vec v_both(vec a, vec b) {
    vec result;
    EACH(i) {
        result[i] = a[i] < b[i] ? a[i] : b[i];
    }
    return result;
}
static inline vec v_shift_right(vec v, vec count) {
    return v >> count;
}
static inline vec v_shift_left(vec v, vec count) {
    return v << count;
}
static inline mask v_equal(vec a, vec b) {
    mask m = 0;
    EACH(i) {
        m |= (mask)(a[i] == b[i]) << i;
    }
    return m;
}
static inline mask v_nonzero(vec v) {
    return ~v_equal(v, (vec){0}) & ((1U << LANES) - 1);
}
static inline mask v_nonzero_disjoint(vec v, vec a, vec b) {
    return v_nonzero(v) & v_equal(a & b, (vec){0});
}
static inline bool v_any(vec v) {
    return v_nonzero(v) != 0;
}

typedef mask compression;
static inline compression compression_of(mask m) {
    return m;
}
/* The lanes behind those that are kept do not matter, and become rubbish. */
static inline vec v_compress(compression p, vec v) {
    vec result = (vec){0} + 0xa5a5a5a5;
    int count = 0;
    EACH(i) {
        if ((p >> i & 1) != 0)
            result[count++] = v[i];
    }
    return result;
}

#define KERNEL_NAME   "checked"
#define KERNEL_SYMBOL wavefront_on_words
extern const struct kernel wavefront_on_words;
#include "search/wavefront.h"

static const unsigned char *memory; /* the scratch memory of the only thread */

static void check(const uint32_t *at) {
    size_t offset = (size_t)((const unsigned char *)at - memory);
    const size_t array = ROOM * sizeof(uint32_t);
    if (offset < sizeof(struct scratch) && offset % array + sizeof(vec) <= array)
        return;
    printf("Bail out! a vector at word %zu of array %zu, which has %d\n",
           offset % array / sizeof(uint32_t), offset / array, (int)ROOM);
    fflush(stdout);
    abort();
}

static bool checked_count(const struct family *family, int row, const struct state *states,
                          size_t n, void *scratch, const struct heartbeat *heartbeat,
                          struct tally *tally) {
    memory = scratch;
    return wavefront_on_words.count(family, row, states, n, scratch, heartbeat, tally);
}

const struct kernel kernel_checked = {.impl = {.name = "checked"},
                                      .scratch_bytes = sizeof(struct scratch),
                                      .count = checked_count};
