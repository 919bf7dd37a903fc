/* Moving words one by one (join/words.h), without vectors: both stores of a split always
 * happen, and a bit, added to the end of a list, decides which one counts. */
#ifndef JOIN_WORD_MOVES_H
#define JOIN_WORD_MOVES_H

#include <stdint.h>

typedef uint32_t moved;
typedef uint32_t bit_test;
typedef unsigned compression;

static inline bit_test bit_test_of(int bit) {
    return UINT32_C(1) << bit;
}
static inline unsigned lanes_with(bit_test bit, moved word) {
    return (word & bit) != 0;
}
static inline compression compression_of(unsigned chosen) {
    return chosen;
}
static inline moved v_compress(compression chosen, moved word) {
    (void)chosen;
    return word;
}

#endif
