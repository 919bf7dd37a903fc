/* Vectors of 512 bits: what the matchers for AVX-512 have in common. */
#ifndef JOIN_VECTOR_512_H
#define JOIN_VECTOR_512_H

#include "core/compress_avx512.h"

#include <stddef.h>
#include <stdint.h>

typedef __m512i vec;

static inline vec v_load(const void *from) {
    return _mm512_loadu_si512(from);
}
static inline void v_store(void *to, vec v) {
    _mm512_storeu_si512(to, v);
}

/* A carry-save adder (join/counter.h). The last argument of ternary logic has what becomes of
 * each three bits. */
static inline vec v_carry(vec *digit, vec a, vec b) {
    const vec carries =
        _mm512_ternarylogic_epi64(*digit, a, b, 0xe8);      /* two or three are set */
    *digit = _mm512_ternarylogic_epi64(*digit, a, b, 0x96); /* one or three */
    return carries;
}

static inline vec v_and_3(vec a, vec b, vec c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0x80);
}

/* Returns the lanes of the vector at list[i] that are within the list. */
static inline __mmask8 lanes_at(size_t i, size_t count) {
    return (__mmask8)(count - i >= 8 ? 0xff : (1u << (count - i)) - 1);
}

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    size_t count = 0;
    for (size_t j = 0; j < b_count; j += 8) {
        vec of_b = v_load(b + j);
        const __mmask8 inside = lanes_at(j, b_count);
        for (size_t i = 0; i < a_count; i++) {
            vec of_a = _mm512_set1_epi64((long long)a[i]);
            __mmask8 fits = _mm512_mask_testn_epi64_mask(inside, of_a, of_b);
            _mm512_storeu_si512(out + count, compress_64(fits, _mm512_or_si512(of_a, of_b)));
            count += (size_t)__builtin_popcount(fits);
        }
    }
    return count;
}

static size_t halves_holding(const uint64_t *list, size_t count, uint64_t diagonals,
                             uint64_t held, uint64_t *out) {
    const vec looked_at = _mm512_set1_epi64((long long)diagonals),
              wanted = _mm512_set1_epi64((long long)held);
    size_t copied = 0;
    for (size_t i = 0; i < count; i += 8) {
        vec v = v_load(list + i);
        __mmask8 fits = _mm512_mask_cmpeq_epi64_mask(lanes_at(i, count),
                                                     _mm512_and_si512(v, looked_at), wanted);
        _mm512_storeu_si512(out + copied, compress_64(fits, v));
        copied += (size_t)__builtin_popcount(fits);
    }
    return copied;
}

static void halves_lacking(const uint64_t *list, size_t count, uint64_t diagonals,
                           uint64_t *lacks) {
    const vec looked_at = _mm512_set1_epi64((long long)diagonals);
    uint8_t *byte = (uint8_t *)lacks;
    for (size_t i = 0; i < count; i += 8)
        byte[i / 8] = (uint8_t)_mm512_testn_epi64_mask(v_load(list + i), looked_at);
}

#endif
