/* The order of subsets, compared with its description. */
#include "core/subsets.h"

#include "core/bits.h"

#include <criterion/criterion.h>

static uint32_t sum_of(uint32_t set) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 32; i++)
        sum += (set >> i & 1) != 0 ? i : 0;
    return sum;
}

static struct subsets subsets;

Test(subsets, only_a_set_and_its_complement_have_the_same_key) {
    static uint32_t with_key[1 << 21];
    for (int elements = 0; elements <= NQ_MAX_N / 2; elements++) {
        nqi_subsets_init(&subsets, elements);
        for (uint32_t set = 0; set <= low_bits(elements); set++) {
            cr_assert_lt(subsets.key[set], sizeof with_key / sizeof *with_key);
            with_key[subsets.key[set]] = UINT32_MAX;
        }
        for (uint32_t set = 0; set <= low_bits(elements); set++) {
            uint32_t *other = &with_key[subsets.key[set]];
            cr_assert(*other == UINT32_MAX || (*other ^ set) == low_bits(elements),
                      "%d elements: %#x and %#x", elements, *other, set);
            *other = set;
            cr_assert_eq(subsets.key[set], subsets.key[low_bits(elements) ^ set]);
        }
    }
}

/* Sets that are smaller than their complements. */
Test(subsets, keys_fall_with_the_sum_of_elements) {
    for (int elements = 1; elements <= 10; elements++) {
        nqi_subsets_init(&subsets, elements);
        for (uint32_t a = 0; a <= low_bits(elements); a++)
            for (uint32_t b = 0; b <= low_bits(elements); b++)
                if (2 * __builtin_popcount(a) < elements && sum_of(a) > sum_of(b) &&
                    2 * __builtin_popcount(b) < elements)
                    cr_assert_lt(subsets.key[a], subsets.key[b], "%#x and %#x", a, b);
    }
}

Test(subsets, each_set_is_listed_once_by_size_and_key) {
    for (int elements = 0; elements <= NQ_MAX_N / 2; elements++) {
        nqi_subsets_init(&subsets, elements);
        static bool seen[1 << (NQ_MAX_N / 2)];
        for (uint32_t set = 0; set <= low_bits(elements); set++)
            seen[set] = false;
        cr_assert_eq(subsets.first[0], 0);
        cr_assert_eq(subsets.first[elements + 1], low_bits(elements) + 1);
        for (int size = 0; size <= elements; size++)
            for (size_t i = subsets.first[size]; i < subsets.first[size + 1]; i++) {
                const uint32_t set = subsets.by_key[i];
                cr_assert(set <= low_bits(elements) && !seen[set]);
                seen[set] = true;
                cr_assert_eq(__builtin_popcount(set), size);
                cr_assert(i == subsets.first[size] ||
                          subsets.key[set] >= subsets.key[subsets.by_key[i - 1]]);
            }
    }
}

Test(subsets, the_first_set_from_a_key_on_is_found) {
    for (int elements = 0; elements <= 8; elements++) {
        nqi_subsets_init(&subsets, elements);
        for (int size = 0; size <= elements; size++)
            for (uint32_t set = 0; set <= low_bits(elements); set++)
                for (uint32_t key = subsets.key[set]; key < subsets.key[set] + 2; key++) {
                    size_t expected = subsets.first[size];
                    while (expected < subsets.first[size + 1] &&
                           subsets.key[subsets.by_key[expected]] < key)
                        expected++;
                    cr_assert_eq(nqi_subsets_from(&subsets, size, key), expected);
                }
    }
}
