/* Matcher `neon`, for 64-bit Arm: blocks of 128 signatures.
 *
 * A leaf is matched by tables in memory, as in join/matcher_scalar64.c, with words of 128 bits.
 * NEON has no pext, but it can pack the bits of many signatures at a time; a packed signature
 * is then a code for each group of eight bits. It counts the bits of each byte of a word, which
 * takes fewer instructions than carry-save adders. Two blocks at a time share the work of
 * taking a code apart. Lists are split and combined without vectors: to store only those of two
 * lanes that stay takes more instructions (an estimate) than two stores and a comparison each.
 *
 * Tables in registers, which the matcher avx512 uses, model far worse: `tbl` looks up no more
 * than 16 codes at a time (docs/performance.md).
 */
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "join/half.h"
#include "join/lacking.h"

typedef uint64x2_t pair;  /* of signatures, or of their codes */
typedef uint8x16_t block; /* a bit for each signature: bit i of byte j for number 16 i + j */

enum {
    LEAF = 512,
    FASTER_FROM = 14, /* by instructions, not by time: docs/performance.md */
    GROUP_BITS = 8,   /* so that a packed signature holds its codes as bytes */
    CODES = 1 << GROUP_BITS,
    MOST_GROUPS = (2 * NQ_MAX_N + GROUP_BITS - 1) / GROUP_BITS,
    BLOCK = 128,     /* signatures of T */
    MOST_BLOCKS = 2, /* that are matched at once */
    PAIRS = 8,       /* of signatures, that are packed at once */
    ROUND = 8,       /* signatures of U whose fits are counted in bytes */
    MOST_U = 4088,   /* signatures of U that are packed at once */
    MOST_STEPS = 6   /* that move a bit, by 1, 2, 4, 8, 16 and 32 */
};
_Static_assert(HALF_SLACK >= 2 * PAIRS, "pack reads whole vectors");
_Static_assert(8 * ROUND <= UINT8_MAX, "no byte overflows in a round");
_Static_assert(16 * MOST_U <= UINT16_MAX, "no 16 bits overflow in a leaf");

struct leaf_memory {
    block table[MOST_BLOCKS][MOST_GROUPS][CODES];
    uint8x16_t t_code[8][8];           /* [group]: a byte for each signature of a block */
    uint64_t code[MOST_U + 2 * PAIRS]; /* [signature of U]: a byte for each group */
};

/* How to move some bits of a signature to its low end, in order and without gaps: each bit goes
 * to the right by the number of gaps below it. */
struct packing {
    uint64_t bits;
    uint64_t move[MOST_STEPS]; /* [i]: the bits that step i moves by 2^i */
    int steps;
};

/* Warren's compress: the parity of the number of gaps below a bit is the lowest digit of that
 * number, and with every second gap alone the parity is the next digit. */
static struct packing packing_of(uint64_t bits) {
    struct packing packing = {.bits = bits};
    uint64_t left = bits, gaps = ~bits << 1; /* a place higher: a bit looks below itself */
    for (int i = 0; i < MOST_STEPS; i++) {
        uint64_t odd = gaps;
        for (int width = 1; width < 64; width *= 2)
            odd ^= odd << width;
        packing.move[i] = odd & left;
        left = (left ^ packing.move[i]) | packing.move[i] >> (1 << i);
        gaps &= ~odd;
        if (packing.move[i] != 0)
            packing.steps = i + 1;
    }
    return packing;
}

static inline pair both(uint64_t word) {
    return vdupq_n_u64(word);
}

/* Packs 2 * PAIRS signatures. */
static inline __attribute__((always_inline)) void
pack(const uint64_t *list, const struct packing *packing, int steps, pair *code) {
    for (int i = 0; i < PAIRS; i++) {
        pair v = vandq_u64(vld1q_u64(list + 2 * i), both(packing->bits));
        for (int k = 0; k < steps; k++) {
            pair moving = vandq_u64(v, both(packing->move[k]));
            v = vbicq_u64(v, both(packing->move[k])) + (moving >> both(UINT64_C(1) << k));
        }
        code[i] = v;
    }
}

/* Packs signatures of U. */
static inline __attribute__((always_inline)) void pack_u(const uint64_t *u, size_t count,
                                                         const struct packing *packing,
                                                         int steps, uint64_t *code) {
    for (size_t i = 0; i < count; i += 2 * PAIRS) {
        pair codes[PAIRS];
        pack(u + i, packing, steps, codes);
        for (int k = 0; k < PAIRS; k++)
            vst1q_u64(code + i + 2 * (size_t)k, codes[k]);
    }
}

/* Packs signatures of T, a block at most, and sorts their codes by groups. */
static inline __attribute__((always_inline)) void pack_t(const uint64_t *t, size_t count,
                                                         const struct packing *packing,
                                                         int steps, uint8x16_t (*t_code)[8]) {
    for (size_t i = 0; 16 * i < count; i++) {
        pair codes[PAIRS];
        pack(t + 16 * i, packing, steps, codes);
        uint8x16_t v[8], next[8];
        for (int k = 0; k < 8; k++)
            v[k] = vreinterpretq_u8_u64(codes[k]);
        /* Three times the bytes at even places go to the first half, those at odd places to the
         * second half. So every byte goes to the vector with the number of its group. */
        for (int round = 0; round < 3; round++) {
            for (int k = 0; k < 4; k++) {
                next[k] = vuzp1q_u8(v[2 * k], v[2 * k + 1]);
                next[k + 4] = vuzp2q_u8(v[2 * k], v[2 * k + 1]);
            }
            for (int k = 0; k < 8; k++)
                v[k] = next[k];
        }
        for (int g = 0; g < 8; g++)
            t_code[g][i] = v[g];
    }
}

/* Transposes 8 x 8 bits in every byte, by exchanging ever smaller squares: bit i of v[j]
 * becomes what bit j of v[i] was. */
static inline __attribute__((always_inline)) void transpose(uint8x16_t *v) {
    const uint8x16_t pairs = vdupq_n_u8(0x33), singles = vdupq_n_u8(0x55);
    for (int i = 0; i < 4; i++) {
        uint8x16_t a = v[i], b = v[i + 4];
        v[i] = vsliq_n_u8(a, b, 4);
        v[i + 4] = vsriq_n_u8(b, a, 4);
    }
    for (int i = 0; i < 6; i += i == 1 ? 3 : 1) { /* 0, 1, 4, 5 */
        uint8x16_t a = v[i], b = v[i + 2];
        v[i] = vbslq_u8(pairs, a, vshlq_n_u8(b, 2));
        v[i + 2] = vbslq_u8(pairs, vshrq_n_u8(a, 2), b);
    }
    for (int i = 0; i < 8; i += 2) {
        uint8x16_t a = v[i], b = v[i + 1];
        v[i] = vbslq_u8(singles, a, vshlq_n_u8(b, 1));
        v[i + 1] = vbslq_u8(singles, vshrq_n_u8(a, 1), b);
    }
}

/* Returns the first `count` signatures of a block. */
static block first_of_block(size_t count) {
    static const uint8_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (count >= BLOCK)
        return vdupq_n_u8(0xff);
    /* Of each byte, as many bits as there are whole vectors, and perhaps one more. */
    uint8x16_t more = vcltq_u8(vld1q_u8(numbers), vdupq_n_u8((uint8_t)(count % 16)));
    uint8x16_t bits = vsubq_u8(vdupq_n_u8((uint8_t)(count / 16)), more);
    return vmvnq_u8(vshlq_u8(vdupq_n_u8(0xff), vreinterpretq_s8_u8(bits)));
}

/* Makes the table of a group: for every code, which signatures lack all of its bits. t_code:
 * the group's codes of the block. bits: how many the group has. present: which signatures there
 * are. */
static void make_table(const uint8x16_t *t_code, int bits, block present, block *table) {
    enum { LOW = 16 }; /* codes of the four lower bits */
    block has[8], low[LOW], high[CODES / LOW];
    for (int i = 0; i < 8; i++)
        has[i] = t_code[i];
    transpose(has);
    low[0] = present;
    high[0] = vdupq_n_u8(0xff);
    for (size_t bit = 0, size = 1; bit < 4; bit++, size *= 2)
        for (size_t code = 0; code < size; code++) {
            low[size + code] = vbicq_u8(low[code], has[bit]);
            high[size + code] = vbicq_u8(high[code], has[4 + bit]);
        }
    for (int i = 0; LOW * i < 1 << bits; i++)
#pragma GCC unroll 16
        for (int k = 0; k < LOW; k++)
            table[LOW * i + k] = vandq_u8(high[i], low[k]);
}

/* Adds to *sum the number of pairs of a round that fit, of the blocks and of `count` signatures
 * of U, ROUND at most. */
static inline __attribute__((always_inline)) void add_round(int groups, int blocks,
                                                            const struct leaf_memory *memory,
                                                            const uint64_t *code, size_t count,
                                                            uint16x8_t *sum) {
    uint8x16_t ones[MOST_BLOCKS];
    for (int b = 0; b < blocks; b++)
        ones[b] = vdupq_n_u8(0);
#pragma GCC unroll 8
    for (size_t i = 0; i < count; i++) {
        block fits[MOST_BLOCKS];
        for (int b = 0; b < blocks; b++)
            fits[b] = memory->table[b][0][(uint8_t)code[i]];
#pragma GCC unroll 8
        for (int g = 1; g < groups; g++) {
            uint8_t at = (uint8_t)(code[i] >> (8 * g));
            for (int b = 0; b < blocks; b++)
                fits[b] = vandq_u8(fits[b], memory->table[b][g][at]);
        }
        for (int b = 0; b < blocks; b++)
            ones[b] = vaddq_u8(ones[b], vcntq_u8(fits[b]));
    }
    for (int b = 0; b < blocks; b++)
        sum[b] = vpadalq_u8(sum[b], ones[b]);
}

/* Counts the pairs that fit, of the blocks and of the signatures of U whose codes are kept. */
static inline __attribute__((always_inline)) uint64_t
count_pairs(int groups, int blocks, const struct leaf_memory *memory, size_t count) {
    uint16x8_t sum[MOST_BLOCKS];
    uint64_t pairs = 0;
    for (int b = 0; b < blocks; b++)
        sum[b] = vdupq_n_u16(0);
    size_t u = 0;
    for (; u + ROUND <= count; u += ROUND)
        add_round(groups, blocks, memory, memory->code + u, ROUND, sum);
    if (u < count)
        add_round(groups, blocks, memory, memory->code + u, count - u, sum);
    for (int b = 0; b < blocks; b++)
        pairs += vaddlvq_u16(sum[b]);
    return pairs;
}

/* Chooses the loop for these numbers of groups and blocks. */
static uint64_t match_blocks(int groups, int blocks, const struct leaf_memory *memory,
                             size_t count) {
    switch (2 * groups + blocks) {
#define CASE(groups)                                                                           \
    case 2 * (groups) + 1:                                                                     \
        return count_pairs(groups, 1, memory, count);                                          \
    case 2 * (groups) + 2:                                                                     \
        return count_pairs(groups, 2, memory, count)
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
#undef CASE
    }
    __builtin_unreachable();
}

/* Returns the bits that are set in any signature of a list. */
static uint64_t bits_of(const uint64_t *list, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= list[i];
    return bits;
}

static inline __attribute__((always_inline)) uint64_t
match_packed(const uint64_t *t, size_t t_count, const uint64_t *u, size_t u_count,
             const struct packing *packing, int steps, struct leaf_memory *memory) {
    const int bits = __builtin_popcountll(packing->bits),
              groups = (bits + GROUP_BITS - 1) / GROUP_BITS;
    uint64_t pairs = 0;
    for (size_t j = 0; j < u_count; j += MOST_U) {
        size_t us = u_count - j < MOST_U ? u_count - j : MOST_U;
        pack_u(u + j, us, packing, steps, memory->code);
        for (size_t i = 0; i < t_count;) {
            int blocks = 0;
            for (; blocks < MOST_BLOCKS && i < t_count; blocks++, i += BLOCK) {
                const size_t left = t_count - i;
                pack_t(t + i, left < BLOCK ? left : BLOCK, packing, steps, memory->t_code);
                for (int g = 0; g < groups; g++)
                    make_table(memory->t_code[g],
                               bits - GROUP_BITS * g < GROUP_BITS ? bits - GROUP_BITS * g
                                                                  : GROUP_BITS,
                               g == 0 ? first_of_block(left) : vdupq_n_u8(0xff),
                               memory->table[blocks][g]);
            }
            pairs += match_blocks(groups, blocks, memory, us);
        }
    }
    return pairs;
}

static uint64_t match_leaf(const uint64_t *t, size_t t_count, const uint64_t *u, size_t u_count,
                           struct leaf_memory *memory) {
    enum { USUAL_STEPS = 4 };
    const uint64_t bits = bits_of(t, t_count) & bits_of(u, u_count);
    if (bits == 0)
        return t_count * u_count;
    const struct packing packing = packing_of(bits);
    return packing.steps <= USUAL_STEPS
               ? match_packed(t, t_count, u, u_count, &packing, USUAL_STEPS, memory)
               : match_packed(t, t_count, u, u_count, &packing, MOST_STEPS, memory);
}

static size_t partition(int bit, uint64_t *list, size_t count, uint64_t *with) {
    size_t taken = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        uint64_t signature = list[i];
        with[taken] = list[i - taken] = signature;
        taken += signature >> bit & 1;
    }
    return taken;
}

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < a_count; i++) {
        const uint64_t left = a[i];
#pragma GCC unroll 4
        for (size_t j = 0; j < b_count; j++) {
            const uint64_t right = b[j];
            out[count] = left | right;
            count += (left & right) == 0;
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

/* A carry-save adder: adds a and b to a digit, bit by bit, and returns the carries. */
static inline pair carry(pair *digit, pair a, pair b) {
    pair half = veorq_u64(*digit, a), carries = vbslq_u64(half, b, a);
    *digit = veorq_u64(half, b);
    return carries;
}

/* Samples eight runs of eight signatures each, at equal distances. */
static void sample_bits(const uint64_t *list, size_t count, uint8_t *in) {
    /* Counters of the signatures at even and at odd places, one for each bit, in binary digits.
     * None overflows, since 32 < 2^6. */
    enum { DIGITS = 6 };
    pair digit[DIGITS];
    for (int d = 0; d < DIGITS; d++)
        digit[d] = both(0);
    for (size_t i = 0; i < 8; i++) {
        const uint64_t *run = list + (count - 8) * i / 7;
        pair carries = carry(&digit[1], carry(&digit[0], vld1q_u64(run), vld1q_u64(run + 2)),
                             carry(&digit[0], vld1q_u64(run + 4), vld1q_u64(run + 6)));
        for (int d = 2; d < DIGITS; d++) {
            pair sum = veorq_u64(digit[d], carries);
            carries = vandq_u64(digit[d], carries);
            digit[d] = sum;
        }
    }
    static const uint8_t bit_of_byte[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                            1, 2, 4, 8, 16, 32, 64, 128};
    static const uint8_t first_and_second[16] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                 1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < 4; i++) { /* 16 bits of a signature */
        uint8x16_t number[2];
        for (int place = 0; place < 2; place++) {
            uint8x16_t at =
                vaddq_u8(vld1q_u8(first_and_second), vdupq_n_u8((uint8_t)(8 * place + 2 * i)));
            number[place] = vdupq_n_u8(0);
            for (int d = DIGITS - 1; d >= 0; d--) {
                uint8x16_t set = vtstq_u8(vqtbl1q_u8(vreinterpretq_u8_u64(digit[d]), at),
                                          vld1q_u8(bit_of_byte));
                number[place] = vsubq_u8(vaddq_u8(number[place], number[place]), set);
            }
        }
        vst1q_u8(in + 16 * i, vaddq_u8(number[0], number[1]));
    }
}

#define MATCHER_NAME   "neon"
#define MATCHER_SYMBOL nqi_matcher_neon
#include "join/split.h"
