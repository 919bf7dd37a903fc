#include "plan/halves.h"

#include "board/bits.h"
#include "work/cost.h"

#include <assert.h>
#include <stdlib.h>

const char nqi_halves_name[] = "halves";

/* From here on units are too many to be listed. */
enum { FIRST_UNLISTED = 26 };

/* Sets that stand for others from one that is stored to the next. Looking through so many takes
 * some microseconds. */
enum { UNLISTED_BLOCK = 1024 };

/* [n]: sets in a unit that stand for others; 0: one. Solving a unit takes hundreds of times as
 * long as recording it. A change raises the version. */
static const uint8_t sets_per_unit[NQ_MAX_N + 1] = {
    [12] = 32, [13] = 8, [14] = 32, [15] = 8, [16] = 32, [17] = 8,
    [18] = 8,  [19] = 2, [20] = 2,  [21] = 2, [23] = 2,  [25] = 2,
};

/* [n]: cuts of a set, and those that tell parts apart. Cuts make lists short enough for caches
 * (docs/performance.md), parts make units shorter than two minutes. A change raises the
 * version. */
static const uint8_t cuts[NQ_MAX_N + 1] = {[24] = 3, [25] = 2, [26] = 4, [27] = 3, [28] = 6};
static const uint8_t cuts_of_part[NQ_MAX_N + 1] = {[28] = 4};
enum { FIRST_CUT = 24 };

struct halves_cut nqi_halves_cut(int n) {
    return (struct halves_cut){.sets_per_unit = sets_per_unit[n] > 0 ? sets_per_unit[n] : 1,
                               .cuts = cuts[n],
                               .cuts_of_part = cuts_of_part[n],
                               .listed = n < FIRST_UNLISTED,
                               .piece = n < FIRST_CUT ? SIZE_MAX : 4 << 20};
}

int nqi_halves_version(int n) {
    return n < FIRST_CUT ? 2 : 3;
}

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
 * 2^(strength / n (1 - 2 d / n)). On small boards strength is less, since each set takes some
 * time, however few halves it has. */
struct cost_fit {
    uint8_t strength;
    uint8_t least; /* even n: hundredths of the cost that are left without halves above the key;
                    * odd n: rows that are added to those for the middle column's queen */
};

/* [n]: from 18 on fitted to the times of 18 to 3,000 random sets, from 26 on of parts of sets
 * (docs/performance.md). Smaller boards take less than a second. */
enum { SMALLEST_FIT = 16 };
static const struct cost_fit cost_fits[NQ_MAX_N + 1] = {
    [16] = {7, 2}, {7, 0}, {5, 50}, {4, 1},  {8, 10}, {6, 4},  {11, 7},
    [23] = {7, 4}, {9, 7}, {8, 4},  {12, 2}, {9, 4},  {13, 2},
};

/* Logarithms are in units of 2^-16. */
struct costs {
    int n;
    struct cost_fit fit;
    const struct subsets *subsets;
    int32_t near[NQ_MAX_N]; /* [distance]: logarithm of what such a pair divides by */
};

static struct costs costs_of(int n, const struct subsets *subsets) {
    struct costs costs = {.n = n,
                          .fit = cost_fits[n < SMALLEST_FIT ? SMALLEST_FIT + n % 2 : n],
                          .subsets = subsets};
    for (int distance = 1; 2 * distance < n; distance++)
        costs.near[distance] = (costs.fit.strength << 16) * (n - 2 * distance) / (n * n);
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
        return cost_of_pair(upper, lower) * (share * share + costs->fit.least * 0.01);
    }
    double cost = 0;
    for (uint32_t middles = nqi_halves_middles(n, set); middles != 0; middles &= middles - 1) {
        int middle = __builtin_ctz(middles), rows = middle < h ? middle : n - 1 - middle;
        int32_t without = lower - near_one(costs, middle, others ^ (middles & -middles));
        cost += cost_of_pair(upper, without) *
                (middle == h ? 1 : (rows + 1.0 + costs->fit.least) / (h + costs->fit.least));
    }
    return cost;
}

/* Makes room for one more element of an array of `count` elements, which has room for the next
 * power of two. Returns the array, or NULL if memory runs out: it is as before then. */
static void *room_for_one(void *array, uint64_t count, size_t size) {
    return (count & (count - 1)) == 0 ? realloc(array, (count == 0 ? 1 : 2 * count) * size)
                                      : array;
}

/* Adds a set that stands for others. False: out of memory. */
static bool add_set(const struct costs *costs, struct halves *halves, uint32_t set) {
    if (halves->set_count % halves->block == 0) {
        const uint64_t blocks = halves->set_count / halves->block;
        uint32_t *first = room_for_one(halves->first, blocks, sizeof *first);
        if (first == NULL)
            return false;
        halves->first = first;
        first[blocks] = set;
    }
    if (halves->cut.listed) {
        const uint64_t unit = halves->set_count / halves->cut.sets_per_unit;
        if (halves->set_count % halves->cut.sets_per_unit == 0) {
            double *cost = room_for_one(halves->cost, unit, sizeof *cost);
            if (cost == NULL)
                return false;
            halves->cost = cost;
            cost[unit] = 0;
        }
        halves->cost[unit] += cost_of(costs, set);
    }
    halves->set_count++;
    return true;
}

bool nqi_halves_build(int n, const struct halves_cut *cut, const struct subsets *subsets,
                      struct halves *halves) {
    assert(!cut->listed || cut->cuts_of_part == 0);
    *halves = (struct halves){
        .n = n, .cut = *cut, .block = cut->listed ? cut->sets_per_unit : UNLISTED_BLOCK};
    const struct costs costs = costs_of(n, subsets);
    uint32_t set = low_bits(n / 2);
    do {
        if (nqi_halves_weight(n, set) != 0 && !add_set(&costs, halves, set)) {
            nqi_halves_free(halves);
            return false;
        }
        /* For even n, the others of a set with the last column come before it. */
    } while (nqi_halves_next(n, &set) && (n % 2 == 1 || set >> (n - 1) == 0));
    const uint64_t per_unit = cut->sets_per_unit;
    halves->unit_count = (halves->set_count + per_unit - 1) / per_unit << cut->cuts_of_part;
    return true;
}

/* Unit id = part x sets + index of the set. So part 0 of all sets comes first, in which upper
 * halves hold none of the first cuts, since it takes longest. */
struct halves_unit nqi_halves_unit(const struct halves *halves, uint64_t id) {
    const uint64_t units_per_part = halves->unit_count >> halves->cut.cuts_of_part,
                   index = id % units_per_part * halves->cut.sets_per_unit;
    struct halves_unit unit = {.set = halves->first[index / halves->block],
                               .sets = halves->cut.sets_per_unit,
                               .part = (uint32_t)(id / units_per_part)};
    for (uint64_t i = index / halves->block * halves->block; i < index; i++)
        do
            nqi_halves_next(halves->n, &unit.set);
        while (nqi_halves_weight(halves->n, unit.set) == 0);
    return unit;
}

/* Returns the expected share of a set's cost that one of its parts has. Either
 * half holds a cut with this probability. Pairs of which both hold it are never looked at. */
static double share_of_part(const struct halves_cut *cut, uint32_t part) {
    const double holds = 0.7, without = 1 - holds, with = holds * (1 - holds);
    double share = 1;
    for (int i = 0; i < cut->cuts_of_part; i++)
        share *= ((part >> i & 1) != 0 ? with : without) / (with + without);
    return share;
}

double nqi_halves_cost(const struct halves *halves, const struct subsets *subsets,
                       uint64_t id) {
    const struct costs costs = costs_of(halves->n, subsets);
    struct halves_unit unit = nqi_halves_unit(halves, id);
    double cost = 0;
    for (uint32_t sets = 0; sets < unit.sets;) {
        if (nqi_halves_weight(halves->n, unit.set) != 0) {
            cost += cost_of(&costs, unit.set);
            sets++;
        }
        if (!nqi_halves_next(halves->n, &unit.set))
            break;
    }
    return cost * share_of_part(&halves->cut, unit.part);
}

void nqi_halves_free(struct halves *halves) {
    free(halves->first);
    free(halves->cost);
    *halves = (struct halves){0};
}
