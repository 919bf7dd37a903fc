/* SPDX-License-Identifier: MIT */
/* Completer `avx512` for CPUs with VBMI2, which compresses lanes of 16 bits: the frontier on 32
 * of them. src/meson.build gives this file its flags.
 *
 * A word has no room for the diagonals that a first placement attacks. So a state has
 * the number of its first placement in the batch. Two vectors hold the columns that the batch's
 * placements attack in a row: the number of a placement is that of its lane. A state's words
 * are
 *
 *   columns   columns taken, and above them the number of the first placement
 *   right     columns of the row to fill that are attacked along diagonals of the second class,
 *   left      which from row to row lead right, to higher columns, or left; rows ascend or
 *             descend, so that they move one way
 */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "colours/completer.h"
#include "core/compress.h"

enum { LANES = 32, TOGETHER = 4, PASS = 1024, ROUND_LANES = LANES * TOGETHER, ONE_WAY = 1 };
typedef uint16_t word;
typedef uint16_t vec __attribute__((vector_size(64)));
typedef __mmask32 mask;
typedef mask compression;

static inline vec v_load(const word *from) {
    return (vec)_mm512_loadu_si512(from);
}
static inline void v_store(word *to, vec v) {
    _mm512_storeu_si512(to, (__m512i)v);
}
static inline vec v_broadcast(uint32_t lane) {
    return (vec)_mm512_set1_epi16((short)lane);
}
static inline vec v_lowest(vec v) {
    return v & (0 - v);
}
static inline vec v_first_lanes(size_t k, vec v) {
    return (vec)_mm512_maskz_mov_epi16(k < LANES ? (UINT32_C(1) << k) - 1 : UINT32_MAX,
                                       (__m512i)v);
}
static inline mask v_nonzero(vec v) {
    return _mm512_test_epi16_mask((__m512i)v, (__m512i)v);
}
static inline unsigned mask_lanes(mask m) {
    return (unsigned)__builtin_popcount(m);
}
static inline compression compression_of(mask m) {
    return m;
}
static inline vec v_compress(compression lanes, vec v) {
    return (vec)compress_16(lanes, (__m512i)v);
}

struct lanes {
    vec columns, right, left;
};

struct step {
    vec all;         /* the columns */
    vec attacked[2]; /* [first placement]: columns of this row */
    vec entry[2];    /* last row: its table, and what to flip in a completion's columns */
    __m128i columns; /* their number, a shift */
    __m128i rows;    /* to the next row, a shift; in the last row without a meaning */
};

static inline __m256i attacked_by_16(const uint32_t *right, const uint32_t *left, __m128i up,
                                     __m128i row) {
    return _mm512_cvtepi32_epi16(
        _mm512_or_si512(_mm512_srl_epi32(_mm512_loadu_si512(right), up),
                        _mm512_srl_epi32(_mm512_loadu_si512(left), row)));
}

static inline vec attacked_by(const uint32_t *right, const uint32_t *left, __m128i up,
                              __m128i row) {
    return (vec)_mm512_inserti64x4(_mm512_castsi256_si512(attacked_by_16(right, left, up, row)),
                                   attacked_by_16(right + 16, left + 16, up, row), 1);
}

static inline vec entry_of(const struct batch *batch, size_t at, __m128i columns,
                           uint32_t flip) {
    const vec table =
        (v_load(batch->rank + at) ^ v_broadcast(batch->flip)) + v_broadcast(batch->base);
    return (vec)_mm512_sll_epi16((__m512i)table, columns) ^ v_broadcast(flip);
}

static inline struct step step_of(const struct second *second, const struct batch *batch,
                                  int at, uint32_t flip) {
    const int row = second->row[at];
    const __m128i up = _mm_cvtsi32_si128(second->last - row), down = _mm_cvtsi32_si128(row);
    const __m128i columns = _mm_cvtsi32_si128(second->columns);
    const bool last = at + 1 == second->row_count;
    return (struct step){
        .all = v_broadcast(low_bits(second->columns)),
        .attacked = {attacked_by(batch->right, batch->left, up, down),
                     attacked_by(batch->right + LANES, batch->left + LANES, up, down)},
        .entry = {last ? entry_of(batch, 0, columns, flip) : (vec){0},
                  last ? entry_of(batch, LANES, columns, flip) : (vec){0}},
        .columns = columns,
        .rows = _mm_cvtsi32_si128(last ? 0 : abs(second->row[at + 1] - row))};
}

/* Returns for each state what belongs to its first placement. */
static inline vec lanes_lookup(const struct step *step, struct lanes v, const vec of[2]) {
    const __m512i number = _mm512_srl_epi16((__m512i)v.columns, step->columns);
    return (vec)_mm512_permutex2var_epi16((__m512i)of[0], number, (__m512i)of[1]);
}

static inline vec lanes_free(const struct step *step, struct lanes v) {
    return ~(v.columns | v.right | v.left | lanes_lookup(step, v, step->attacked)) & step->all;
}

static inline struct lanes lanes_moved(const struct step *step, struct lanes v) {
    return (struct lanes){v.columns, (vec)_mm512_sll_epi16((__m512i)v.right, step->rows),
                          (vec)_mm512_srl_epi16((__m512i)v.left, step->rows)};
}

static inline struct lanes lanes_place(const struct step *step, struct lanes v, vec queen) {
    return (struct lanes){v.columns | queen,
                          v.right | (vec)_mm512_sll_epi16((__m512i)queen, step->rows),
                          v.left | (vec)_mm512_srl_epi16((__m512i)queen, step->rows)};
}

static inline struct lanes lanes_last(const struct step *step, struct lanes v) {
    return (struct lanes){.columns =
                              (v.columns & step->all) ^ lanes_lookup(step, v, step->entry)};
}

static inline vec lanes_finish(const struct step *step, struct lanes v, vec queen) {
    (void)step;
    return (v.columns ^ queen) >> 1;
}

/* The states of the first row begin with nothing but their number. */
static inline void frontier_start(const struct second *second, const struct batch *batch,
                                  word *columns, word *right, word *left) {
    for (size_t i = 0; i < batch->count; i++) {
        columns[i] = (word)(i << second->columns);
        right[i] = left[i] = 0;
    }
}

_Static_assert(COLOURS_LINES < 16, "a bit for the number of a placement");

/* As many as two vectors hold, and as there are numbers above the columns. For 15 columns that
 * is two, and still faster than with lanes of 32 bits. */
static size_t frontier_most(int columns) {
    return columns <= 10 ? 2 * LANES : (size_t)1 << (16 - columns);
}

#define UNBALANCED &nqi_completer_avx512
#define KERNEL     avx512vbmi2
#include "colours/frontier.h"
