#include "join/halves.h"

#include "core/bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char nqi_halves_name[] = "halves";

/* From here on units are too many to be listed. */
enum { FIRST_UNLISTED = 26 };

/* [n - FIRST_UNLISTED]: sum of the costs of all units. To add them up takes many seconds. */
static const uint64_t unlisted_costs[NQ_MAX_N + 1 - FIRST_UNLISTED] = {
    UINT64_C(535099118209768), UINT64_C(87213363196855355), UINT64_C(1896919226626770)};

/* [n]: sets in a unit that stand for others; 0: one. Solving a unit takes hundreds of times as
 * long as recording it. A change raises the version. */
static const uint8_t sets_per_unit[NQ_MAX_N + 1] = {
    [12] = 32, [13] = 8, [14] = 32, [15] = 8, [16] = 32, [17] = 8,
    [18] = 8,  [19] = 2, [20] = 2,  [21] = 2, [23] = 2,  [25] = 2,
};

/* [n]: cuts of a set, and those that tell parts apart. Cuts make lists short enough for caches
 * (docs/tried.md), parts make units shorter than two minutes. A change raises the
 * version. */
static const uint8_t cuts[NQ_MAX_N + 1] = {[24] = 3, [25] = 2, [26] = 4, [27] = 3, [28] = 6};
static const uint8_t cuts_of_part[NQ_MAX_N + 1] = {[28] = 4};
enum { FIRST_CUT = 24 };

struct halves_division nqi_halves_division(int n) {
    return (struct halves_division){.sets_per_unit =
                                        sets_per_unit[n] > 0 ? sets_per_unit[n] : 1,
                                    .cuts = cuts[n],
                                    .cuts_of_part = cuts_of_part[n],
                                    .listed = n < FIRST_UNLISTED,
                                    .piece = n < FIRST_CUT ? SIZE_MAX : 4 << 20};
}

int nqi_halves_version(int n) {
    return n < FIRST_UNLISTED ? 4 : 3;
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

/* Returns what one part of a set that costs so much is expected to cost. Either half holds a
 * cut with the probability 7 / 10. Pairs of which both hold it are never looked at: of the
 * others, 7 / 17 have the cut in the upper half. */
static uint64_t halves_cost_of_part(const struct halves_division *division, uint32_t part,
                                    uint64_t cost) {
    for (int i = 0; i < division->cuts_of_part; i++)
        cost = cost * ((part >> i & 1) != 0 ? 7 : 10) / 17;
    return cost + (division->cuts_of_part > 0);
}

/* Sets are numbered as they come in the walk: by rising numbers. Seen from both edges inwards,
 * columns are pairs, i and n - 1 - i. Sets are compared with their images pair by pair, by what
 * they have of the right column, which counts for more. So a set is the least of its orbit if
 * of the first pair whose columns differ it has the left one, and if it has neither column of
 * the first pair whose columns are alike, which decides between it and its complement's mirror
 * image. A set with the middle column is not compared with complements. */
enum { DIFFERED = 1, ALIKE = 2, SEEN_SETS = 4 };

/* Takes one more pair of columns. seen: whether some before differed, and were alike. False:
 * the set is not the least of its orbit. */
static bool take_column_pair(bool left, bool right, bool has_centre, int *seen) {
    const int now = left != right ? DIFFERED : ALIKE;
    const bool first = (*seen & now) == 0;
    *seen |= now;
    return !(first && right && !(has_centre && now == ALIKE));
}

/* What the outer pairs of a set may be, if the columns on the right are given. */
struct outer {
    /* [pairs][columns on the left][seen]: how many choices of these columns keep the set
     * the least so far. */
    uint16_t choices[NQ_MAX_N / 2 + 1][NQ_MAX_N / 2 + 2][SEEN_SETS];
};

/* right: bit i, the column n - 1 - i. */
static void outer_count_choices(int h, uint32_t right, bool has_centre, struct outer *outer) {
    *outer = (struct outer){.choices[0][0][0] = 1};
    for (int pair = 0; pair < h; pair++)
        for (int size = 0; size <= pair; size++)
            for (int before = 0; before < SEEN_SETS; before++)
                for (int left = 0; left <= 1; left++) {
                    int seen = before;
                    if (take_column_pair(left != 0, (right >> pair & 1) != 0, has_centre,
                                         &seen))
                        outer->choices[pair + 1][size + left][seen] =
                            (uint16_t)(outer->choices[pair + 1][size + left][seen] +
                                       outer->choices[pair][size][before]);
                }
}

/* The leading bits of a set as a number: its columns on the right and the middle one. Sets with
 * the same prefix follow each other. */
struct prefix {
    uint32_t right; /* bit i: the column n - 1 - i */
    bool has_centre;
    int on_left; /* number of columns; negative: there is no such set */
};

static struct prefix prefix_at(int n, uint32_t index) {
    const int h = n / 2;
    struct prefix prefix = {.right = mirrored_bits(index >> 1, h),
                            .has_centre = (index & 1) != 0};
    prefix.on_left = n % 2 == 0 && prefix.has_centre
                         ? -1
                         : h - prefix.has_centre - __builtin_popcount(prefix.right);
    return prefix;
}

static uint32_t prefix_columns(int n, const struct prefix *prefix) {
    return (prefix->has_centre ? nqi_halves_centre(n) : 0) | mirrored_bits(prefix->right, n / 2)
                                                                 << (n - n / 2);
}

/* Returns the number of sets with a prefix. */
static uint32_t prefix_sets(int n, const struct prefix *prefix) {
    struct outer outer;
    uint32_t sets = 0;
    if (prefix->on_left < 0 || ((prefix->right & 1) != 0 && !prefix->has_centre))
        return 0;
    outer_count_choices(n / 2, prefix->right, prefix->has_centre, &outer);
    for (int seen = 0; seen < SEEN_SETS; seen++)
        sets += outer.choices[n / 2][prefix->on_left][seen];
    return sets;
}

/* Counts the sets that stand for others. False: out of memory. */
static bool halves_count_sets(struct halves *halves) {
    const uint32_t prefixes = UINT32_C(2) << halves->n / 2;
    halves->before = malloc((prefixes + 1) * sizeof *halves->before);
    if (halves->before == NULL)
        return false;
    uint32_t sets = 0;
    for (uint32_t i = 0; i < prefixes; i++) {
        const struct prefix prefix = prefix_at(halves->n, i);
        halves->before[i] = sets;
        sets += prefix_sets(halves->n, &prefix);
    }
    halves->before[prefixes] = sets;
    halves->set_count = sets;
    return true;
}

/* Returns the number of choices of the outer pairs of sets with one prefix, with so many
 * columns on the left, that go with the inner pairs. goes[seen]: whether these go with outer
 * ones that have seen such pairs. */
static uint32_t outer_choices_for(const struct outer *outer, int pairs, int on_left,
                                  const bool goes[SEEN_SETS]) {
    uint32_t choices = 0;
    for (int seen = 0; seen < SEEN_SETS && on_left >= 0; seen++)
        choices += goes[seen] ? outer->choices[pairs][on_left][seen] : 0;
    return choices;
}

/* Returns the set with an index among those that stand for others. */
static uint32_t halves_set_at(const struct halves *halves, uint32_t index) {
    const int n = halves->n, h = n / 2;
    uint32_t low = 0, high = UINT32_C(2) << h;
    while (high - low > 1) { /* bisects for the last prefix that begins at or before it */
        const uint32_t middle = (low + high) / 2;
        if (halves->before[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    index -= halves->before[low];
    const struct prefix prefix = prefix_at(n, low);
    struct outer outer;
    outer_count_choices(h, prefix.right, prefix.has_centre, &outer);
    uint32_t left = 0;
    bool goes[SEEN_SETS] = {true, true, true, true};
    for (int pair = h - 1, on_left = prefix.on_left; pair >= 0; pair--) {
        bool next[2][SEEN_SETS];
        for (int column = 0; column <= 1; column++)
            for (int before = 0; before < SEEN_SETS; before++) {
                int seen = before;
                next[column][before] =
                    take_column_pair(column != 0, (prefix.right >> pair & 1) != 0,
                                     prefix.has_centre, &seen) &&
                    goes[seen];
            }
        const uint32_t without = outer_choices_for(&outer, pair, on_left, next[0]);
        const bool taken = index >= without;
        if (taken) {
            index -= without;
            left |= UINT32_C(1) << pair;
            on_left--;
        }
        memcpy(goes, next[taken], sizeof goes);
    }
    return left | prefix_columns(n, &prefix);
}

/* Goes on to the next set that stands for others. False: no more. */
static bool halves_next_standing(int n, uint32_t *set) {
    while (nqi_halves_next(n, set))
        if (nqi_halves_weight(n, *set) != 0)
            return true;
    return false;
}

uint64_t nqi_halves_cost(const struct halves *halves, uint64_t id) {
    struct halves_unit unit = nqi_halves_unit(halves, id);
    uint64_t cost = 0;
    do
        cost += nqi_halves_cost_of_set(halves, unit.set);
    while (--unit.sets > 0 && halves_next_standing(halves->n, &unit.set));
    return halves_cost_of_part(&halves->division, unit.part, cost);
}

/* Units, which get one set after the other. */
struct unit_list {
    struct unit *unit;       /* NULL: only the sum of their costs is needed */
    uint64_t units_per_part; /* all of a part */
    uint64_t units;          /* those so far of the first part */
    uint64_t sum;            /* of the costs so far, all parts */
    uint64_t cost;           /* of the sets of the unit under way */
    uint32_t sets;           /* the unit under way has */
};

static void unit_list_end_unit(const struct halves *halves, struct unit_list *list) {
    for (uint32_t part = 0; part < UINT32_C(1) << halves->division.cuts_of_part; part++) {
        const uint64_t of_part = halves_cost_of_part(&halves->division, part, list->cost);
        list->sum += of_part;
        if (list->unit != NULL)
            list->unit[part * list->units_per_part + list->units] =
                (struct unit){.weight = 1, .cost = of_part};
    }
    list->units++;
    list->cost = list->sets = 0;
}

/* Adds the sets with a prefix that stand for others. */
static void unit_list_add(const struct halves *halves, uint32_t index, struct unit_list *list) {
    const int n = halves->n, h = n / 2;
    const struct prefix prefix = prefix_at(n, index);
    const uint32_t right = prefix_columns(n, &prefix);
    struct prefix_costs costs;
    nqi_prefix_costs_init(halves, right, &costs);
    uint32_t left = low_bits(prefix.on_left);
    do {
        if (nqi_halves_weight(n, right | left) == 0)
            continue;
        list->cost += nqi_prefix_costs_of_set(halves, &costs, right | left);
        if (++list->sets == halves->division.sets_per_unit)
            unit_list_end_unit(halves, list);
    } while (left != 0 && (left = next_subset(left)) <= low_bits(h));
}

uint64_t nqi_halves_each_cost(const struct halves *halves, struct unit *units) {
    struct unit_list list = {
        .unit = units, .units_per_part = halves->unit_count >> halves->division.cuts_of_part};
    for (uint32_t i = 0; i < UINT32_C(2) << halves->n / 2; i++)
        if (halves->before[i] < halves->before[i + 1])
            unit_list_add(halves, i, &list);
    if (list.sets > 0)
        unit_list_end_unit(halves, &list);
    return list.sum;
}

uint64_t nqi_halves_cost_of_all(const struct halves *halves) {
    return halves->n < FIRST_UNLISTED ? nqi_halves_each_cost(halves, NULL)
                                      : unlisted_costs[halves->n - FIRST_UNLISTED];
}

bool nqi_halves_build(int n, const struct halves_division *division,
                      const struct subsets *subsets, struct halves *halves) {
    assert(!division->listed || division->cuts_of_part == 0);
    *halves = (struct halves){.n = n, .division = *division, .subsets = subsets};
    if (!halves_count_sets(halves) || !nqi_halves_costs_init(n, &halves->costs))
        return false;
    const uint64_t per_unit = division->sets_per_unit;
    halves->unit_count = (halves->set_count + per_unit - 1) / per_unit
                         << division->cuts_of_part;
    return true;
}

/* Unit id = part x sets + index of the set. So part 0 of all sets comes first, in which upper
 * halves hold none of the first cuts, since it takes longest. */
struct halves_unit nqi_halves_unit(const struct halves *halves, uint64_t id) {
    const uint64_t units_per_part = halves->unit_count >> halves->division.cuts_of_part,
                   index = id % units_per_part * halves->division.sets_per_unit;
    return (struct halves_unit){.set = halves_set_at(halves, (uint32_t)index),
                                .sets = halves->division.sets_per_unit,
                                .part = (uint32_t)(id / units_per_part)};
}

void nqi_halves_free(struct halves *halves) {
    free(halves->before);
    nqi_halves_costs_free(&halves->costs);
    *halves = (struct halves){0};
}
