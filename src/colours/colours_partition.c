/* SPDX-License-Identifier: MIT */
/* The partition of method `colours`: a unit takes X after X until they have a unit's cost. */
#include "colours/colours.h"

#include "core/collections.h"
#include "core/job.h"

#include <assert.h>
#include <stdlib.h>

/* Lines of one parity are looked up in two halves. */
enum { HALF = (COLOURS_LINES + 1) / 2 };

/* What rows are expected to cost: the completions that a mean field predicts.
 *
 * Queens of one colour on rows of distance d share a diagonal in about 4 (n - d) / n^2 of all
 * ways to give them columns. If pairs of rows were independent, the placements of a colour
 * would be all ways to give its rows columns of their own, times what each pair leaves. They
 * are not: with 6 in place of 4 the logarithms of units' completions are off by 0.27, 0.22,
 * 0.15 and 0.21 (standard deviation, natural; n = 17, 18, 22, 23), and sums are right within a
 * factor of 1.6. With 5 they are off by 0.25 to 0.49, with 4 by more, with 7 by 0.1 to 0.5.
 *
 * Logarithms to base 2 in units of 2^-16. */
struct colours_costs {
    const struct colours_board *board;
    int32_t distance[COLOURS_MAX_N];    /* what one pair of rows divides by */
    int32_t within[1 << COLOURS_LINES]; /* [set of lines]: what all its pairs divide by */
    /* [half of the lines][set of them]: what the pairs of a line of this set and a shared row
     * of the same colour divide by. */
    struct across {
        int32_t black[2][1 << HALF], white[2][1 << HALF];
    } across;
    uint32_t
        share[1 << COLOURS_LINES]; /* [key]: of all D, those that count beside it, x 2^16 */
};

/* log2 of m = 1, 2, ... in units of 2^-16. */
static const int32_t logarithms[] = {0,      65536,  103872, 131072, 152170,
                                     169408, 183983, 196608, 207744, 217706,
                                     226717, 234944, 242512, 249519, 256042};

static_assert(sizeof logarithms / sizeof *logarithms >= COLOURS_LINES, "one for each line");

/* log2 of e in units of 2^-16. */
enum { COSTS_LOG2_E = 94548 };

/* No X of n = 30 is expected to have so many completions, and a sum over its X fits in 64 bits
 * (docs/algorithm.md). */
enum { MAX_COST_EXPONENT = 37 << 16 };
static_assert(COLOURS_MAX_N <= 30, "the number of X");

/* Returns 2 to the power of x / 2^16, within 0.4 %, rounded down, at least 1. The fractional
 * part f of the exponent contributes 1 + f (a + b f), a = 43024 / 2^16, b = 22512 / 2^16: exact
 * at f = 0 and at f = 1, since a + b = 1. */
static uint64_t power_of_2(int32_t x) {
    if (x <= 0)
        return 1;
    const int32_t whole = x >> 16;
    const uint64_t f = (uint64_t)(x & 0xffff);
    const uint64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return whole >= 16 ? mantissa << (whole - 16) : mantissa >> (16 - whole);
}

/* Returns the logarithm of the ways to give `rows` rows columns of their own. */
static int32_t costs_ways(int rows, int columns) {
    int32_t sum = 0;
    for (int i = 0; i < rows; i++)
        sum += logarithms[columns - i - 1];
    return sum;
}

static void costs_init(const struct colours_board *board, struct colours_costs *costs) {
    const int n = board->n;
    costs->board = board;
    for (int distance = 1; distance < n; distance++)
        costs->distance[distance] = 6 * COSTS_LOG2_E * (n - distance) / (n * n);
    costs->within[0] = 0;
    for (uint32_t set = 1; set <= low_bits(board->evens); set++) {
        const uint32_t rest = set & (set - 1);
        const int line = __builtin_ctz(set);
        int32_t sum = costs->within[rest];
        for (uint32_t others = rest; others != 0; others &= others - 1)
            sum += costs->distance[2 * (__builtin_ctz(others) - line)];
        costs->within[set] = sum;
    }
}

/* across[set of HALF lines from `begin` on]: the sum of distance[] over all pairs of a line of
 * the set and a line of `others`. */
static void costs_fill_across(const struct colours_costs *costs, bool others_even,
                              uint32_t others, int begin, int32_t across[1 << HALF]) {
    const int lines = others_even ? costs->board->odds : costs->board->evens;
    across[0] = 0;
    for (int line = 0; line < HALF && begin + line < lines; line++) {
        int32_t sum = 0;
        for (uint32_t set = others; set != 0; set &= set - 1) {
            const int other = __builtin_ctz(set), odd = others_even ? begin + line : other,
                      even = others_even ? other : begin + line;
            sum += costs->distance[abs(colours_line(costs->board, even, 0) - (2 * odd + 1))];
        }
        for (uint32_t set = 0; set < UINT32_C(1) << line; set++)
            across[UINT32_C(1) << line | set] = across[set] + sum;
    }
}

/* Prepares for rows that share these ones: x.even or x.odd, as colours_even_shared says.
 */
static void costs_share(struct colours_costs *costs, struct x x) {
    const struct colours_board *board = costs->board;
    const bool even = colours_even_shared(board, x);
    const uint32_t black = even ? x.even : x.odd,
                   white = low_bits(even ? board->evens : board->odds) & ~black;
    for (int part = 0; part < 2; part++) {
        costs_fill_across(costs, even, black, HALF * part, costs->across.black[part]);
        costs_fill_across(costs, even, white, HALF * part, costs->across.white[part]);
    }
}

static uint64_t costs_power(int32_t logarithm) {
    return power_of_2(logarithm < MAX_COST_EXPONENT ? logarithm : MAX_COST_EXPONENT);
}

/* Returns the expected completions of rows for all columns, at least 1 and at most 2^38. */
static uint64_t costs_of_rows(const struct colours_costs *costs, struct x x) {
    const struct colours_board *board = costs->board;
    const struct across *across = &costs->across;
    const struct x others = colours_rows(board, x, true);
    const int odd = __builtin_popcount(x.odd), even = __builtin_popcount(x.even);
    const bool even_shared = colours_even_shared(board, x);
    const uint32_t black_free = even_shared ? x.odd : x.even,
                   white_free = even_shared ? others.odd : others.even;
    const int32_t black = costs_ways(odd, board->odds) + costs_ways(even, board->evens) -
                          costs->within[x.odd] - costs->within[x.even] -
                          across->black[0][black_free & low_bits(HALF)] -
                          across->black[1][black_free >> HALF],
                  white = costs_ways(board->evens - even, board->odds) +
                          costs_ways(board->odds - odd, board->evens) -
                          costs->within[others.odd] - costs->within[others.even] -
                          across->white[0][white_free & low_bits(HALF)] -
                          across->white[1][white_free >> HALF];
    return costs_power(black) + costs_power(white);
}

/* Raised whenever the same n yields other units. */
enum { PLAN_VERSION = 2 };

static void colours_partition_close(struct partition *partition) {
    struct colours_partition *colours = (struct colours_partition *)partition;
    free(colours->unit);
    free(colours->units);
    free(colours);
}

static int colours_white(const struct partition *partition, uint64_t id) {
    const struct x x = ((const struct colours_partition *)partition)->unit[id].first;
    return partition->job.n - __builtin_popcount(x.odd) - __builtin_popcount(x.even);
}

/* The cost of a unit. At n = 18 a unit then takes less than a millisecond, and n = 28 has some
 * 600,000 units. */
static uint64_t cutter_unit_cost(int n) {
    return power_of_2((14 << 16) + (n - 16) * 108000);
}

/* Lists units while it walks over all X. */
struct cutter {
    struct colours_partition *colours;
    struct colours_costs *costs;
    size_t room, units_room;
    uint64_t enough; /* cost of a unit */
};

/* Begins a unit. False: out of memory. */
static bool cutter_begin(struct cutter *cutter, struct x first) {
    struct colours_partition *colours = cutter->colours;
    const size_t count = (size_t)colours->partition.job.units;
    struct colours_unit *unit =
        nqi_array_grow(colours->unit, count, &cutter->room, sizeof *unit);
    if (unit != NULL)
        colours->unit = unit;
    struct unit *units =
        nqi_array_grow(colours->units, count, &cutter->units_room, sizeof *units);
    if (units != NULL)
        colours->units = units;
    if (unit == NULL || units == NULL)
        return false;
    unit[count] = (struct colours_unit){.first = first};
    units[count] = (struct unit){.weight = 1};
    colours->partition.job.units++;
    return true;
}

/* Cuts the X that share these rows into units. False: out of memory. */
static bool cutter_cut(struct cutter *cutter, struct x x) {
    struct colours_partition *colours = cutter->colours;
    const struct colours_board *board = &colours->board;
    bool open = false;
    costs_share(cutter->costs, x);
    do {
        const bool counts = nqi_colours_x_weight(board, x) != 0;
        if (!open && !counts)
            continue;
        if (!open && !cutter_begin(cutter, x))
            return false;
        const uint64_t id = colours->partition.job.units - 1;
        colours->unit[id].sets++;
        open = true;
        if (counts) {
            const uint64_t share = cutter->costs->share[colours_key(board, x)],
                           cost = (costs_of_rows(cutter->costs, x) * share >> 16) + 1;
            colours->units[id].cost += cost;
            colours->partition.cost += cost;
            open = colours->units[id].cost < cutter->enough;
        }
    } while (colours_next_x(board, &x));
    return true;
}

/* Fills in the shares of keys that have `size` lines. */
static void cutter_make_shares(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    uint64_t keys = 0, before = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t key = low_bits(size);
        do {
            if (colours_least_image(board, key, size) != key)
                continue;
            if (pass == 0)
                keys++;
            else
                cutter->costs->share[key] = (uint32_t)(((keys - before++) << 16) / keys);
        } while (key != 0 && (key = next_subset(key)) <= low_bits(board->odds));
    }
}

/* Cuts all X with this number of odd rows. False: out of memory. */
static bool cutter_cut_size(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    struct x x = {low_bits(size), low_bits(size + board->n % 2)};
    const bool even_shared = colours_even_shared(board, x);
    uint32_t *shared = even_shared ? &x.even : &x.odd;
    const uint32_t all = low_bits(even_shared ? board->evens : board->odds);
    cutter_make_shares(cutter, size);
    do {
        if (board->n % 2 == 0)
            x.odd = x.even; /* lesser ones have weight 0 */
        if (!cutter_cut(cutter, x))
            return false;
    } while (*shared != 0 && (*shared = next_subset(*shared)) <= all);
    return true;
}

struct partition *nqi_colours_partition(int n) {
    struct colours_partition *colours = calloc(1, sizeof *colours);
    struct colours_costs *costs = malloc(sizeof *costs);
    struct cutter cutter = {.colours = colours, .costs = costs, .enough = cutter_unit_cost(n)};
    bool done = colours != NULL && costs != NULL;
    if (done) {
        colours->partition =
            (struct partition){.job = nqi_job(n, "colours", COLOURS_PLAN, PLAN_VERSION, 0),
                               .work = "completions",
                               .close = colours_partition_close,
                               .white = colours_white};
        nqi_colours_board_init(n, &colours->board);
        costs_init(&colours->board, costs);
    }
    for (int size = 0; done && size <= colours_most_rows(&colours->board); size++)
        done = cutter_cut_size(&cutter, size);
    free(costs);
    if (!done) {
        if (colours != NULL)
            colours_partition_close(&colours->partition);
        return NULL;
    }
    colours->partition.units = colours->units;
    return &colours->partition;
}
