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

/* Odd n. How often a pair counts: by the distance of the middle column's queen from the centre,
 * which is in the upper half, and that of the middle queen. */
static int times_by_distance(int n, const struct half *upper, int middle) {
    for (int row = 0; row < n / 2; row++)
        if (upper->column[row] == n / 2) {
            int queen = abs(middle - n / 2), other = n / 2 - row;
            return (other > queen) + (other >= queen);
        }
    cr_assert_fail("no queen in the middle column");
    return 0;
}

/* The key of the columns or rows where `on` is true, counted from the edge. It is the same if
 * `on` is exchanged for its opposite. */
static int64_t key_of(int elements, const bool *on) {
    int64_t sum[2] = {0, 0}, digits = 0;
    int size[2] = {0, 0};
    for (int i = 0; i < elements; i++) {
        sum[on[i]] += i;
        size[on[i]]++;
        digits += on[i] != on[elements - 1] ? INT64_C(1) << i : 0;
    }
    if (elements == 0)
        return 0;
    const bool fewer = size[true] == size[false] ? !on[elements - 1] : size[true] < size[false];
    return -(sum[fewer] << NQ_MAX_N | digits);
}

struct keys {
    int64_t lesser, greater;
};

static struct keys in_order(int64_t a, int64_t b) {
    return a < b ? (struct keys){a, b} : (struct keys){b, a};
}

/* Even n: the keys of the columns on both sides whose queens are in the upper half. */
static struct keys keys_of_columns(int n, uint32_t columns) {
    bool left[NQ_MAX_N] = {false}, right[NQ_MAX_N] = {false};
    for (int i = 0; i < n / 2; i++) {
        left[i] = (columns >> i & 1) != 0;
        right[i] = (columns >> (n - 1 - i) & 1) != 0;
    }
    return in_order(key_of(n / 2, left), key_of(n / 2, right));
}

/* Even n: the key of the rows of a half whose queens are on the left side. */
static int64_t key_of_rows(int n, const struct half *half) {
    bool left[NQ_MAX_N] = {false};
    for (int row = 0; row < n / 2; row++)
        left[row] = half->column[row] < n / 2;
    return key_of(n / 2, left);
}

static int times_by_keys(int n, const struct half *upper, const struct half *lower) {
    const struct keys columns = keys_of_columns(n, upper->columns),
                      rows = in_order(key_of_rows(n, upper), key_of_rows(n, lower));
    if (rows.lesser != columns.lesser)
        return rows.lesser > columns.lesser ? 2 : 0;
    return (rows.greater > columns.greater) + (rows.greater >= columns.greater);
}

int times_counted(int n, const struct half *upper, const struct half *lower, int middle) {
    return middle == NONE    ? times_by_keys(n, upper, lower)
           : middle == n / 2 ? 1
                             : times_by_distance(n, upper, middle);
}

bool may_count(int n, const struct half *upper) {
    return n % 2 == 1 || key_of_rows(n, upper) >= keys_of_columns(n, upper->columns).lesser;
}
