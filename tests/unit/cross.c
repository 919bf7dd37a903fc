/* SPDX-License-Identifier: MIT */
/* Plan `cross` compared with brute force: each family stands for one orbit of stems, and its
 * weight is the number of stems in the orbit. The test lists stems square by square, without
 * any shortcut, and knows a family's stem by the rows, columns and squares that it leaves. */
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SYMMETRIES = 8, EMPTY = 0xff };

/* The number of central rows, and also of central columns. */
static int central_lines(int n) {
    if (n % 2 == 0)
        return n == 0 ? 0 : 2;
    return n >= 19 && n <= 23 ? 3 : 1;
}

static bool is_central(int n, int line) {
    int border = (n - central_lines(n)) / 2; /* lines on either side */
    return line >= border && line < n - border;
}

/* Queens on the central lines. column[row]: EMPTY where the row has none. */
struct stem {
    uint64_t pattern; /* see pattern_of */
    unsigned char column[NQ_MAX_SEARCH_N];
};

static bool may_stand(int n, const struct stem *stem, int row, int column) {
    for (int r = 0; r < n; r++)
        if (stem->column[r] != EMPTY && attack(r, stem->column[r], row, column))
            return false;
    return true;
}

/* Whether each central column has its queen. Each central row has one anyway. */
static bool is_complete(int n, const struct stem *stem) {
    for (int column = 0; column < n; column++)
        if (is_central(n, column) && memchr(stem->column, column, (size_t)n) == NULL)
            return false;
    return true;
}

/* The columns taken, and the rows to fill, counted from the first of them: a family does not
 * say where on the board that row lies. */
static uint64_t pattern_of(uint32_t cols, uint32_t rows) {
    return (uint64_t)cols << 32 | (rows == 0 ? 0 : rows >> __builtin_ctz(rows));
}

static void set_pattern(int n, struct stem *stem) {
    uint32_t cols = 0, rows = 0;
    for (int row = 0; row < n; row++)
        if (stem->column[row] == EMPTY)
            rows |= UINT32_C(1) << row;
        else
            cols |= UINT32_C(1) << stem->column[row];
    stem->pattern = pattern_of(cols, rows);
}

struct list {
    size_t count, room;
    struct stem *stem; /* NULL: stems are only counted */
};

static void add(int n, struct list *list, const struct stem *stem) {
    if (list->room > 0) {
        if (list->count == list->room) {
            list->room *= 2;
            list->stem = realloc(list->stem, list->room * sizeof *list->stem);
            cr_assert_not_null(list->stem);
        }
        list->stem[list->count] = *stem;
        set_pattern(n, &list->stem[list->count]);
    }
    list->count++;
}

/* Lists all stems: each row from `row` on stays empty, or gets a queen on a central line. */
static void list_stems(int n, int row, struct stem *stem, struct list *list) {
    if (row == n) {
        if (is_complete(n, stem))
            add(n, list, stem);
        return;
    }
    if (!is_central(n, row))
        list_stems(n, row + 1, stem, list);
    for (int column = 0; column < n; column++)
        if ((is_central(n, row) || is_central(n, column)) && may_stand(n, stem, row, column)) {
            stem->column[row] = (unsigned char)column;
            list_stems(n, row + 1, stem, list);
            stem->column[row] = EMPTY;
        }
}

static struct stem no_queens(void) {
    struct stem stem = {0};
    memset(stem.column, EMPTY, sizeof stem.column);
    return stem;
}

static struct stem image_of(int n, const struct stem *stem, int symmetry) {
    struct stem image = no_queens();
    for (int row = 0; row < n; row++)
        if (stem->column[row] != EMPTY) {
            int r = (symmetry & 1) != 0 ? n - 1 - row : row;
            int c = (symmetry & 2) != 0 ? n - 1 - stem->column[row] : stem->column[row];
            image.column[(symmetry & 4) != 0 ? c : r] =
                (unsigned char)((symmetry & 4) != 0 ? r : c);
        }
    set_pattern(n, &image);
    return image;
}

static int compare(const void *left, const void *right) {
    const struct stem *a = left, *b = right;
    if (a->pattern != b->pattern)
        return a->pattern < b->pattern ? -1 : 1;
    return memcmp(a->column, b->column, sizeof a->column);
}

/* The index of the first stem with the family's pattern, or where it would be. */
static size_t first_like(const struct list *all, const struct family *f) {
    uint32_t rows = 0;
    for (int r = 0, line = 0; r < f->rows; line += f->step[r++])
        rows |= UINT32_C(1) << line;
    const uint64_t pattern = pattern_of(f->cols, rows);
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->stem[middle].pattern < pattern)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the stem leaves exactly the family's squares free. */
static bool leaves(int n, const struct stem *stem, const struct family *f) {
    for (int row = 0, r = 0; row < n; row++) {
        if (stem->column[row] != EMPTY)
            continue;
        if (r == f->rows)
            return false;
        for (int column = 0; column < n; column++)
            if ((f->open[r] >> column & 1) != may_stand(n, stem, row, column))
                return false;
        r++;
    }
    return true;
}

/* Takes the orbit of each family's stem off the list. No stem must be left in the end. */
static void check_orbits(int n, const struct list *all, const struct families *families) {
    bool *taken = calloc(all->count + 1, sizeof *taken);
    cr_assert_not_null(taken);
    size_t left = all->count;
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        /* If few rows are left, several stems may leave the same squares. */
        size_t own = first_like(all, f), orbit = 0;
        while (own < all->count && (taken[own] || !leaves(n, &all->stem[own], f)))
            own++;
        cr_assert_lt(own, all->count, "n = %d, family %zu: no stem, or one of an orbit taken",
                     n, i);
        for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
            struct stem image = image_of(n, &all->stem[own], symmetry);
            const struct stem *at =
                bsearch(&image, all->stem, all->count, sizeof image, compare);
            cr_assert_not_null(at, "n = %d, family %zu: an image is no stem", n, i);
            size_t s = (size_t)(at - all->stem);
            orbit += !taken[s];
            taken[s] = true;
        }
        cr_assert_eq(f->weight, orbit, "n = %d, family %zu: weight %" PRIu32 ", orbit %zu", n,
                     i, f->weight, orbit);
        left -= orbit;
    }
    cr_expect_eq(left, 0, "n = %d: %zu of %zu stems in no family", n, left, all->count);
    free(taken);
}

static void check(int n, bool orbits) {
    struct list all = {.room = orbits ? 1024 : 0};
    struct stem empty = no_queens();
    if (orbits) {
        all.stem = malloc(all.room * sizeof *all.stem);
        cr_assert_not_null(all.stem);
    }
    list_stems(n, 0, &empty, &all);
    struct families families;
    cr_assert(nqi_plan_cross.build(n, &families), "n = %d", n);
    uint64_t sum = 0;
    for (size_t i = 0; i < families.count; i++)
        sum += families.family[i].weight;
    cr_expect_eq(sum, all.count, "n = %d: weights %" PRIu64 ", stems %zu", n, sum, all.count);
    if (orbits) {
        qsort(all.stem, all.count, sizeof *all.stem, compare);
        check_orbits(n, &all, &families);
    }
    nqi_families_free(&families);
    free(all.stem);
}

Test(cross, families_are_the_orbits_of_stems) {
    for (int n = 0; n <= 18; n++)
        check(n, true);
    check(25, true);
    check(28, true);
}

Test(cross, families_are_the_orbits_of_stems_on_three_lines) {
    check(19, true);
}

/* These boards have millions of stems, so the test only counts them. */
Test(cross, weights_add_up_to_the_stems_on_three_lines) {
    if (getenv("NQUEENS_TEST_LARGE") == NULL)
        cr_skip_test("set NQUEENS_TEST_LARGE to run it");
    check(21, false);
    check(23, false);
}
