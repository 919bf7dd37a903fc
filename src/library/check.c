/* Checks whether a placement is a solution, with one bit for each column and diagonal. Counts
 * the pairs of queens that attack each other, with one counter for each. */
#include "library/check.h"

#include "core/failure.h"

#include <stdlib.h>

/* The lines of a queen, except its row, as indices of bits: n for columns, then 2n for
 * diagonals by row + column, then 2n for diagonals by row - column. */
struct lines {
    size_t column, sum, difference;
};

static struct lines lines_of(int n, int row, int column) {
    size_t side = (size_t)n;
    return (struct lines){(size_t)column, side + (size_t)(row + column),
                          3 * side + (size_t)(row - column + n)};
}

/* Marks a line as taken; returns 1 if it was taken before. */
static int take(unsigned char *taken, size_t line) {
    unsigned char bit = (unsigned char)(1u << line % 8);
    int before = (taken[line / 8] & bit) != 0;
    taken[line / 8] |= bit;
    return before;
}

/* Returns the number of a queen's line among the diagonals of one direction (1, -1) or among
 * the columns (0): 0..2n. */
static size_t line_in(int direction, int n, int row, int column) {
    return (size_t)(column + direction * row + (direction > 0 ? 0 : n));
}

/* Returns whether the queens of two rows attack each other; other > row. */
static bool attacks(const int *columns, int row, int other) {
    int distance = columns[other] - columns[row];
    return distance == 0 || abs(distance) == other - row;
}

/* Ends the public call unless it returns NQ_OK. */
static nq_status check_range(int n, const int *columns) {
    if (n < 0 || n > NQ_MAX_SIDE)
        return nqi_fail_call(NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_SIDE);
    for (int row = 0; row < n; row++)
        if (columns[row] < 1 || columns[row] > n)
            return nqi_fail_call(NQ_NO_PLACEMENT, "row %d: column %d is not in 1..%d", row + 1,
                                 columns[row], n);
    return NQ_OK;
}

nq_status nq_check_placement(int n, const int *columns, nq_attack *attack) {
    nq_status status = check_range(n, columns);
    if (status != NQ_OK)
        return status;
    unsigned char *taken = calloc((size_t)n * 5 / 8 + 2, 1);
    if (taken == NULL)
        return nqi_end_call(NQ_NO_MEMORY, NULL);
    /* Upwards from the last row, so that `upper` ends as the uppermost row whose queen attacks
     * a queen below it. */
    int upper = -1;
    for (int row = n - 1; row >= 0; row--) {
        struct lines lines = lines_of(n, row, columns[row] - 1);
        int before = take(taken, lines.column);
        before |= take(taken, lines.sum);
        before |= take(taken, lines.difference);
        if (before != 0)
            upper = row;
    }
    free(taken);
    if (upper < 0)
        return nqi_end_call(NQ_OK, NULL);
    int lower = upper + 1;
    while (!attacks(columns, upper, lower))
        lower++;
    if (attack != NULL)
        *attack = (nq_attack){{upper + 1, lower + 1}, {columns[upper], columns[lower]}};
    return nqi_fail_call(NQ_ATTACK, "the queens of rows %d and %d attack each other", upper + 1,
                         lower + 1);
}

nq_status nqi_count_attacks(int n, const int *columns, bool *attacked, uint64_t *pairs) {
    *pairs = 0;
    nq_status status = check_range(n, columns);
    if (status != NQ_OK)
        return status;
    size_t most_lines = 2 * (size_t)n + 1;
    uint32_t *queens = malloc(most_lines * sizeof *queens); /* on each line of one direction */
    if (queens == NULL)
        return nqi_end_call(NQ_NO_MEMORY, NULL);
    for (int row = 0; row < n && attacked != NULL; row++)
        attacked[row] = false;
    /* Two queens in different rows share one line at most, so no pair is counted twice. */
    for (int direction = -1; direction <= 1; direction++) {
        for (size_t line = 0; line < most_lines; line++)
            queens[line] = 0;
        for (int row = 0; row < n; row++)
            *pairs += queens[line_in(direction, n, row, columns[row])]++;
        for (int row = 0; row < n && attacked != NULL; row++)
            attacked[row] |= queens[line_in(direction, n, row, columns[row])] > 1;
    }
    free(queens);
    return nqi_end_call(NQ_OK, NULL);
}
