/* SPDX-License-Identifier: MIT */
/* Checks placements, classifies solutions by the square's symmetries, and constructs one. */
#include "solutions/placement.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of a queen's line, 0..2n. direction: 1 or -1 for diagonals of either
 * direction, 0 for columns. */
static size_t placement_line(int direction, int n, int row, int column) {
    return (size_t)(column + direction * row + (direction > 0 ? 0 : n));
}

/* Returns whether the queens of two rows attack each other. other: greater than `row`. */
static bool placement_attacks(const int *columns, int row, int other) {
    int distance = columns[other] - columns[row];
    return distance == 0 || abs(distance) == other - row;
}

static nq_status placement_check_range(int n, const int *columns, struct failure *failure) {
    if (n < 0 || n > NQ_MAX_SIDE)
        return nqi_fail(failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_SIDE);
    for (int row = 0; row < n; row++)
        if (columns[row] < 1 || columns[row] > n)
            return nqi_fail(failure, NQ_NO_PLACEMENT, "row %d: column %d is not in 1..%d",
                            row + 1, columns[row], n);
    return NQ_OK;
}

nq_status nq_check_placement(int n, const int *columns, nq_attack *attack) {
    struct failure failure = {0};
    nq_status status = placement_check_range(n, columns, &failure);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    size_t bytes = 2 * (size_t)n / 8 + 1;
    unsigned char *taken = malloc(bytes); /* one bit for each line of one direction */
    if (taken == NULL)
        return nqi_end_call(NQ_NO_MEMORY, NULL);
    int upper = n; /* the uppermost row whose queen attacks one below it; n if there is none */
    for (int direction = -1; direction <= 1; direction++) {
        memset(taken, 0, bytes);
        for (int row = n - 1; row >= 0; row--) {
            size_t line = placement_line(direction, n, row, columns[row]);
            unsigned char bit = (unsigned char)(1u << line % 8);
            if ((taken[line / 8] & bit) != 0 && row < upper)
                upper = row;
            taken[line / 8] |= bit;
        }
    }
    free(taken);
    if (upper == n)
        return nqi_end_call(NQ_OK, NULL);
    int lower = upper + 1;
    while (!placement_attacks(columns, upper, lower))
        lower++;
    if (attack != NULL)
        *attack = (nq_attack){{upper + 1, lower + 1}, {columns[upper], columns[lower]}};
    status = nqi_fail(&failure, NQ_ATTACK, "the queens of rows %d and %d attack each other",
                      upper + 1, lower + 1);
    return nqi_end_call(status, &failure);
}

nq_status nqi_count_attacks(int n, const int *columns, bool *attacked, uint64_t *pairs,
                            struct failure *failure) {
    *pairs = 0;
    nq_status status = placement_check_range(n, columns, failure);
    if (status != NQ_OK)
        return status;
    size_t most_lines = 2 * (size_t)n + 1;
    uint32_t *queens = malloc(most_lines * sizeof *queens); /* how many each line has */
    if (queens == NULL)
        return NQ_NO_MEMORY;
    for (int row = 0; row < n && attacked != NULL; row++)
        attacked[row] = false;
    /* Two queens in different rows share at most one line, so no pair is counted twice. */
    for (int direction = -1; direction <= 1; direction++) {
        for (size_t line = 0; line < most_lines; line++)
            queens[line] = 0;
        for (int row = 0; row < n; row++)
            *pairs += queens[placement_line(direction, n, row, columns[row])]++;
        for (int row = 0; row < n && attacked != NULL; row++)
            attacked[row] |= queens[placement_line(direction, n, row, columns[row])] > 1;
    }
    free(queens);
    return NQ_OK;
}

/* A solution and its transpose. Each of the eight images of the solution is one of the two,
 * turned upside down, mirrored left to right, both or neither. */
struct images {
    int n;
    const int *columns; /* columns of the queens in rows 1..n: the solution */
    const int *rows;    /* rows of the queens in columns 1..n: its transpose */
};

enum { UPSIDE_DOWN = 1, MIRRORED = 2, TRANSPOSED = 4, IMAGES = 8 };

/* Returns the column, from 1, of the queen in a row, from 0, of an image. */
static int image_column(const struct images *s, int image, int row) {
    const int *from = (image & TRANSPOSED) != 0 ? s->rows : s->columns;
    int column = from[(image & UPSIDE_DOWN) != 0 ? s->n - 1 - row : row];
    return (image & MIRRORED) != 0 ? s->n + 1 - column : column;
}

/* Compares an image with the solution in lexicographic order. Returns a negative number if the
 * image comes first, 0 if it is the solution, and a positive number if it comes later. */
static int image_compare(const struct images *s, int image) {
    for (int row = 0; row < s->n; row++) {
        int difference = image_column(s, image, row) - s->columns[row];
        if (difference != 0)
            return difference;
    }
    return 0;
}

static nq_class image_classify(const struct images *s) {
    /* A quarter turn is a transposition and one reflection; a half turn is both reflections. */
    bool half = image_compare(s, UPSIDE_DOWN | MIRRORED) == 0;
    bool quarter = half && image_compare(s, TRANSPOSED | UPSIDE_DOWN) == 0;
    nq_class found = {.half_turn = half, .quarter_turn = quarter, .first = true};
    int same = 0;
    for (int image = 0; image < IMAGES; image++) {
        int difference = image_compare(s, image);
        same += difference == 0;
        found.first = found.first && difference >= 0;
    }
    found.size = IMAGES / same; /* orbit-stabiliser theorem */
    return found;
}

nq_status nqi_classify(int n, const int *columns, nq_class *class_of, struct failure *failure) {
    nq_status status = placement_check_range(n, columns, failure);
    if (status != NQ_OK)
        return status;
    int few[NQ_MAX_N] = {0}; /* lists must not allocate, as they cannot report a failure */
    int *rows = n <= NQ_MAX_N ? few : calloc((size_t)n, sizeof *rows);
    if (rows == NULL)
        return NQ_NO_MEMORY;
    for (int row = 0; row < n && status == NQ_OK; row++) {
        if (rows[columns[row] - 1] != 0)
            status = nqi_fail(failure, NQ_NO_PLACEMENT, "row %d: column %d has a queen already",
                              row + 1, columns[row]);
        rows[columns[row] - 1] = row + 1;
    }
    if (status == NQ_OK)
        *class_of = image_classify(&(struct images){n, columns, rows});
    if (rows != few)
        free(rows);
    return status;
}

nq_status nq_classify_solution(int n, const int *columns, nq_class *class_of) {
    struct failure failure = {0};
    *class_of = (nq_class){0};
    return nqi_end_call(nqi_classify(n, columns, class_of, &failure), &failure);
}

/* An explicit formula gives a solution for every n that has one:
 *
 * E. J. Hoffman, J. C. Loessi, R. C. Moore, "Constructions for the solution of the m queens
 * problem", Mathematics Magazine 42 (1969), pages 66 to 72. For even n, with rows and columns
 * from 1 and j = 1..n/2:
 *
 *   n mod 6 != 2   queens at (j, 2j) and (n/2 + j, 2j - 1)
 *   n mod 6 == 2   queens at (j, 1 + k) and (n + 1 - j, n - k), k = (2j + n/2 - 3) mod n
 *
 * Neither form has a queen on the main diagonal. So for odd n, the solution for n - 1 together
 * with a queen in the corner (n, n) is a solution. If n mod 6 is 3, the solution for n - 1 is
 * of the second form. */
nq_status nq_construct_solution(int n, int *columns) {
    struct failure failure = {0};
    nq_status status = NQ_OK;
    if (n < 1 || n > NQ_MAX_SIDE)
        status = nqi_fail(&failure, NQ_BAD_N, "n = %d: expected 1, or 4 to %d", n, NQ_MAX_SIDE);
    else if (n == 2 || n == 3)
        status = nqi_fail(&failure, NQ_NO_SOLUTION,
                          "n = %d: boards of this size have no solution", n);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    int even = n & ~1, half = even / 2;
    for (int j = 1; j <= half; j++)
        if (even % 6 != 2) {
            columns[j - 1] = 2 * j;
            columns[half + j - 1] = 2 * j - 1;
        } else {
            int k = (2 * j + half - 3) % even;
            columns[j - 1] = 1 + k;
            columns[even - j] = even - k;
        }
    if (n > even)
        columns[n - 1] = n;
    return nqi_end_call(NQ_OK, NULL);
}
