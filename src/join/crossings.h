/* Listing halves with vectors (join/quarter.h, struct listing). The including file defines
 * LANES, an enumerator, and
 *
 *   lanes_load(from)                returns LANES signatures
 *   lanes_inside(count)             returns the first `count` lanes, or all if these are fewer
 *   lanes_lacking(v, diagonals)     returns the lanes that hold none of these diagonals
 *   lanes_store(v, chosen, out)     writes the chosen lanes; returns their number
 *   lanes_union(a, v, inside, out)  writes the unions of a with the lanes inside that have no
 *                                   bit in common with it; returns their number
 */
#ifndef JOIN_CROSSINGS_H
#define JOIN_CROSSINGS_H

#include "join/quarter.h"

/* The stretch with more signatures is taken LANES signatures at a time. */
static size_t combine_stretches(struct stretches left, struct stretches right, size_t first,
                                size_t end, size_t complement, uint64_t *out) {
    size_t count = 0;
    for (size_t s = first; s < end; s++) {
        const uint32_t *l = &left.start[s], *r = &right.start[s ^ complement];
        const struct half_span of_left = {left.signature + l[0], l[1] - l[0]},
                               of_right = {right.signature + r[0], r[1] - r[0]};
        const bool ordered = of_left.count <= of_right.count;
        const struct half_span shorter = ordered ? of_left : of_right,
                               longer = ordered ? of_right : of_left;
        for (size_t j = 0; j < longer.count; j += LANES) {
            const vec v = lanes_load(longer.signature + j);
            const unsigned inside = lanes_inside(longer.count - j);
            for (size_t i = 0; i < shorter.count; i++)
                count += lanes_union(shorter.signature[i], v, inside, out + count);
        }
    }
    return count;
}

/* Vectors that are filtered at once. */
enum { VECTORS_AT_ONCE = 256 };

static void stretches_remaining(struct stretches list, size_t stretches, uint64_t diagonals,
                                uint64_t *out, uint32_t *start) {
    uint8_t remain[VECTORS_AT_ONCE + 1];
    uint32_t before[VECTORS_AT_ONCE + 1], copied = 0;
    const size_t count = list.start[stretches];
    size_t next = 0;
    for (size_t begin = 0; begin <= count; begin += LANES * VECTORS_AT_ONCE) {
        const size_t rest = count - begin, vectors = rest / LANES < VECTORS_AT_ONCE
                                                         ? rest / LANES + 1
                                                         : VECTORS_AT_ONCE;
        for (size_t i = 0; i < vectors; i++) {
            const uint64_t *from = list.signature + begin + i * LANES;
            const unsigned lacks = lanes_lacking(lanes_load(from), diagonals);
            remain[i] = (uint8_t)lacks;
            before[i] = copied;
            copied += (uint32_t)lanes_store(lanes_load(from), lacks, out + copied);
        }
        for (; next <= stretches && list.start[next] - begin < vectors * LANES; next++) {
            const size_t at = list.start[next] - begin;
            start[next] =
                before[at / LANES] +
                (uint32_t)__builtin_popcount(remain[at / LANES] & ((1U << at % LANES) - 1));
        }
    }
}

#endif
