/* Listing halves without vectors (join/quarter.h, struct listing): to store only those of two
 * lanes that stay takes more instructions than two stores and a comparison each. */
#ifndef JOIN_LISTING_H
#define JOIN_LISTING_H

#include "join/quarter.h"

static size_t combine_stretches(struct stretches left, struct stretches right, size_t first,
                                size_t end, size_t complement, uint64_t *out) {
    size_t count = 0;
    for (size_t s = first; s < end; s++)
        for (size_t i = left.start[s]; i < left.start[s + 1]; i++) {
            const uint64_t of_left = left.signature[i];
            const size_t rights_end = right.start[(s ^ complement) + 1];
#pragma GCC unroll 4
            for (size_t j = right.start[s ^ complement]; j < rights_end; j++) {
                const uint64_t of_right = right.signature[j];
                out[count] = of_left | of_right;
                count += (of_left & of_right) == 0;
            }
        }
    return count;
}

static void stretches_remaining(struct stretches list, size_t stretches, uint64_t diagonals,
                                uint64_t *out, uint32_t *start) {
    uint32_t copied = 0;
    start[0] = 0;
    for (size_t i = 0; i < stretches; i++) {
        for (size_t j = list.start[i]; j < list.start[i + 1]; j++) {
            out[copied] = list.signature[j];
            copied += (list.signature[j] & diagonals) == 0;
        }
        start[i + 1] = copied;
    }
}

static size_t halves_holding(const uint64_t *list, size_t count, uint64_t diagonals,
                             uint64_t held, uint64_t *out) {
    size_t copied = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        const uint64_t signature = list[i];
        out[copied] = signature;
        copied += (signature & diagonals) == held;
    }
    return copied;
}

#endif
