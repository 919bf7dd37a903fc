/* Matcher `scalar64`: portable C. The reference for the other matchers, and the fallback on
 * CPUs without their instructions.
 */
#include <stdint.h>

#include "join/listing.h"
#include "join/word_moves.h"

enum { LEAF_T = 128, LEAF_U = 256, FASTER_FROM = 14, AKIN = 0, TILES = 1 };
typedef uint64_t vec;
typedef uint64_t lanes_64;

static inline vec v_and_3(vec a, vec b, vec c) {
    return a & b & c;
}

static inline vec v_carry(vec *digit, vec a, vec b) {
    const vec half = *digit ^ a, both = *digit & a;
    *digit = half ^ b;
    return both | (half & b);
}

/* One bit a round: not every CPU has popcnt, and most words have few bits. */
static inline vec v_bits_in(vec word) {
    vec count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}
#include "join/counter.h"

#define MATCHER_NAME   "scalar64"
#define MATCHER_SYMBOL nqi_matcher_scalar64
#include "join/bytes.h"
#include "join/match.h"
