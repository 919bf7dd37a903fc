#include "colours/costs.h"

#include "core/partition.h"

#include <stdlib.h>

/* log2 of m = 1, 2, ... in units of 2^-16. */
static const int32_t logarithms[COLOURS_LINES] = {0,      65536,  103872, 131072, 152170,
                                                  169408, 183983, 196608, 207744, 217706,
                                                  226717, 234944, 242512, 249519};

/* log2 of e in units of 2^-16. */
enum { COSTS_LOG2_E = 94548 };

/* Below the greatest expected completions, so that a sum over 2^24 X fits in 63 bits. */
enum { COST_GREATEST = 37 << 16 };

/* Returns the logarithm of the ways to give `rows` rows columns of their own. */
static int32_t ways(int rows, int columns) {
    int32_t sum = 0;
    for (int i = 0; i < rows; i++)
        sum += logarithms[columns - i - 1];
    return sum;
}

/* Returns the row of the board that a bit of struct rows is. */
static int even_row(const struct colours_board *board, int line) {
    return board->n % 2 == 0 ? board->n - 2 - 2 * line : 2 * line;
}

void nqi_colours_costs_init(const struct colours_board *board, struct colours_costs *costs) {
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

/* Fills in what sets of seven lines, from `begin` on, divide by together with `others`. */
static void fill_across(const struct colours_costs *costs, bool others_even, uint32_t others,
                        int begin, int32_t across[1 << 7]) {
    const int lines = others_even ? costs->board->odds : costs->board->evens;
    across[0] = 0;
    for (int line = 0; line < 7 && begin + line < lines; line++) {
        int32_t sum = 0;
        for (uint32_t set = others; set != 0; set &= set - 1) {
            const int other = __builtin_ctz(set), odd = others_even ? begin + line : other,
                      even = others_even ? other : begin + line;
            sum += costs->distance[abs(even_row(costs->board, even) - (2 * odd + 1))];
        }
        for (uint32_t set = 0; set < UINT32_C(1) << line; set++)
            across[UINT32_C(1) << line | set] = across[set] + sum;
    }
}

void nqi_colours_costs_share(struct colours_costs *costs, struct rows rows) {
    const struct colours_board *board = costs->board;
    const bool even = colours_even_shared(board, rows);
    const uint32_t black = even ? rows.even : rows.odd,
                   white = low_bits(even ? board->evens : board->odds) & ~black;
    for (int part = 0; part < 2; part++) {
        fill_across(costs, even, black, 7 * part, costs->across.black[part]);
        fill_across(costs, even, white, 7 * part, costs->across.white[part]);
    }
}

static uint64_t cost_of(int32_t logarithm) {
    return cost_power_of_2(logarithm < COST_GREATEST ? logarithm : COST_GREATEST);
}

uint64_t nqi_colours_cost(const struct colours_costs *costs, struct rows rows) {
    const struct colours_board *board = costs->board;
    const struct across *across = &costs->across;
    const struct rows others = {low_bits(board->odds) & ~rows.odd,
                                low_bits(board->evens) & ~rows.even};
    const int odd = __builtin_popcount(rows.odd), even = __builtin_popcount(rows.even);
    const bool even_shared = colours_even_shared(board, rows);
    const uint32_t black_free = even_shared ? rows.odd : rows.even,
                   white_free = even_shared ? others.odd : others.even;
    const int32_t black = ways(odd, board->odds) + ways(even, board->evens) -
                          costs->within[rows.odd] - costs->within[rows.even] -
                          across->black[0][black_free & 127] -
                          across->black[1][black_free >> 7],
                  white = ways(board->evens - even, board->odds) +
                          ways(board->odds - odd, board->evens) - costs->within[others.odd] -
                          costs->within[others.even] - across->white[0][white_free & 127] -
                          across->white[1][white_free >> 7];
    return cost_of(black) + cost_of(white);
}
