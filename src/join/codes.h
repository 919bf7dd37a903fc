/* Lists of signatures as codes of six bits, for the AVX-512 of Ice Lake and Zen 4: a format for
 * the splitter (join/split.h).
 *
 * The kept bits go in groups of six. The bits of a group that a signature has are a number from
 * 0 to 63, its *code*. The codes of all signatures for one group are a plane. A list consists
 * of *blocks* of 64 signatures, each of which has the 64 codes of every plane in turn. So a
 * vector has the codes of 64 signatures, and a function handles as many planes as are still
 * needed: its loops are compiled for each number of them.
 */
#ifndef JOIN_CODES_H
#define JOIN_CODES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/bits.h"
#include "join/half.h"
#include "join/vector_512.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    BLOCK = 64,
    PLANE_BITS = 6, /* 64 codes, which one vpermb can look up */
    ALL_OF_PLANE = (1 << PLANE_BITS) - 1,
    MOST_PLANES = (2 * NQ_MAX_N + PLANE_BITS - 1) / PLANE_BITS
};
_Static_assert((int)HALF_SLACK >= (int)BLOCK, "list_write reads whole blocks");

/* The statement for each number of planes. */
#define FOR_EACH_NUMBER_OF_PLANES(CASE)                                                        \
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10)
_Static_assert(MOST_PLANES == 10, "a case for every number of planes");

/* The blocks are aligned to 64, and the last one is not full: it may be empty. */
struct list {
    uint8_t *block; /* [block][plane][signature] */
    size_t count;   /* of signatures */
};

/* Returns the bytes 0 to 63. */
static inline vec codes_0_to_63(void) {
    return _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928,
                            0x2726252423222120, 0x1f1e1d1c1b1a1918, 0x1716151413121110,
                            0x0f0e0d0c0b0a0908, 0x0706050403020100);
}

/* Returns the bytes 0, 8, 16 ... 56, 1, 9 ...: the order that transposes 8 x 8 bytes. */
static inline vec transposed_bytes(void) {
    return _mm512_or_si512(
        _mm512_and_si512(_mm512_slli_epi16(codes_0_to_63(), 3), _mm512_set1_epi8(0x38)),
        _mm512_and_si512(_mm512_srli_epi16(codes_0_to_63(), 3), _mm512_set1_epi8(7)));
}

/* Transposes 8 x 8 bits in every 8 bytes. The first byte becomes the highest bits, and the
 * lowest bits the first byte. */
static inline vec codes_transpose(vec v) {
    const vec diagonal = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    return _mm512_gf2p8affine_epi64_epi8(diagonal, v, 0);
}

static inline size_t list_bytes(int planes, size_t count) {
    return (count / BLOCK + 1) * BLOCK * (size_t)planes;
}

static inline struct list list_at(int planes, uint8_t *memory, size_t count) {
    (void)planes;
    (void)count;
    return (struct list){.block = memory};
}

static inline uint8_t *list_end(int planes, const struct list *list) {
    return list->block + list_bytes(planes, list->count);
}

/* Returns the block of signature i. */
static inline uint8_t *codes_block_at(const struct list *list, int planes, size_t i) {
    return list->block + i / BLOCK * BLOCK * (size_t)planes;
}

static inline struct list list_part(int planes, const struct list *list, size_t begin,
                                    size_t end) {
    return (struct list){.block = codes_block_at(list, planes, begin), .count = end - begin};
}

static inline struct list list_copy(int planes, const struct list *list, uint8_t *memory) {
    memcpy(memory, list->block, list_bytes(planes, list->count));
    return (struct list){.block = memory, .count = list->count};
}

/* The last block of a list to which signatures are appended: in registers, since a block that
 * is stored and soon loaded again would make each step wait for the one before. */
struct tail {
    uint8_t *block;
    size_t count;           /* of signatures in the block, less than BLOCK */
    vec codes[MOST_PLANES]; /* [plane]; what follows the signatures does not matter */
};

static ALWAYS_INLINE struct tail codes_tail_of(int planes, const struct list *list) {
    struct tail tail;
    tail.block = codes_block_at(list, planes, list->count);
    tail.count = list->count % BLOCK;
    for (int p = 0; p < planes; p++)
        tail.codes[p] = v_load(tail.block + p * BLOCK);
    return tail;
}

/* Stores the last block, unless it is empty: then it may be one of the same list that is yet to
 * be read. Returns the number of the list's signatures. */
static ALWAYS_INLINE size_t codes_end(int planes, const struct list *list,
                                      const struct tail *tail) {
    if (tail->count > 0)
        for (int p = 0; p < planes; p++)
            v_store(tail->block + p * BLOCK, tail->codes[p]);
    return (size_t)(tail->block - list->block) / (size_t)planes + tail->count;
}

/* Appends some signatures of a block. The list's last block is stored each time, full or not:
 * no processor foresees which. If the list is the one that `from` is from, that block has been
 * read before. */
static ALWAYS_INLINE void codes_append(int planes, const vec *from, __mmask64 chosen,
                                       struct tail *tail) {
    /* Byte i of a plane is to come from byte order[i]: the chosen ones in turn, from `count`
     * on, and from 0 on when the block is full. */
    const vec count = _mm512_set1_epi8((char)tail->count),
              order = _mm512_permutexvar_epi8(_mm512_sub_epi8(codes_0_to_63(), count),
                                              compress_8(chosen, codes_0_to_63()));
    const __mmask64 vacant = _mm512_cmpge_epu8_mask(codes_0_to_63(), count);
    const size_t sum = tail->count + (size_t)__builtin_popcountll(chosen);
    const __mmask8 full = sum >= BLOCK ? 0xff : 0;
    uint8_t *block = tail->block;
    tail->count = sum % BLOCK;
    tail->block += sum / BLOCK * BLOCK * (size_t)planes;
    for (int p = 0; p < planes; p++) {
        const vec codes = _mm512_permutexvar_epi8(order, from[p]),
                  filled = _mm512_mask_mov_epi8(tail->codes[p], vacant, codes);
        v_store(block + p * BLOCK, filled);
        tail->codes[p] = _mm512_mask_mov_epi64(filled, full, codes);
    }
}

/* Returns the signatures of the block at i that are before `end`. */
static inline __mmask64 codes_before(size_t end, size_t i) {
    return end - i >= BLOCK ? UINT64_MAX : (UINT64_C(1) << (end - i)) - 1;
}

static ALWAYS_INLINE void codes_copy_without(int planes, const struct list *list, size_t begin,
                                             size_t end, int plane, vec bit, struct list *out) {
    struct tail to = codes_tail_of(planes, out);
    const uint8_t *from = codes_block_at(list, planes, begin), *tested = from + plane * BLOCK;
    for (size_t i = begin; i < end; i += BLOCK) {
        vec codes[MOST_PLANES];
        for (int p = 0; p < planes; p++)
            codes[p] = v_load(from + p * BLOCK);
        codes_append(planes, codes,
                     _mm512_mask_testn_epi8_mask(codes_before(end, i), v_load(tested), bit),
                     &to);
        from += planes * BLOCK;
        tested += planes * BLOCK;
    }
    out->count = codes_end(planes, out, &to);
}

static void list_copy_without(int planes, const struct list *from, size_t begin, size_t end,
                              int bit, struct list *to) {
    const vec mask = _mm512_set1_epi8((char)(1 << bit % PLANE_BITS));
    switch (planes) {
#define CASE(number)                                                                           \
    case number:                                                                               \
        codes_copy_without(number, from, begin, end, bit / PLANE_BITS, mask, to);              \
        break;
        FOR_EACH_NUMBER_OF_PLANES(CASE)
#undef CASE
    }
}

static ALWAYS_INLINE void codes_take_with(int planes, struct list *list, size_t begin,
                                          size_t end, int plane, vec bit, struct list *out) {
    struct tail to = codes_tail_of(planes, out), rest = codes_tail_of(planes, list);
    const uint8_t *from = codes_block_at(list, planes, begin), *tested = from + plane * BLOCK;
    for (size_t i = begin; i < end; i += BLOCK) {
        const __mmask64 all = codes_before(end, i),
                        has = _mm512_mask_test_epi8_mask(all, v_load(tested), bit);
        vec codes[MOST_PLANES];
        for (int p = 0; p < planes; p++)
            codes[p] = v_load(from + p * BLOCK);
        codes_append(planes, codes, has, &to);
        codes_append(planes, codes, all & ~has, &rest);
        from += planes * BLOCK;
        tested += planes * BLOCK;
    }
    out->count = codes_end(planes, out, &to);
    list->count = codes_end(planes, list, &rest);
}

static void list_take_with(int planes, struct list *list, size_t begin, size_t end, int bit,
                           struct list *to) {
    const vec mask = _mm512_set1_epi8((char)(1 << bit % PLANE_BITS));
    switch (planes) {
#define CASE(number)                                                                           \
    case number:                                                                               \
        codes_take_with(number, list, begin, end, bit / PLANE_BITS, mask, to);                 \
        break;
        FOR_EACH_NUMBER_OF_PLANES(CASE)
#undef CASE
    }
}

/* How to do without a plane, `dropped`. The last plane takes its place. Then a plane keeps the
 * bits `keep`, and gets bits of the dropped plane by a matrix over GF(2); both are the same for
 * all eight bytes of a word. */
struct moves {
    int dropped;
    uint64_t keep[MOST_PLANES], matrix[MOST_PLANES];
};

static ALWAYS_INLINE void codes_drop_plane(int planes, const struct moves *moves,
                                           struct list *list, size_t begin, size_t end) {
    vec keep[MOST_PLANES], matrix[MOST_PLANES];
    for (int p = 0; p < planes - 1; p++) {
        keep[p] = _mm512_set1_epi64((long long)moves->keep[p]);
        matrix[p] = _mm512_set1_epi64((long long)moves->matrix[p]);
    }
    const uint8_t *from = codes_block_at(list, planes, begin);
    uint8_t *to = codes_block_at(list, planes - 1, begin);
    for (size_t i = begin; i < end; i += BLOCK) {
        const vec dropped = v_load(from + moves->dropped * BLOCK),
                  last = v_load(from + (planes - 1) * BLOCK);
        for (int p = 0; p < planes - 1; p++) {
            const vec codes = p == moves->dropped ? last : v_load(from + p * BLOCK),
                      moved = _mm512_gf2p8affine_epi64_epi8(dropped, matrix[p], 0);
            v_store(to + p * BLOCK, /* codes & keep | moved */
                    _mm512_ternarylogic_epi64(codes, keep[p], moved, 0xea));
        }
        from += planes * BLOCK;
        to += (planes - 1) * BLOCK;
    }
}

static void list_drop_plane(int planes, const struct moves *moves, struct list *list,
                            size_t begin, size_t end) {
    switch (planes) {
#define CASE(number)                                                                           \
    case number:                                                                               \
        codes_drop_plane(number, moves, list, begin, end);                                     \
        break;
        FOR_EACH_NUMBER_OF_PLANES(CASE)
#undef CASE
    }
}

struct sample {
    vec having[MOST_PLANES]; /* 64 bits for each bit of a plane */
};

static void sample_list(int planes, const struct list *list, struct sample *sample) {
    vec *in = sample->having;
    /* Blocks: docs/tried.md has the numbers tried. */
    size_t most = list->count / 1024 + 2, blocks = most < 32 ? most : 32;
    for (int p = 0; p < planes; p++)
        in[p] = _mm512_setzero_si512();
    for (size_t i = 0; i < blocks; i++) {
        const uint8_t *block =
            codes_block_at(list, planes, (2 * i + 1) * list->count / (2 * blocks));
        for (int p = 0; p < planes; p++) {
            const vec ones = _mm512_popcnt_epi8(codes_transpose(v_load(block + p * BLOCK)));
            in[p] = _mm512_add_epi64(
                in[p], _mm512_sad_epu8(_mm512_permutexvar_epi8(transposed_bytes(), ones),
                                       _mm512_setzero_si512()));
        }
    }
}

/* Returns the bits of a plane that any signature of a list has. */
static inline unsigned codes_bits_of_plane(int planes, const struct list *list, int plane) {
    const uint8_t *codes = list->block + plane * BLOCK;
    vec bits = _mm512_setzero_si512();
    for (size_t i = 0; i < list->count; i += BLOCK, codes += planes * BLOCK)
        bits =
            _mm512_or_si512(bits, _mm512_maskz_loadu_epi8(codes_before(list->count, i), codes));
    uint64_t all = (uint64_t)_mm512_reduce_or_epi64(bits);
    all |= all >> 32;
    all |= all >> 16;
    return (unsigned)(all | all >> 8) & ALL_OF_PLANE;
}

/* Live bits: six for each plane. */
static inline unsigned codes_live_in(uint64_t live, int plane) {
    return (unsigned)(live >> (PLANE_BITS * plane)) & ALL_OF_PLANE;
}
static inline uint64_t codes_of_plane(unsigned bits, int plane) {
    return (uint64_t)bits << (PLANE_BITS * plane);
}

/* A plane has six neighbouring bits of signatures, from one that is kept on. Others among them
 * make no difference: at most one of the lists has them. */
struct format {
    int planes;
    uint64_t live;                            /* the kept bits as bits of codes */
    uint8_t first[(MOST_PLANES + 7) / 8 * 8]; /* [plane]: its first bit in a signature */
};

static struct format format_of(uint64_t bits) {
    struct format format = {.planes = 0};
    while (bits != 0) {
        const int first = __builtin_ctzll(bits);
        const uint64_t plane = (uint64_t)ALL_OF_PLANE << first;
        format.live |= codes_of_plane((unsigned)((bits & plane) >> first), format.planes);
        format.first[format.planes++] = (uint8_t)first;
        bits &= ~plane;
    }
    return format;
}

/* Writes up to eight planes of a block, from eight places with eight signatures each. */
static ALWAYS_INLINE void codes_write_planes(int planes, const uint64_t *list, size_t distance,
                                             const uint8_t *first, uint8_t *block) {
    const vec shifts = _mm512_set1_epi64(*(const long long *)(const void *)first),
              all = _mm512_set1_epi8(ALL_OF_PLANE);
    vec v[8], pair[2][4];
    /* Of each place, the codes of eight signatures for each plane in turn. */
    for (size_t i = 0; i < 8; i++)
        v[i] = _mm512_permutexvar_epi8(
            transposed_bytes(),
            _mm512_multishift_epi64_epi8(shifts, v_load(list + distance * i)));
    /* Of each plane the codes of all places: a transposition of 8 x 8 words. */
    for (size_t i = 0; i < 4; i++) {
        pair[0][i] = _mm512_unpacklo_epi64(v[2 * i], v[2 * i + 1]);
        pair[1][i] = _mm512_unpackhi_epi64(v[2 * i], v[2 * i + 1]);
    }
    for (int odd = 0; odd < 2; odd++) {
        const vec *p = pair[odd];
        const vec low[2] = {_mm512_shuffle_i64x2(p[0], p[1], 0x88),
                            _mm512_shuffle_i64x2(p[2], p[3], 0x88)},
                  high[2] = {_mm512_shuffle_i64x2(p[0], p[1], 0xdd),
                             _mm512_shuffle_i64x2(p[2], p[3], 0xdd)};
        const vec plane[4] = {_mm512_shuffle_i64x2(low[0], low[1], 0x88),
                              _mm512_shuffle_i64x2(high[0], high[1], 0x88),
                              _mm512_shuffle_i64x2(low[0], low[1], 0xdd),
                              _mm512_shuffle_i64x2(high[0], high[1], 0xdd)};
        for (int i = 0; i < 4 && 2 * i + odd < planes; i++)
            v_store(block + (2 * i + odd) * BLOCK, _mm512_and_si512(plane[i], all));
    }
}

static ALWAYS_INLINE void codes_write_block(int planes, const uint64_t *list, size_t distance,
                                            const struct format *format, uint8_t *block) {
    codes_write_planes(planes < 8 ? planes : 8, list, distance, format->first, block);
    if (planes > 8)
        codes_write_planes(planes - 8, list, distance, format->first + 8, block + 8 * BLOCK);
}

static ALWAYS_INLINE void codes_write(int planes, const uint64_t *list, size_t count,
                                      const struct format *format, size_t begin, size_t end,
                                      const struct list *out) {
    const size_t eighth = count / BLOCK * 8, whole = 8 * eighth;
    for (size_t i = begin; i < end; i += BLOCK)
        codes_write_block(planes, i < whole ? list + i / 8 : list + i, i < whole ? eighth : 8,
                          format, codes_block_at(out, planes, i));
}

/* Mixes the list: every block is a sample of all eighths of it. */
static void list_write(int planes, const struct format *format, const uint64_t *from,
                       size_t count, size_t begin, size_t end, const struct list *to) {
    switch (planes) {
#define CASE(number)                                                                           \
    case number:                                                                               \
        codes_write(number, from, count, format, begin, end, to);                              \
        break;
        FOR_EACH_NUMBER_OF_PLANES(CASE)
#undef CASE
    }
}

/* Chooses the plane with the fewest live bits, and moves these to bits of other planes that are
 * free or dead. */
static struct moves choose_moves(int planes, uint64_t *live) {
    const int last = planes - 1;
    struct moves moves = {0};
    for (int p = 1; p <= last; p++)
        if (__builtin_popcount(codes_live_in(*live, p)) <
            __builtin_popcount(codes_live_in(*live, moves.dropped)))
            moves.dropped = p;
    unsigned bits = codes_live_in(*live, moves.dropped);
    uint64_t moved = 0;
    for (int p = 0; p < last; p++) {
        unsigned kept = codes_live_in(*live, p == moves.dropped ? last : p),
                 unused = ~kept & ALL_OF_PLANE;
        moves.keep[p] = kept * UINT64_C(0x0101010101010101);
        for (; bits != 0 && unused != 0; bits &= bits - 1, unused &= unused - 1) {
            /* Row 7 - i of a matrix says which bits to add up for bit i. */
            moves.matrix[p] |= (uint64_t)(bits & -bits) << (8 * (7 - __builtin_ctz(unused)));
            kept |= unused & -unused;
        }
        moved |= codes_of_plane(kept, p);
    }
    *live = moved;
    return moves;
}

static int best_bit(int planes, uint64_t live, size_t t_count, const struct sample *t,
                    const struct sample *u) {
    (void)t_count;
    vec best = _mm512_setzero_si512(), number = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    for (int p = 0; p < planes; p++) {
        const vec pairs = _mm512_maskz_mul_epu32((__mmask8)codes_live_in(live, p), t->having[p],
                                                 u->having[p]);
        best = _mm512_max_epu64(best, _mm512_or_si512(_mm512_slli_epi64(pairs, 8), number));
        number = _mm512_add_epi64(number, _mm512_set1_epi64(PLANE_BITS));
    }
    const uint64_t most = _mm512_reduce_max_epu64(best);
    return most < 256 ? -1 : (int)(most % 256);
}

static uint64_t list_bits(int planes, const struct list *list) {
    uint64_t bits = 0;
    for (int p = 0; p < planes; p++)
        bits |= codes_of_plane(codes_bits_of_plane(planes, list, p), p);
    return bits;
}

#endif
