/* SPDX-License-Identifier: MIT */
/* The partition of method `colours`. A unit collects X that share rows until their expected
 * costs reach `unit_cost`. The cost of an X comes from a formula, because n = 28 has ten
 * million X. */
#include "colours/colours.h"

#include "core/arrays.h"
#include "core/job.h"
#include "core/sets.h"

#include <stdlib.h>

/* The formula for the expected cost of rows, which is the number of completions that a mean
 * field predicts.
 *
 * Two queens of one colour, on rows at distance d, share a diagonal in about 4 (n - d) / n^2 of
 * all ways to give them columns. If pairs of rows were independent, a colour would have as many
 * placements as there are ways to give each row a column of its own, times the share that each
 * pair leaves. Pairs are not independent, and 6 in place of 4 fits best. With 6, the natural
 * logarithms of units' completions have standard deviations of 0.27, 0.22, 0.15 and 0.21 from
 * those predicted for n = 17, 18, 22 and 23, and the sum for a whole board is right within a
 * factor of 1.6. The deviations are 0.25 to 0.49 with 5, larger with 4, and 0.1 to 0.5 with 7.
 *
 * All logarithms here are whole numbers: logarithms to base 2, in units of 2^-16. */
struct colours_costs {
    const struct colours_board *board;
    /* The conflicts of pairs of rows: the logarithm of the factor by which they reduce the
     * number of ways. [distance]: one pair; [set of lines]: all pairs in a set of one parity.
     */
    int32_t pair_conflicts[NQ_MAX_N], set_conflicts[1 << COLOURS_LINES];
    /* [white]: what the costs of all X that share rows have in common. `ways` is the logarithm
     * of the number of ways to give each of the colour's rows a column of its own, less the
     * conflicts among shared rows. line_conflicts[line]: the conflicts that a row outside
     * the shared rows has with these. */
    struct shared_rows {
        int32_t ways, line_conflicts[COLOURS_LINES];
    } shared_rows[2];
    /* [key of an X]: the share of possible keys of D that are not less than it, times 2^16 */
    uint32_t key_share[1 << COLOURS_LINES];
};

/* [m - 1]: log2 of m, in units of 2^-16. */
static const int32_t logarithms[] = {0,      65536,  103872, 131072, 152170, 169408, 183983,
                                     196608, 207744, 217706, 226717, 234944, 242512, 249519};

_Static_assert(LENGTH(logarithms) >= COLOURS_LINES, "one for each line");

/* log2 of e in units of 2^-16. */
enum { COSTS_LOG2_E = 94548 };

/* Limits the cost of one colour of an X to 2^37, so that the costs of all X add up to less than
 * 2^64 (docs/algorithm.md). No X of n = 28 is expected to reach the limit. */
enum { MAX_COST_EXPONENT = 37 << 16 };
_Static_assert(NQ_MAX_N <= 28, "the number of X");

/* Returns 2 to the power of x / 2^16, within 0.4 %, rounded down, and at least 1. The
 * fractional part f of the exponent contributes the factor 1 + f (a + b f), where a = 43024 /
 * 2^16 and b = 22512 / 2^16. The factor is exact at f = 0 and at f = 1, because a + b = 1. */
static uint64_t power_of_2(int32_t x) {
    if (x <= 0)
        return 1;
    const int32_t whole = x >> 16;
    const uint64_t f = (uint64_t)(x & 0xffff);
    const uint64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return whole >= 16 ? mantissa << (whole - 16) : mantissa >> (16 - whole);
}

/* Returns the logarithm of the number of ways to give each row its own column. */
static int32_t costs_ways(uint32_t rows, int columns) {
    int32_t sum = 0;
    for (; rows != 0; rows &= rows - 1)
        sum += logarithms[--columns];
    return sum;
}

static void costs_init(const struct colours_board *board, struct colours_costs *costs) {
    const int n = board->n;
    costs->board = board;
    for (int distance = 1; distance < n; distance++)
        costs->pair_conflicts[distance] = 6 * COSTS_LOG2_E * (n - distance) / (n * n);
    costs->set_conflicts[0] = 0;
    for (uint32_t set = 1; set <= low_bits(board->evens); set++) {
        const uint32_t rest = set & (set - 1);
        const int line = __builtin_ctz(set);
        int32_t sum = costs->set_conflicts[rest];
        for (uint32_t higher = rest; higher != 0; higher &= higher - 1)
            sum += costs->pair_conflicts[2 * (__builtin_ctz(higher) - line)];
        costs->set_conflicts[set] = sum;
    }
}

/* Returns the conflicts of a line of this parity with lines of the other parity. */
static int32_t costs_line_conflicts(const struct colours_costs *costs, int line, int parity,
                                    uint32_t lines) {
    const int row = colours_line(costs->board, line, parity);
    int32_t sum = 0;
    for (; lines != 0; lines &= lines - 1)
        sum += costs->pair_conflicts[abs(
            row - colours_line(costs->board, __builtin_ctz(lines), 1 - parity))];
    return sum;
}

/* Fills in shared_rows[] for all X that share rows with x. They share the even or the odd rows,
 * as colours_even_shared() says. */
static void costs_share(struct colours_costs *costs, struct x x) {
    const struct colours_board *board = costs->board;
    const bool even = colours_even_shared(board, x);
    for (int white = 0; white < 2; white++) {
        struct shared_rows *shared = &costs->shared_rows[white];
        const struct x rows = colours_rows(board, x, white);
        const uint32_t set = even ? rows.even : rows.odd;
        shared->ways = costs_ways(rows.odd, white ? board->evens : board->odds) +
                       costs_ways(rows.even, white ? board->odds : board->evens) -
                       costs->set_conflicts[set];
        for (int line = 0; line < (even ? board->odds : board->evens); line++)
            shared->line_conflicts[line] = costs_line_conflicts(costs, line, even, set);
    }
}

/* Returns the expected number of completions of X, summed over all sets of columns: at least 2,
 * at most 2^38. */
static uint64_t costs_of_rows(const struct colours_costs *costs, struct x x) {
    uint64_t cost = 0;
    for (int white = 0; white < 2; white++) {
        const struct shared_rows *shared = &costs->shared_rows[white];
        const struct x rows = colours_rows(costs->board, x, white);
        const uint32_t unshared = colours_even_shared(costs->board, x) ? rows.odd : rows.even;
        int32_t exponent = shared->ways - costs->set_conflicts[unshared];
        for (uint32_t rest = unshared; rest != 0; rest &= rest - 1)
            exponent -= shared->line_conflicts[__builtin_ctz(rest)];
        cost += power_of_2(exponent < MAX_COST_EXPONENT ? exponent : MAX_COST_EXPONENT);
    }
    return cost;
}

static void colours_partition_close(struct partition *partition) {
    struct colours_partition *colours = (struct colours_partition *)partition;
    free(colours->ranges);
    free((struct unit *)partition->units);
    free(colours);
}

/* Cuts all X into units, in one walk over them. */
struct cutter {
    struct colours_partition *colours;
    struct colours_costs *costs;
    struct unit *units;
    size_t ranges_room, units_room;
    uint64_t unit_cost; /* a unit that has reached this cost is complete */
};

/* Begins a unit. Returns false if memory runs out. */
static bool cutter_begin(struct cutter *cutter, struct x first) {
    struct colours_partition *colours = cutter->colours;
    const size_t count = (size_t)colours->partition.job.units;
    struct x_range *ranges =
        nqi_array_grow(colours->ranges, count, &cutter->ranges_room, sizeof *ranges);
    if (ranges == NULL)
        return false;
    colours->ranges = ranges;
    struct unit *units =
        nqi_array_grow(cutter->units, count, &cutter->units_room, sizeof *units);
    if (units == NULL)
        return false;
    colours->partition.units = cutter->units = units;
    ranges[count] = (struct x_range){.first = first};
    units[count] = (struct unit){.weight = 1};
    colours->partition.job.units++;
    return true;
}

/* Cuts into units those X, from x on, that have the same shared rows as x. Returns false if
 * memory runs out. */
static bool cutter_cut(struct cutter *cutter, struct x x) {
    struct colours_partition *colours = cutter->colours;
    const struct colours_board *board = &colours->board;
    /* The cost of the current unit so far. It begins as if a unit were complete, so that the
     * first X begins a new one. */
    uint64_t collected = cutter->unit_cost;
    costs_share(cutter->costs, x);
    for (bool found = nqi_colours_x_weight(board, x) != 0 || colours_next_x(board, &x); found;
         found = colours_next_x(board, &x)) {
        const uint64_t share = cutter->costs->key_share[colours_key(board, x)],
                       cost = (costs_of_rows(cutter->costs, x) * share >> 16) + 1;
        if (collected >= cutter->unit_cost) {
            if (!cutter_begin(cutter, x))
                return false;
            collected = 0;
        }
        const uint64_t id = colours->partition.job.units - 1;
        colours->ranges[id].count++;
        collected += cost;
        cutter->units[id].cost = collected;
        colours->partition.cost += cost;
    }
    return true;
}

/* Fills in key_share[] of the keys that have `size` lines. The first round counts the keys; the
 * second one stores their shares. */
static void cutter_make_shares(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    uint64_t keys = 0, lesser = 0;
    for (int round = 0; round < 2; round++) {
        uint32_t key = low_bits(size);
        do {
            if (colours_least_image(board, key, size) != key)
                continue;
            if (round == 0)
                keys++;
            else
                cutter->costs->key_share[key] = (uint32_t)(((keys - lesser++) << 16) / keys);
        } while (next_subset(&key, board->odds));
    }
}

/* Cuts all X with this number of odd rows into units. Returns false if memory runs out. */
static bool cutter_cut_size(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    struct x x = {low_bits(size), low_bits(size + board->n % 2)};
    const bool even_shared = colours_even_shared(board, x);
    uint32_t *shared = even_shared ? &x.even : &x.odd;
    const int lines = even_shared ? board->evens : board->odds;
    cutter_make_shares(cutter, size);
    do {
        if (board->n % 2 == 0)
            x.odd = x.even; /* if x.odd < x.even, X has weight 0 */
        if (!cutter_cut(cutter, x))
            return false;
    } while (next_subset(shared, lines));
    return true;
}

struct partition *nqi_colours_partition(int n) {
    struct colours_partition *colours = calloc(1, sizeof *colours);
    struct colours_costs *costs = malloc(sizeof *costs);
    /* With this cost, a unit of n = 18 takes less than a millisecond, and n = 28 has some
     * 600,000 units. */
    struct cutter cutter = {.colours = colours,
                            .costs = costs,
                            .unit_cost = power_of_2((14 << 16) + (n - 16) * 108000)};
    bool done = colours != NULL && costs != NULL;
    if (done) {
        colours->partition =
            (struct partition){.job = nqi_job(n, COLOURS_NAME, COLOURS_VERSION, 0),
                               .work = COLOURS_WORK,
                               .close = colours_partition_close};
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
    return &colours->partition;
}

/* Writes the board's rows that belong to X, as a list of JSON. */
static void x_describe(const struct colours_board *board, struct x x, FILE *stream) {
    uint32_t rows = 0;
    for (int line = 0; line < board->evens; line++)
        rows |= (x.even >> line & 1) << colours_line(board, line, 0) |
                (x.odd >> line & 1) << colours_line(board, line, 1);
    fprintf(stream, "[");
    for (const char *between = ""; rows != 0; rows &= rows - 1, between = ", ")
        fprintf(stream, "%s%d", between, __builtin_ctz(rows));
    fprintf(stream, "]");
}

/* Writes the rows of the black queens of each X, a list for each. */
void nqi_colours_describe_unit(const struct partition *partition, uint64_t id, FILE *stream) {
    const struct colours_partition *colours = (const struct colours_partition *)partition;
    struct x x = colours->ranges[id].first;
    for (uint32_t i = 0; i < colours->ranges[id].count; i++) {
        fprintf(stream, "%s", i > 0 ? ", " : "");
        x_describe(&colours->board, x, stream);
        colours_next_x(&colours->board, &x);
    }
}
