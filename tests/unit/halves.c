#include "halves.h"

#include "oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void add_half(const int *column, void *context) {
    struct all_halves *halves = context;
    struct half *half = &halves->half[halves->count++];
    *half = (struct half){0};
    for (int row = 0; row < halves->n / 2; row++) {
        half->column[row] = column[row];
        half->columns |= UINT32_C(1) << column[row];
    }
}

static int by_columns(const void *left, const void *right) {
    const struct half *a = left, *b = right;
    return a->columns < b->columns ? -1 : a->columns > b->columns;
}

struct all_halves all_halves(int n) {
    struct all_halves halves = {.n = n};
    uint64_t count = each_placement(n, n / 2, NULL, NULL);
    halves.half = malloc((count + 1) * sizeof *halves.half);
    cr_assert_not_null(halves.half);
    each_placement(n, n / 2, add_half, &halves);
    qsort(halves.half, halves.count, sizeof *halves.half, by_columns);
    return halves;
}

const struct half *halves_on(const struct all_halves *all, uint32_t columns, size_t *count) {
    size_t first = 0, end = all->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (all->half[middle].columns < columns)
            first = middle + 1;
        else
            end = middle;
    }
    while (end < all->count && all->half[end].columns == columns)
        end++;
    *count = end - first;
    return &all->half[first];
}

bool halves_fit(int n, const struct half *upper, const struct half *lower) {
    for (int row = 0; row < n / 2; row++)
        for (int below = 0; below < n / 2; below++)
            if (attack(row, upper->column[row], n - 1 - below, lower->column[below]))
                return false;
    return true;
}
