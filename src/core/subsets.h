/* The subsets of the columns of one side of a board, or of the rows of one half, in order of
 * their keys. Elements are counted from the board's edge, so the last one is nearest to the
 * middle.
 *
 * A set and its complement have the same key, and no other set has it. Keys decide which of two
 * solutions that are a quarter turn apart method `join` counts (docs/algorithm.md, "The quarter
 * turn"). The counts are right with any keys; with these the fewest pairs of halves remain of
 * all simple rules tried. The larger the sum of a set's elements is, or that of its complement
 * if that is smaller, the lower is the key.
 */
#ifndef CORE_SUBSETS_H
#define CORE_SUBSETS_H

#include <nqueens.h>

#include <stddef.h>
#include <stdint.h>

struct subsets {
    uint32_t key[1 << (NQ_MAX_N / 2)];    /* [set] */
    uint16_t by_key[1 << (NQ_MAX_N / 2)]; /* all sets: by size, and each size by key */
    uint16_t first[NQ_MAX_N / 2 + 2];     /* [size]: index of the first one in by_key; of larger
                                             sizes than there are, 2^elements */
    uint16_t rank[1 << (NQ_MAX_N / 2)];   /* [set]: number of those of its size before it */
};

/* Returns the number of sets of a size, 0..elements. */
static inline size_t subsets_of_size(const struct subsets *subsets, int size) {
    return (size_t)(subsets->first[size + 1] - subsets->first[size]);
}

/* Returns what turns the rank of a set of this size into that of its complement, by XOR. Keys
 * order the complements of sets like the sets, except that of a set and its complement, if they
 * have the same size, one follows the other. */
static inline size_t subsets_complement(int elements, int size) {
    return 2 * size == elements && elements > 0;
}

/* Fills in the subsets of 0..NQ_MAX_N / 2 elements. */
void nqi_subsets_init(struct subsets *subsets, int elements);

/* Returns the index in by_key of the first set of this size whose key is at least `key`;
 * first[size + 1] if there is none. */
size_t nqi_subsets_from(const struct subsets *subsets, int size, uint32_t key);

#endif
