#include "colours/costs.h"

#include "core/cost.h"

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

void nqi_colours_costs_choose(struct colours_costs *costs, uint32_t odd) {
    const struct colours_board *board = costs->board;
    struct rows_across *across = &costs->across;
    across->odd = odd;
    for (int part = 0; part < 2; part++) {
        across->black[part][0] = across->white[part][0] = 0;
        for (int line = 0; line < 7 && 7 * part + line < board->evens; line++) {
            int32_t black = 0, white = 0;
            for (int other = 0; other < board->odds; other++) {
                const int32_t pair =
                    costs->distance[abs(even_row(board, 7 * part + line) - (2 * other + 1))];
                *((odd >> other & 1) != 0 ? &black : &white) += pair;
            }
            for (uint32_t set = 0; set < UINT32_C(1) << line; set++) {
                across->black[part][1u << line | set] = across->black[part][set] + black;
                across->white[part][1u << line | set] = across->white[part][set] + white;
            }
        }
    }
}

static uint64_t cost_of(int32_t logarithm) {
    return cost_power_of_2(logarithm < COST_GREATEST ? logarithm : COST_GREATEST);
}

uint64_t nqi_colours_cost(const struct colours_costs *costs, uint32_t even) {
    const struct colours_board *board = costs->board;
    const struct rows_across *across = &costs->across;
    const uint32_t odd = across->odd, others = low_bits(board->odds) & ~odd,
                   not_even = low_bits(board->evens) & ~even;
    const int size = __builtin_popcount(odd), even_size = __builtin_popcount(even);
    const int32_t black = ways(size, board->odds) + ways(even_size, board->evens) -
                          costs->within[odd] - costs->within[even] -
                          across->black[0][even & 127] - across->black[1][even >> 7];
    const int32_t white = ways(board->evens - even_size, board->odds) +
                          ways(board->odds - size, board->evens) - costs->within[others] -
                          costs->within[not_even] - across->white[0][not_even & 127] -
                          across->white[1][not_even >> 7];
    return cost_of(black) + cost_of(white);
}
