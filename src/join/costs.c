/* The closer the columns of one half are to each other, the fewer such halves there are: each
 * pair of columns at distance d < n / 2 divides the cost of a set by
 * 2^(strength / n (1 - 2 d / n)). On small boards strength is less, since each set takes some
 * time, however few halves it has.
 */
#include "join/costs.h"

#include "core/bits.h"
#include "core/cost.h"
#include "join/halves.h"

#include <stdlib.h>

struct cost_fit {
    uint8_t strength;
    uint8_t least; /* even n: hundredths of the cost that remain without halves above the key;
                    * odd n: rows that are added to those for the middle column's queen */
};

/* [n]: from 18 on fitted to the times of 18 to 3,000 random sets, from 26 on of parts of sets
 * (docs/tried.md). Smaller boards take less than a second. */
enum { SMALLEST_FIT = 16 };
static const struct cost_fit cost_fits[NQ_MAX_N + 1] = {
    [16] = {7, 2}, {7, 0}, {5, 50}, {4, 1},  {8, 10}, {6, 4},  {11, 7},
    [23] = {7, 4}, {9, 7}, {8, 4},  {12, 2}, {9, 4},  {13, 2},
};

/* Logarithms are in units of 2^-16. A pair of halves costs at most 2^34, so a set, which has at
 * most 27 middle queens, less than 2^39. There are less than 2^24 sets, and all parts of a set
 * cost no more than it: no sum of costs reaches 2^63. */
enum { GREATEST_PAIR = 34 << 16, USUAL_PAIR = 30 << 16 };

/* A set of columns as subsets of the two sides, see struct halves_costs. */
struct subsets_of_sides {
    uint32_t left, other;
};

static struct subsets_of_sides sides_of(int n, uint32_t columns) {
    const uint32_t left = low_bits(n / 2);
    return (struct subsets_of_sides){columns & left, left + 1 + (columns >> n / 2)};
}

/* Returns the logarithm of what one column divides by together with each of the others. */
static int32_t halves_near_one(const struct halves_costs *costs, int column,
                               struct subsets_of_sides others) {
    return costs->near[column][others.left] + costs->near[column][others.other];
}

/* Returns the logarithm of what all pairs of these columns divide by. */
static int32_t halves_near_all(const struct halves_costs *costs,
                               struct subsets_of_sides columns) {
    int32_t near = costs->near_all[columns.left] + costs->near_all[columns.other];
    for (uint32_t rest = columns.left; rest != 0; rest &= rest - 1)
        near += costs->near[__builtin_ctz(rest)][columns.other];
    return near;
}

/* Fills in the sums over one side's columns, `first` to end - 1, whose subsets begin at `begin`
 * in each table. */
static void halves_sum_near(struct halves_costs *costs, int n, const int32_t *of_distance,
                            int first, int end, uint32_t begin) {
    for (int column = 0; column < n; column++) {
        int32_t *near = &costs->near[column][begin];
        near[0] = 0;
        for (uint32_t subset = 1; subset < UINT32_C(1) << (end - first); subset++)
            near[subset] = near[subset & (subset - 1)] +
                           of_distance[abs(column - first - __builtin_ctz(subset))];
    }
    int32_t *all = &costs->near_all[begin];
    all[0] = 0;
    for (uint32_t subset = 1; subset < UINT32_C(1) << (end - first); subset++) {
        const uint32_t rest = subset & (subset - 1);
        all[subset] = all[rest] + costs->near[first + __builtin_ctz(subset)][begin + rest];
    }
}

bool nqi_halves_costs_init(int n, struct halves_costs *costs) {
    const struct cost_fit fit = cost_fits[n < SMALLEST_FIT ? SMALLEST_FIT + n % 2 : n];
    const uint32_t subsets = (UINT32_C(1) << n / 2) + (UINT32_C(1) << (n + 1) / 2);
    int32_t of_distance[NQ_MAX_N] = {0}; /* logarithm of what two such columns divide by */
    *costs = (struct halves_costs){.least = fit.least};
    for (int distance = 1; 2 * distance < n; distance++)
        of_distance[distance] = (fit.strength << 16) * (n - 2 * distance) / (n * n);
    costs->near[0] = malloc((size_t)(n + 1) * subsets * sizeof *costs->near[0]);
    if (costs->near[0] == NULL)
        return false;
    for (int column = 1; column < n; column++)
        costs->near[column] = costs->near[column - 1] + subsets;
    costs->near_all = costs->near[0] + (size_t)n * subsets;
    halves_sum_near(costs, n, of_distance, 0, n / 2, 0);
    halves_sum_near(costs, n, of_distance, n / 2, n, low_bits(n / 2) + 1);
    /* Every second column: hardly any halves are cheaper. */
    const uint32_t even = 0x55555555 & low_bits(n), odd = low_bits(n) & ~even;
    costs->scale = USUAL_PAIR + halves_near_all(costs, sides_of(n, even)) +
                   halves_near_all(costs, sides_of(n, odd));
    return true;
}

void nqi_halves_costs_free(struct halves_costs *costs) {
    free(costs->near[0]);
    *costs = (struct halves_costs){0};
}

/* Returns the expected cost of two halves. */
static uint64_t halves_cost_of_pair(const struct halves_costs *costs, int32_t near) {
    const int32_t cost = costs->scale - near;
    return cost_power_of_2(cost < GREATEST_PAIR ? cost : GREATEST_PAIR);
}

/* Returns, in units of 2^-16, the share of the pairs of sets of `size` rows each whose keys are
 * both above that of the set of this rank. A complement of the same size has the next rank. */
static uint64_t halves_share_above(const struct subsets *subsets, int size, int others,
                                   uint64_t rank) {
    const uint64_t sets = subsets->first[size + 1] - subsets->first[size],
                   up_to = (size == others ? rank | 1 : rank) + 1,
                   above = up_to < sets ? sets - up_to : 0;
    return (above * above << 16) / (sets * sets);
}

/* Returns the expected cost of a set. near: of halves_near_all, for its columns and all others.
 * For even n, the keys of both halves are above the lesser key of the set. For odd n, a middle
 * queen r columns from an end leaves r + 1 of h rows for the middle column's queen. */
static uint64_t halves_cost_with_near(const struct halves *halves, uint32_t set, int32_t near) {
    const struct halves_costs *costs = &halves->costs;
    const int n = halves->n, h = n / 2;
    if (n % 2 == 0) {
        /* The rank orders sets of one size by their keys, which complements share. */
        const uint32_t left = set & low_bits(h),
                       not_right = low_bits(h) & ~mirrored_bits(set >> h, h);
        const uint16_t *rank = halves->subsets->rank;
        const uint64_t lesser = rank[left] < rank[not_right] ? rank[left] : rank[not_right];
        const int size = __builtin_popcount(left);
        const uint64_t share = halves_share_above(halves->subsets, size, h - size, lesser);
        return (halves_cost_of_pair(costs, near) * (share + (costs->least << 16) / 100) >> 16) +
               1;
    }
    const struct subsets_of_sides others = sides_of(n, nqi_halves_others(n, set));
    uint64_t cost = 1;
    for (uint32_t middles = nqi_halves_middles(n, set); middles != 0; middles &= middles - 1) {
        const int middle = __builtin_ctz(middles);
        const uint32_t rows = (uint32_t)(middle < h ? middle : n - 1 - middle);
        const uint64_t pair =
            halves_cost_of_pair(costs, near - halves_near_one(costs, middle, others));
        cost += middle == h ? pair
                            : pair * (rows + 1 + costs->least) / ((uint32_t)h + costs->least);
    }
    return cost;
}

uint64_t nqi_halves_cost_of_set(const struct halves *halves, uint32_t set) {
    const struct halves_costs *costs = &halves->costs;
    const int n = halves->n;
    const uint32_t others = nqi_halves_others(n, set);
    return halves_cost_with_near(halves, set,
                                 halves_near_all(costs, sides_of(n, set)) +
                                     halves_near_all(costs, sides_of(n, others)));
}

void nqi_prefix_costs_init(const struct halves *halves, uint32_t right,
                           struct prefix_costs *prefix) {
    const struct halves_costs *costs = &halves->costs;
    const int n = halves->n, h = n / 2;
    const uint32_t with = sides_of(n, right).other,
                   without = sides_of(n, nqi_halves_others(n, right)).other;
    *prefix = (struct prefix_costs){.base = costs->near_all[with] + costs->near_all[without],
                                    .outer = h / 2};
    for (int column = 0; column < h; column++) {
        const bool is_outer = column < prefix->outer;
        int32_t *sums = is_outer ? prefix->of_outer : prefix->of_inner;
        const uint32_t bit = UINT32_C(1) << (is_outer ? column : column - prefix->outer);
        const int32_t more = costs->near[column][with] - costs->near[column][without];
        prefix->base += costs->near[column][without];
        for (uint32_t subset = 0; subset < bit; subset++)
            sums[bit + subset] = sums[subset] + more;
    }
}

static int32_t prefix_near(const struct halves *halves, const struct prefix_costs *prefix,
                           uint32_t left) {
    const int32_t *near_all = halves->costs.near_all;
    return prefix->base + near_all[left] + near_all[low_bits(halves->n / 2) ^ left] +
           prefix->of_outer[left & low_bits(prefix->outer)] +
           prefix->of_inner[left >> prefix->outer];
}

uint64_t nqi_prefix_costs_of_set(const struct halves *halves, const struct prefix_costs *prefix,
                                 uint32_t set) {
    return halves_cost_with_near(halves, set,
                                 prefix_near(halves, prefix, set & low_bits(halves->n / 2)));
}
