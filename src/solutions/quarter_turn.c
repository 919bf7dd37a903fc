/* Solutions that a quarter turn leaves as they are.
 *
 * A queen in row r and column c, counted from 0, brings three more: (c, n-1-r), (n-1-r, n-1-c)
 * and (n-1-c, r). Together they fill the rows, and the columns, r, c, n-1-r and n-1-c. So the
 * lines go in pairs {i, n-1-i}, and each such four joins two pairs: half of n, rounded down,
 * must be even. An odd board's centre has a queen, since the centre's row must.
 *
 * The offsets of the four from the long diagonal are |r - c| and |r + c - (n-1)|, on either
 * side of it, and the same from the other one. So no two fours attack each other as long as no
 * offset is taken twice. Neither is ever 0, which is the centre queen's: a pair is not joined
 * with itself.
 */
#include "board/state.h"
#include "solutions/symmetric.h"

#include <stdlib.h>

/* Completions, when of the pairs 0..n/2-1 those in `open` are still to be filled. */
static uint64_t complete(int n, uint32_t open, uint32_t offsets) {
    if (open == 0)
        return 1;
    /* The innermost row first: its queens attack the most. */
    int row = 31 - __builtin_clz(open);
    uint32_t others = open ^ UINT32_C(1) << row;
    uint64_t sum = 0;
    for (uint32_t left = others; left != 0; left &= left - 1) {
        int pair = __builtin_ctz(left);
        for (int side = 0; side < 2; side++) {
            int column = side == 0 ? pair : n - 1 - pair;
            uint32_t taken =
                UINT32_C(1) << abs(row - column) | UINT32_C(1) << abs(row + column - (n - 1));
            if ((offsets & taken) == 0)
                sum += complete(n, others ^ UINT32_C(1) << pair, offsets | taken);
        }
    }
    return sum;
}

uint64_t nqi_count_quarter_turn(int n) {
    int pairs = n / 2;
    return pairs % 2 == 0 ? complete(n, low_bits(pairs), 0) : 0;
}
