/* Matcher `scalar64`: portable C. The reference for the other matchers, and the fallback on
 * CPUs without their instructions.
 *
 * Leaves by tables: a block of T, one signature for each bit of a word, is transposed (bit
 * slicing): for each bit of a signature, one word says which signatures of the block have it.
 * The bits go in groups of seven. Each group has a table that holds, for every code (a set of
 * bits of the group), the word of the signatures that lack all bits of the code (the method of
 * Four Russians). A signature of U then costs one look-up a group and their AND: the word of
 * the signatures that fit it. Carry-save adders add up these words before bits are counted
 * (Harley-Seal).
 */
#include "join/half.h"
#include "join/lacking.h"

#include <string.h>

typedef uint64_t word;
enum { LEAF = 192, FASTER_FROM = 14 };
enum {
    BLOCK = 64,    /* signatures of T */
    MOST_U = 4096, /* signatures of U whose codes are kept */
    GROUP_BITS = 7,
    CODES = 1 << GROUP_BITS, /* values that the bits of a group can take */
    MOST_GROUPS = (2 * NQ_MAX_N + GROUP_BITS - 1) / GROUP_BITS
};
_Static_assert(MOST_GROUPS == 8, "a byte of a 64-bit word for every group");

/* The groups that a leaf uses, by rising numbers. */
struct groups {
    int count, number[MOST_GROUPS];
};

struct leaf_memory {
    word table[MOST_GROUPS][CODES];
    word row[BLOCK];       /* a block, transposed in place */
    uint64_t code[MOST_U]; /* [signature of U]: a byte for each group in use */
};

/* Returns a signature's codes for the groups in use, a byte each, the first group's lowest. */
static inline uint64_t codes_of(uint64_t signature, const struct groups *used) {
    uint64_t code = 0;
    for (int i = 0; i < used->count; i++)
        code |= (signature >> (GROUP_BITS * used->number[i]) & (CODES - 1)) << (8 * i);
    return code;
}

/* One bit a round: not every CPU has popcnt, and most words have few bits. */
static inline uint64_t bits_in(word w) {
    uint64_t count = 0;
    for (; w != 0; w &= w - 1)
        count++;
    return count;
}

/* Returns the groups that have any of these bits. */
static struct groups groups_of(uint64_t bits) {
    struct groups used = {0};
    for (int g = 0; g < MOST_GROUPS; g++)
        if ((bits >> (GROUP_BITS * g) & (CODES - 1)) != 0)
            used.number[used.count++] = g;
    return used;
}

/* Transposes 64 x 64 bits, by exchanging ever smaller squares: bit i of row[j] becomes what
 * bit j of row[i] was. */
static void transpose(word *row) {
    uint64_t low = UINT64_C(0x00000000ffffffff); /* columns of the left squares */
    for (int size = 32; size != 0; size /= 2, low ^= low << size)
        for (int i = 0; i < BLOCK; i = (i + size + 1) & ~size) {
            word exchange = ((row[i] >> size) ^ row[i + size]) & low;
            row[i] ^= exchange << size;
            row[i + size] ^= exchange;
        }
}

/* Makes the tables of a block of T, for the groups in use. Where gcc 12 inlines it, n = 15
 * takes 3 % more instructions. */
static __attribute__((noinline)) void make_tables(const uint64_t *t, size_t count,
                                                  const struct groups *used,
                                                  struct leaf_memory *memory) {
    for (size_t i = 0; i < BLOCK; i++)
        memory->row[i] = i < count ? t[i] : 0;
    transpose(memory->row);
    for (int i = 0; i < used->count; i++) {
        word *table = memory->table[i];
        table[0] = i == 0 && count < BLOCK ? ((word)1 << count) - 1 : ~(word)0;
        for (int bit = 0; bit < GROUP_BITS; bit++) {
            word lack = ~memory->row[GROUP_BITS * used->number[i] + bit];
            for (int code = 0; code < 1 << bit; code++)
                table[code | 1 << bit] = table[code] & lack;
        }
    }
}

/* The number of bits in many words: one + 2 two + 4 four + 8 eights, where a word stands for
 * the number of its bits. Carries out of `four` are counted at once, so that no digit
 * overflows; they are one word for every eight added. */
struct counter {
    word one, two, four;
    uint64_t eights;
};

/* A carry-save adder: adds a and b to a digit, bit by bit, and returns the carries. */
static inline word carry(word *digit, word a, word b) {
    word half = *digit ^ a, both = *digit & a;
    *digit = half ^ b;
    return both | (half & b);
}

/* Adds eight words. */
static inline __attribute__((always_inline)) void add_words(struct counter *counter,
                                                            const word *w) {
    word two_a = carry(&counter->one, w[0], w[1]), two_b = carry(&counter->one, w[2], w[3]);
    word four_a = carry(&counter->two, two_a, two_b);
    two_a = carry(&counter->one, w[4], w[5]);
    two_b = carry(&counter->one, w[6], w[7]);
    word four_b = carry(&counter->two, two_a, two_b);
    counter->eights += bits_in(carry(&counter->four, four_a, four_b));
}

/* Returns the word of the block's signatures that fit the signature of U with these codes. */
static inline __attribute__((always_inline)) word
look_up(int groups, const struct leaf_memory *memory, uint64_t code) {
    word fits = memory->table[0][(uint8_t)code];
    for (int g = 1; g < groups; g++)
        fits &= memory->table[g][(uint8_t)(code >> (8 * g))];
    return fits;
}

/* Counts the pairs that fit, of the block and of the signatures of U whose codes are kept. */
static inline __attribute__((always_inline)) uint64_t
count_pairs(int groups, const struct leaf_memory *memory, size_t count) {
    struct counter counter = {0};
    uint64_t pairs = 0;
    size_t u = 0;
    for (; u + 8 <= count; u += 8) {
        word fits[8];
        for (size_t i = 0; i < 8; i++)
            fits[i] = look_up(groups, memory, memory->code[u + i]);
        add_words(&counter, fits);
    }
    for (; u < count; u++)
        pairs += bits_in(look_up(groups, memory, memory->code[u]));
    return pairs + bits_in(counter.one) + 2 * bits_in(counter.two) + 4 * bits_in(counter.four) +
           8 * counter.eights;
}

/* Chooses the loop for this number of groups. */
static uint64_t match_block(int groups, const struct leaf_memory *memory, size_t count) {
    switch (groups) {
#define CASE(groups)                                                                           \
    case groups:                                                                               \
        return count_pairs(groups, memory, count)
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
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

static uint64_t match_leaf(const uint64_t *t, size_t t_count, const uint64_t *u, size_t u_count,
                           struct leaf_memory *memory) {
    uint64_t bits = bits_of(t, t_count) & bits_of(u, u_count), pairs = 0;
    if (bits == 0)
        return t_count * u_count;
    const struct groups used = groups_of(bits);
    for (size_t j = 0; j < u_count; j += MOST_U) {
        size_t us = u_count - j < MOST_U ? u_count - j : MOST_U;
        for (size_t k = 0; k < us; k++)
            memory->code[k] = codes_of(u[j + k], &used);
        for (size_t i = 0; i < t_count; i += BLOCK) {
            size_t ts = t_count - i < BLOCK ? t_count - i : BLOCK;
            make_tables(t + i, ts, &used, memory);
            pairs += match_block(used.count, memory, us);
        }
    }
    return pairs;
}

/* Samples 64 signatures at equal distances. */
static void sample_bits(const uint64_t *list, size_t count, uint8_t *in) {
    /* A counter for each bit of a signature, bit-sliced: digit[d] has digit d of all counters.
     * None overflows, since 64 < 2^7. */
    uint64_t digit[7] = {0};
    for (size_t i = 0; i < 64; i++) {
        uint64_t carry = list[(count - 1) * i / 63];
        for (int d = 0; d < 7; d++) {
            uint64_t both = digit[d] & carry;
            digit[d] ^= carry;
            carry = both;
        }
    }
    for (int bit = 0; bit < 64; bit++) {
        unsigned number = 0;
        for (int d = 0; d < 7; d++)
            number |= (unsigned)(digit[d] >> bit & 1) << d;
        in[bit] = (uint8_t)number;
    }
}

static size_t partition(int bit, uint64_t *list, size_t count, uint64_t *with) {
    size_t taken = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t signature = list[i], has = signature >> bit & 1;
        with[taken] = list[left] = signature;
        taken += has;
        left += has ^ 1;
    }
    return taken;
}

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++) {
            out[count] = a[i] | b[j];
            count += (a[i] & b[j]) == 0;
        }
    return count;
}

static size_t halves_holding(const uint64_t *list, size_t count, uint64_t diagonals,
                             uint64_t held, uint64_t *out) {
    size_t copied = 0;
    for (size_t i = 0; i < count; i++) {
        out[copied] = list[i];
        copied += (list[i] & diagonals) == held;
    }
    return copied;
}

#define MATCHER_NAME   "scalar64"
#define MATCHER_SYMBOL nqi_matcher_scalar64
#include "join/split.h"
