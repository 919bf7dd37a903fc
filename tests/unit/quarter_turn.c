#include "quarter_turn.h"

#include "oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

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
