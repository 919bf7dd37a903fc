/* What rows are expected to cost: the completions that a mean field predicts.
 *
 * Queens of one colour on rows of distance d share a diagonal in about 4 (n - d) / n^2 of all
 * ways to give them columns. If pairs of rows were independent, the placements of a colour
 * would be all ways to give its rows columns of their own, times what each pair leaves. They
 * are not: with 6 in place of 4 the logarithms of units' completions are off by 0.27, 0.22,
 * 0.15 and 0.21 (standard deviation, natural; n = 17, 18, 22, 23), and sums are right within a
 * factor of 1.6. With 5 they are off by 0.25 to 0.49, with 4 by more, with 7 by 0.1 to 0.5.
 */
#ifndef COLOURS_COSTS_H
#define COLOURS_COSTS_H

#include "colours/board.h"

/* Logarithms to base 2 in units of 2^-16. */
struct colours_costs {
    const struct colours_board *board;
    int32_t distance[NQ_MAX_N];         /* what one pair of rows divides by */
    int32_t within[1 << COLOURS_LINES]; /* [set of lines]: what all its pairs divide by */
    /* What sets of the rows that are not shared, seven lines at a time, divide by together with
     * the shared rows of their colour. */
    struct across {
        int32_t black[2][1 << 7], white[2][1 << 7];
    } across;
};

void nqi_colours_costs_init(const struct colours_board *board, struct colours_costs *costs);

/* Prepares for rows that share these ones: rows.even or rows.odd, as colours_even_shared says.
 */
void nqi_colours_costs_share(struct colours_costs *costs, struct rows rows);

/* Returns the expected completions of rows for all columns, at least 1 and at most 2^38. */
uint64_t nqi_colours_cost(const struct colours_costs *costs, struct rows rows);

#endif
