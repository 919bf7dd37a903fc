/* SPDX-License-Identifier: MIT */
#include "colours/order.h"

#include <stdlib.h>

/* Returns how near a row is to the lines of a set of this parity. */
static int order_nearness(const struct colours_board *board, int row, uint32_t set,
                          int parity) {
    int sum = 0;
    for (; set != 0; set &= set - 1)
        sum += board->n - abs(row - colours_line(board, __builtin_ctz(set), parity));
    return sum;
}

/* Next comes the line that is nearest to `others` and to those before. */
int nqi_order_lines(const struct colours_board *board, uint32_t set, int parity,
                    uint32_t others, uint8_t line[COLOURS_LINES]) {
    int row[COLOURS_LINES], nearness[COLOURS_LINES], count = 0;
    for (; set != 0; set &= set - 1, count++) {
        line[count] = (uint8_t)__builtin_ctz(set);
        row[count] = colours_line(board, line[count], parity);
        nearness[count] = order_nearness(board, row[count], others, 1 - parity);
    }
    for (int i = 0; i < count; i++) {
        int next = i;
        for (int j = i + 1; j < count; j++)
            next = nearness[j] > nearness[next] ? j : next;
        const uint8_t chosen = line[next];
        const int chosen_row = row[next];
        line[next] = line[i];
        row[next] = row[i];
        nearness[next] = nearness[i];
        line[i] = chosen;
        for (int j = i + 1; j < count; j++)
            nearness[j] += board->n - abs(row[j] - chosen_row);
    }
    return count;
}
