/* Counts the solutions that a quarter turn leaves as they are.
 *
 * A queen in row r and column c, counted from 0, implies three more: (c, n-1-r), (n-1-r, n-1-c)
 * and (n-1-c, r). The rows of these four, and their columns, are r, c, n-1-r and n-1-c. So each
 * four joins two of the pairs of lines {i, n-1-i}, and n / 2, rounded down, must be even. The
 * middle row of an odd board has its queen in the centre.
 *
 * The distances of the four from both long diagonals are |r - c| and |r + c - (n-1)|, on both
 * sides. So two fours attack each other exactly if they have a distance in common. No distance
 * is 0, since a pair is not joined with itself, so the centre queen attacks none of them.
 */
#include "library/symmetric.h"
#include "search/state.h"

#include <stdlib.h>

/* Counts the completions. open: the pairs, of 0..n/2-1, that are still to be joined. distances:
 * those taken. */
static uint64_t complete(int n, uint32_t open, uint32_t distances) {
    if (open == 0)
        return 1;
    /* The innermost row first: its queens attack the most. */
    int row = 31 - __builtin_clz(open);
    uint32_t others = open ^ UINT32_C(1) << row;
    uint64_t sum = 0;
    for (uint32_t rest = others; rest != 0; rest &= rest - 1) {
        int pair = __builtin_ctz(rest);
        for (int side = 0; side < 2; side++) {
            int column = side == 0 ? pair : n - 1 - pair;
            uint32_t taken =
                UINT32_C(1) << abs(row - column) | UINT32_C(1) << abs(row + column - (n - 1));
            if ((distances & taken) == 0)
                sum += complete(n, others ^ UINT32_C(1) << pair, distances | taken);
        }
    }
    return sum;
}

uint64_t nqi_count_quarter_turn(int n) {
    int pairs = n / 2;
    return pairs % 2 == 0 ? complete(n, low_bits(pairs), 0) : 0;
}
