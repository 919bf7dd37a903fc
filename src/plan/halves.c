#include "plan/halves.h"

#include "board/bits.h"
#include "work/cost.h"

#include <stdlib.h>

const char nqi_halves_name[] = "halves";

/* [n]: orbits in a unit; 0: one. Solving a unit takes hundreds of times as long as recording
 * it, and a board has a few million units at most. A change raises HALVES_VERSION. */
static const uint8_t orbits_per_unit[NQ_MAX_N + 1] = {
    [12] = 32, [13] = 64, [14] = 32, [15] = 64, [16] = 32, [17] = 64, [18] = 8, [19] = 16,
    [20] = 2,  [21] = 16, [23] = 16, [25] = 16, [26] = 2,  [27] = 32, [28] = 8,
};

static uint32_t complement(const struct halves *halves, uint32_t slots) {
    return low_bits(halves->slots) & ~slots;
}

/* A set and its complement always have equally many pairs. So have a set and its mirror image
 * if there is no middle queen, or if it is in the middle column. Any other middle queen is in
 * the left half of its row, and stands for its mirror image as well. */
uint64_t nqi_halves_orbit(const struct halves *halves, struct half_set set) {
    uint32_t others = complement(halves, set.slots);
    if (others < set.slots)
        return 0;
    uint64_t size = others == set.slots ? 1 : 2;
    if (set.middle != NO_MIDDLE && 2 * set.middle != halves->n - 1)
        return 2 * size;
    uint32_t mirror = mirrored_bits(set.slots, halves->slots);
    uint32_t mirror_others = complement(halves, mirror);
    if (mirror < set.slots || mirror_others < set.slots)
        return 0;
    return mirror == set.slots || mirror_others == set.slots ? size : 2 * size;
}

bool nqi_halves_next(const struct halves *halves, struct half_set *set) {
    if (set->slots == 0)
        return false;
    set->slots = next_subset(set->slots);
    return set->slots <= low_bits(halves->slots);
}

/* Returns the columns of slots, which have a gap at the middle queen's. */
static uint32_t columns_of(uint32_t slots, uint8_t middle) {
    if (middle == NO_MIDDLE)
        return slots;
    uint32_t left = slots & low_bits(middle);
    return left | (slots ^ left) << 1;
}

uint32_t nqi_halves_upper(struct half_set set) {
    return columns_of(set.slots, set.middle);
}

uint32_t nqi_halves_lower(const struct halves *halves, struct half_set set) {
    return columns_of(complement(halves, set.slots), set.middle);
}

/* Returns the expected cost of a set. The closer columns of one half are to each other, the
 * fewer such halves there are: each pair of columns at distance d < n / 2 divides the cost by
 * 2^(7.4 / n (1 - 2 d / n)), fitted to times of n = 16 to 20 (docs/performance.md). Logarithms
 * are in units of 2^-16, so 484966 is 7.4 x 2^16; 2^40 is an arbitrary scale. */
static double cost_of(const struct halves *halves, struct half_set set) {
    const int n = halves->n;
    const uint32_t upper = nqi_halves_upper(set), lower = nqi_halves_lower(halves, set);
    int32_t log_cost = 40 << 16;
    for (int distance = 1; 2 * distance < n; distance++) {
        int pairs = __builtin_popcount(upper & upper >> distance) +
                    __builtin_popcount(lower & lower >> distance);
        log_cost -= pairs * (484966 * (n - 2 * distance) / (n * n));
    }
    return cost_power_of_2(log_cost);
}

/* Adds a unit that begins with this set. False: out of memory. The room is always the next
 * power of two. */
static bool add_unit(struct halves *halves, struct half_set set) {
    uint64_t count = halves->unit_count;
    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * count;
        struct half_set *first = realloc(halves->first, room * sizeof *first);
        halves->first = first != NULL ? first : halves->first;
        double *cost = realloc(halves->cost, room * sizeof *cost);
        halves->cost = cost != NULL ? cost : halves->cost;
        if (first == NULL || cost == NULL)
            return false;
    }
    halves->first[count] = set;
    halves->cost[count] = 0;
    halves->unit_count++;
    return true;
}

/* Cuts the sets with that middle queen into units. False: out of memory. */
static bool add_sets(struct halves *halves, uint8_t middle) {
    struct half_set set = {.slots = low_bits(halves->n / 2), .middle = middle};
    uint32_t in_unit = halves->sets_per_unit; /* as if a full unit came before */
    do {
        if (nqi_halves_orbit(halves, set) == 0)
            continue;
        if (in_unit == halves->sets_per_unit) {
            if (!add_unit(halves, set))
                return false;
            in_unit = 0;
        }
        in_unit++;
        halves->cost[halves->unit_count - 1] += cost_of(halves, set);
    } while (nqi_halves_next(halves, &set));
    return true;
}

bool nqi_halves_build(int n, struct halves *halves) {
    *halves = (struct halves){
        .n = n,
        .slots = n - n % 2,
        .sets_per_unit = orbits_per_unit[n] != 0 ? orbits_per_unit[n] : 1,
    };
    bool built = n % 2 == 1 || add_sets(halves, NO_MIDDLE);
    for (uint8_t middle = 0; n % 2 == 1 && built && 2 * middle < n; middle++)
        built = add_sets(halves, middle);
    if (!built)
        nqi_halves_free(halves);
    return built;
}

void nqi_halves_free(struct halves *halves) {
    free(halves->first);
    free(halves->cost);
    *halves = (struct halves){0};
}
