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

enum { LANES = 8 };
static inline vec lanes_load(const uint64_t *from) {
    return v_load(from);
}
static inline unsigned lanes_inside(size_t count) {
    return count >= LANES ? 0xff : (1U << count) - 1;
}
static inline unsigned lanes_lacking(vec v, uint64_t diagonals) {
    return _mm512_testn_epi64_mask(v, _mm512_set1_epi64((long long)diagonals));
}
static inline size_t lanes_store(vec v, unsigned chosen, uint64_t *out) {
    v_store(out, compress_64((__mmask8)chosen, v));
    return (size_t)__builtin_popcount(chosen);
}
static inline size_t lanes_union(uint64_t a, vec v, unsigned inside, uint64_t *out) {
    const vec of_a = _mm512_set1_epi64((long long)a);
    return lanes_store(_mm512_or_si512(of_a, v),
                       _mm512_mask_testn_epi64_mask((__mmask8)inside, of_a, v), out);
}
#include "join/crossings.h"

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

#endif
