#include "plan/halves.h"

#include "board/bits.h"
#include "work/cost.h"

#include <stdlib.h>

const char nqi_halves_name[] = "halves";

/* [n]: sets in a unit that stand for others; 0: one. Solving a unit takes hundreds of times as
 * long as recording it, and a board has a few million units at most. A change raises the
 * version. */
static const uint8_t sets_per_unit[NQ_MAX_N + 1] = {
    [12] = 32, [13] = 8, [14] = 32, [15] = 8, [16] = 32, [17] = 8, [18] = 8, [19] = 2,
    [20] = 2,  [21] = 2, [23] = 2,  [25] = 2, [26] = 2,  [27] = 4, [28] = 8,
};

uint32_t nqi_halves_others(int n, uint32_t set) {
    return low_bits(n) & ~set;
}

uint32_t nqi_halves_centre(int n) {
    return n % 2 == 0 ? 0 : UINT32_C(1) << n / 2;
}

uint64_t nqi_halves_weight(int n, uint32_t set) {
    const uint32_t mirror = mirrored_bits(set, n);
    /* Here the middle column tells the upper half from the lower one. A middle queen outside
     * the centre tells the board from its mirror image. */
    if ((set & nqi_halves_centre(n)) != 0)
        return mirror < set ? 0 : 4;
    const uint32_t columns = low_bits(n) ^ nqi_halves_centre(n);
    const uint32_t others = columns & ~set, mirror_others = columns & ~mirror;
    if (mirror < set || others < set || mirror_others < set)
        return 0;
    return (others == set ? 1U : 2U) * (mirror == set || mirror == others ? 1U : 2U);
}

uint32_t nqi_halves_middles(int n, uint32_t set) {
    if ((set & nqi_halves_centre(n)) == 0)
        return nqi_halves_centre(n);
    /* If a set is its own mirror image, its middle queens are each other's images. */
    return ~set & (mirrored_bits(set, n) == set ? low_bits(n / 2) : low_bits(n));
}

struct halves_keys nqi_halves_keys(const struct subsets *subsets, int n, uint32_t set) {
    const int h = n / 2;
    const uint32_t left = subsets->key[set & low_bits(h)],
                   right = subsets->key[mirrored_bits(set >> h, h)];
    return left < right ? (struct halves_keys){left, right} : (struct halves_keys){right, left};
}

bool nqi_halves_next(int n, uint32_t *set) {
    if (*set == 0)
        return false;
    *set = next_subset(*set);
    return *set <= low_bits(n);
}

/* Expected costs of sets. The closer the columns of one half are to each other, the fewer such
 * halves there are: each pair of columns at distance d < n / 2 divides the cost by
 * 2^(7.4 / n (1 - 2 d / n)), fitted to times of n = 16 to 20 (docs/performance.md). Logarithms
 * are in units of 2^-16, so 484966 is 7.4 x 2^16. */
struct costs {
    int n;
    const struct subsets *subsets;
    int32_t near[NQ_MAX_N]; /* [distance]: logarithm of what such a pair divides by */
};

static struct costs costs_of(int n, const struct subsets *subsets) {
    struct costs costs = {.n = n, .subsets = subsets};
    for (int distance = 1; 2 * distance < n; distance++)
        costs.near[distance] = 484966 * (n - 2 * distance) / (n * n);
    return costs;
}

/* Returns the logarithm of what one column divides by together with each of the others. */
static int32_t near_one(const struct costs *costs, int column, uint32_t others) {
    int32_t near = 0;
    for (; others != 0; others &= others - 1)
        near += costs->near[abs(column - __builtin_ctz(others))];
    return near;
}

/* Returns the logarithm of what all pairs of these columns divide by. */
static int32_t near_all(const struct costs *costs, uint32_t columns) {
    int32_t near = 0;
    for (int distance = 1; 2 * distance < costs->n; distance++)
        near += costs->near[distance] * __builtin_popcount(columns & columns >> distance);
    return near;
}

/* Returns the expected cost of two halves. 2^40 is an arbitrary scale. */
static double cost_of_pair(int32_t near_upper, int32_t near_lower) {
    return cost_power_of_2((40 << 16) - near_upper - near_lower);
}

/* Returns the share of the sets of so many rows whose keys are above `key`. */
static double share_above(const struct subsets *subsets, int size, uint32_t key) {
    const double sets = subsets->first[size + 1] - subsets->first[size];
    return (double)(subsets->first[size + 1] - nqi_subsets_from(subsets, size, key + 1)) / sets;
}

/* Returns the expected cost of a set. For even n, the keys of both halves are above the lesser
 * key of the set. For odd n, a middle queen r columns from an end leaves r + 1 of h
 * rows for the middle column's queen. */
static double cost_of(const struct costs *costs, uint32_t set) {
    const int n = costs->n, h = n / 2;
    const uint32_t others = nqi_halves_others(n, set);
    const int32_t upper = near_all(costs, set), lower = near_all(costs, others);
    if (n % 2 == 0) {
        const int left = __builtin_popcount(set & low_bits(h));
        const double share =
            share_above(costs->subsets, left, nqi_halves_keys(costs->subsets, n, set).lesser);
        return cost_of_pair(upper, lower) * (share * share + 0.02);
    }
    double cost = 0;
    for (uint32_t middles = nqi_halves_middles(n, set); middles != 0; middles &= middles - 1) {
        int middle = __builtin_ctz(middles), rows = middle < h ? middle : n - 1 - middle;
        int32_t without = lower - near_one(costs, middle, others ^ (middles & -middles));
        cost += cost_of_pair(upper, without) * (middle == h ? 1 : (rows + 1.0) / h);
    }
    return cost;
}

/* Adds a unit that begins with this set. False: out of memory. The room is always the next
 * power of two. */
static bool add_unit(struct halves *halves, uint32_t set) {
    uint64_t count = halves->unit_count;
    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * count;
        uint32_t *first = realloc(halves->first, room * sizeof *first);
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

bool nqi_halves_build(int n, const struct subsets *subsets, struct halves *halves) {
    *halves =
        (struct halves){.n = n, .sets_per_unit = sets_per_unit[n] != 0 ? sets_per_unit[n] : 1};
    const struct costs costs = costs_of(n, subsets);
    uint32_t set = low_bits(n / 2), in_unit = halves->sets_per_unit; /* as if one were full */
    do {
        if (nqi_halves_weight(n, set) == 0)
            continue;
        if (in_unit == halves->sets_per_unit) {
            if (!add_unit(halves, set)) {
                nqi_halves_free(halves);
                return false;
            }
            in_unit = 0;
        }
        in_unit++;
        halves->cost[halves->unit_count - 1] += cost_of(&costs, set);
    } while (nqi_halves_next(n, &set));
    return true;
}

void nqi_halves_free(struct halves *halves) {
    free(halves->first);
    free(halves->cost);
    *halves = (struct halves){0};
}
