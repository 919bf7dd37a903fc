#include "core/subsets.h"

#include "core/bits.h"

/* Of the set and its complement, whichever is smaller; of two equally large ones, that without
 * the last element. Returns the sum of its elements. */
static uint32_t sum_of_smaller(uint32_t set, int elements) {
    const uint32_t other = low_bits(elements) & ~set;
    const int size = __builtin_popcount(set), others = elements - size;
    uint32_t sum = 0;
    for (uint32_t rest = size < others || (size == others && set < other) ? set : other;
         rest != 0; rest &= rest - 1)
        sum += (uint32_t)__builtin_ctz(rest);
    return sum;
}

/* All sums are at most 0 + 1 + ... + 13. */
enum { GREATEST_SUM = NQ_MAX_N / 2 * (NQ_MAX_N / 2 - 1) / 2 };

/* Sets of one sum differ in the second term. */
static uint32_t subset_key(uint32_t set, int elements) {
    const uint32_t all = low_bits(elements), other = all & ~set;
    return (GREATEST_SUM - sum_of_smaller(set, elements)) << elements |
           (all - (set < other ? set : other));
}

void nqi_subsets_init(struct subsets *subsets, int elements) {
    const uint32_t all = low_bits(elements);
    uint16_t next[NQ_MAX_N / 2 + 2] = {0};
    uint8_t sums[1 << (NQ_MAX_N / 2 - 1)]; /* [set without the last element]: sum_of_smaller */
    for (uint32_t set = 0; set <= all >> 1; set++)
        sums[set] = (uint8_t)sum_of_smaller(set, elements);
    for (uint32_t set = 0; set <= all; set++) {
        subsets->key[set] = subset_key(set, elements);
        next[__builtin_popcount(set) + 1]++;
    }
    for (int size = 1; size <= elements; size++)
        next[size + 1] = (uint16_t)(next[size] + next[size + 1]);
    for (int size = 0; size <= NQ_MAX_N / 2 + 1; size++)
        subsets->first[size] = size <= elements ? next[size] : (uint16_t)(all + 1);
    /* In order of keys: by falling sums, then from the largest number without the last element
     * down. */
    for (int sum = GREATEST_SUM; sum >= 0; sum--)
        for (uint32_t low = all >> 1, i = 0; i <= low; i++) {
            const uint32_t set = low - i, other = all & ~set;
            if (sums[set] != sum)
                continue;
            subsets->by_key[next[__builtin_popcount(set)]++] = (uint16_t)set;
            if (other != set)
                subsets->by_key[next[__builtin_popcount(other)]++] = (uint16_t)other;
        }
    for (uint32_t i = 0; i <= all; i++) {
        const uint16_t set = subsets->by_key[i];
        subsets->rank[set] = (uint16_t)(i - subsets->first[__builtin_popcount(set)]);
    }
}

size_t nqi_subsets_from(const struct subsets *subsets, int size, uint32_t key) {
    size_t low = subsets->first[size], high = subsets->first[size + 1];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (subsets->key[subsets->by_key[middle]] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
