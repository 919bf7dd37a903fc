#include "library/classify.h"

#include "core/failure.h"

#include <stdlib.h>

/* A solution and its transpose. Every image of the solution is one of the two, reflected upside
 * down, left to right, both or not at all. */
struct images {
    int n;
    const int *columns; /* of the queens in rows 1..n */
    const int *rows;    /* of the queens in columns 1..n */
};

enum { UPSIDE_DOWN = 1, MIRRORED = 2, TRANSPOSED = 4, IMAGES = 8 };

/* Returns the column of the queen in a row (from 0) of an image. */
static int column_in(const struct images *s, int image, int row) {
    const int *from = (image & TRANSPOSED) != 0 ? s->rows : s->columns;
    int column = from[(image & UPSIDE_DOWN) != 0 ? s->n - 1 - row : row];
    return (image & MIRRORED) != 0 ? s->n + 1 - column : column;
}

/* Compares an image with the solution in lexicographic order. Returns a number below 0, 0 or
 * above 0: the image comes first, is the solution, or comes later. */
static int compare(const struct images *s, int image) {
    for (int row = 0; row < s->n; row++) {
        int difference = column_in(s, image, row) - s->columns[row];
        if (difference != 0)
            return difference;
    }
    return 0;
}

static nq_class classify(const struct images *s) {
    /* A quarter turn is a transposition and one reflection; a half turn is both reflections. */
    bool half = compare(s, UPSIDE_DOWN | MIRRORED) == 0;
    bool quarter = half && compare(s, TRANSPOSED | UPSIDE_DOWN) == 0;
    nq_class found = {.half_turn = half, .quarter_turn = quarter, .first = true};
    int same = 0;
    for (int image = 0; image < IMAGES; image++) {
        int difference = compare(s, image);
        same += difference == 0;
        found.first = found.first && difference >= 0;
    }
    found.size = IMAGES / same; /* orbit-stabiliser theorem */
    return found;
}

nq_status nqi_classify(int n, const int *columns, nq_class *class_of, int *row) {
    enum { SMALL = 64 };
    int small[SMALL] = {0}; /* so that small boards need no allocation */
    int *rows = n <= SMALL ? small : calloc((size_t)n, sizeof *rows);
    if (rows == NULL)
        return NQ_NO_MEMORY;
    nq_status status = NQ_OK;
    for (*row = 0; *row < n; ++*row) {
        int column = columns[*row];
        if (column < 1 || column > n || rows[column - 1] != 0) {
            status = NQ_NO_PLACEMENT;
            break;
        }
        rows[column - 1] = *row + 1;
    }
    if (status == NQ_OK)
        *class_of = classify(&(struct images){n, columns, rows});
    if (rows != small)
        free(rows);
    return status;
}

nq_status nq_classify_solution(int n, const int *columns, nq_class *class_of) {
    int row;
    *class_of = (nq_class){0};
    if (n < 0 || n > NQ_MAX_SIDE)
        return nqi_fail_call(NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_SIDE);
    nq_status status = nqi_classify(n, columns, class_of, &row);
    if (status == NQ_NO_PLACEMENT && columns[row] >= 1 && columns[row] <= n)
        return nqi_fail_call(status, "row %d: column %d has a queen already", row + 1,
                             columns[row]);
    if (status == NQ_NO_PLACEMENT)
        return nqi_fail_call(status, "row %d: column %d is not in 1..%d", row + 1, columns[row],
                             n);
    return nqi_end_call(status, NULL);
}
