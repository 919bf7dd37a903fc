/* Matcher `scalar64`: portable C, blocks of 64 signatures. The reference for the other
 * matchers, and the fallback on CPUs without their instructions. */
#include "join/group.h"
#include "join/half.h"

typedef uint64_t word;
enum { LANES = 1, LEAF = 192, FASTER_FROM = 14 };

static inline uint64_t pack(uint64_t signature, uint64_t bits) {
    (void)bits; /* without pext, packing takes longer than the look-ups that it saves */
    return signature;
}

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
#include "join/leaf.h"
#include "join/split.h"
