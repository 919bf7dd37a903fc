/* Listing halves without vectors (join/quarter.h, struct listing): to store only those of two
 * lanes that stay takes more instructions than two stores and a comparison each. */
#ifndef JOIN_LISTING_H
#define JOIN_LISTING_H

#include <stddef.h>
#include <stdint.h>

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < a_count; i++) {
        const uint64_t of_a = a[i];
#pragma GCC unroll 4
        for (size_t j = 0; j < b_count; j++) {
            const uint64_t of_b = b[j];
            out[count] = of_a | of_b;
            count += (of_a & of_b) == 0;
        }
    }
    return count;
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

static void halves_lacking(const uint64_t *list, size_t count, uint64_t diagonals,
                           uint64_t *lacks) {
    for (size_t i = 0; i < count; i += 64) {
        const size_t end = count - i < 64 ? count : i + 64;
        uint64_t bits = 0;
        for (size_t j = i; j < end; j++)
            bits |= (uint64_t)((list[j] & diagonals) == 0) << (j - i);
        lacks[i / 64] = bits;
    }
}

#endif
