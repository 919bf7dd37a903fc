/* Quarter tables, compared with brute force and with the search for halves. */
#include "join/quarter.h"

#include "board/bits.h"
#include "matchers.h"
#include "oracle.h"
#include "signatures.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 18 };

struct naive {
    int rows, cols, queens;
    int row[NQ_MAX_N], column[NQ_MAX_N];
    uint64_t count;
};

/* Tries the columns from `column` on, each without a queen and with one. */
static void place(struct naive *naive, int column) {
    if (column == naive->cols) {
        naive->count++;
        return;
    }
    place(naive, column + 1);
    for (int row = 0; row < naive->rows; row++) {
        bool free = true;
        for (int i = 0; i < naive->queens && free; i++)
            free = !attack(naive->row[i], naive->column[i], row, column);
        if (!free)
            continue;
        naive->row[naive->queens] = row;
        naive->column[naive->queens++] = column;
        place(naive, column + 1);
        naive->queens--;
    }
}

Test(quarter, count_equals_brute_force) {
    for (int n = 2; n <= LARGEST; n++) {
        struct naive naive = {.rows = n / 2, .cols = (n + 1) / 2};
        place(&naive, 0);
        cr_expect_eq(nqi_quarters_count(n), naive.count, "n = %d: %" PRIu64 ", not %" PRIu64, n,
                     nqi_quarters_count(n), naive.count);
    }
}

/* Both functions must find the tables too large from the same n on. */
Test(quarter, tables_grow_until_they_exceed_any_memory) {
    cr_expect_eq(nqi_quarters_bytes(0), UINT64_MAX);
    cr_expect_eq(nqi_quarters_bytes(1), UINT64_MAX);
    for (int n = 2; n <= NQ_MAX_N; n++) {
        cr_expect_eq(nqi_quarters_count(n) == 0, nqi_quarters_bytes(n) == UINT64_MAX, "n = %d",
                     n);
        if (n > 2)
            cr_expect_geq(nqi_quarters_bytes(n), nqi_quarters_bytes(n - 1), "n = %d", n);
        if (n > 2 && nqi_quarters_count(n) != 0)
            cr_expect_gt(nqi_quarters_count(n), nqi_quarters_count(n - 1), "n = %d", n);
        if (nqi_quarters_count(n) != 0)
            cr_expect_geq(nqi_quarters_bytes(n), 16 * nqi_quarters_count(n), "n = %d", n);
        if (n <= 22)
            cr_expect_neq(nqi_quarters_bytes(n), UINT64_MAX, "n = %d", n);
    }
}

static void fill_by(struct quarters *quarters, int threads) {
    int started = 0;
#pragma omp parallel num_threads(threads) shared(started)
    {
        if (omp_get_thread_num() == 0)
            started = omp_get_num_threads();
        nqi_quarters_fill(quarters, NULL);
    }
    cr_assert_eq(started, threads);
}

static struct quarters make(const struct half_board *board, int threads) {
    struct quarters quarters;
    memset(&quarters, 0x5a, sizeof quarters);
    cr_assert(nqi_quarters_allocate(board, &quarters), "n = %d", board->n);
    fill_by(&quarters, threads);
    cr_assert_not(quarters.wrong, "n = %d, %d threads", board->n, threads);
    cr_assert_eq(quarters.count, nqi_quarters_count(board->n));
    return quarters;
}

/* With every matcher, the tables must list the halves that the search lists. */
static void compare_choice(const struct quarters *quarters, const struct half_choice *choice,
                           struct half_list *searched, struct half_list *listed) {
    struct half_list room = {0};
    const struct half_board *board = quarters->board;
    const struct matcher *matcher;
    searched->count = 0;
    cr_assert_eq(nqi_half_list_search(board, choice, NULL, searched), NQ_OK);
    sort_signatures(searched->signature, searched->count);
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        listed->count = 0;
        cr_assert_eq(
            nqi_quarters_list(quarters, &matcher->listing, choice, NULL, listed, &room), NQ_OK);
        cr_assert_leq(listed->count, listed->room);
        cr_assert_eq((uintptr_t)listed->signature % 64, 0);
        sort_signatures(listed->signature, listed->count);
        cr_assert(listed->count == searched->count &&
                      memcmp(listed->signature, searched->signature,
                             searched->count * sizeof *searched->signature) == 0,
                  "matcher %s, n = %d, columns %#x, excluded %#" PRIx64
                  ": %zu halves, searched %zu",
                  matcher->impl.name, board->n, choice->columns, choice->excluded,
                  listed->count, searched->count);
        for (size_t i = 0; i < HALF_SLACK; i++) /* the slack may be written */
            listed->signature[listed->count + i] = UINT64_MAX;
    }
    nqi_half_list_free(&room);
}

static void compare(const struct quarters *quarters, uint32_t columns, uint64_t excluded,
                    struct half_list *searched, struct half_list *listed) {
    struct half_choice choice = {.columns = columns, .excluded = excluded, .most = UINT32_MAX};
    compare_choice(quarters, &choice, searched, listed);
    const struct subsets *subsets = &quarters->board->rows_on_left;
    choice.least = subsets->key[columns & low_bits(quarters->rows)];
    choice.most = subsets->key[columns >> (quarters->board->n - quarters->rows)];
    choice.upside_down = true;
    compare_choice(quarters, &choice, searched, listed);
}

/* As many random columns of `among` as a half has rows. */
static uint32_t random_columns(const struct half_board *board, uint32_t among, uint64_t *seed) {
    uint32_t columns = 0;
    while (__builtin_popcount(columns) < board->rows)
        columns |= UINT32_C(1) << random_below(seed, board->n) & among;
    return columns;
}

static void compare_set(const struct quarters *quarters, uint32_t columns, uint64_t *seed,
                        struct half_list *searched, struct half_list *listed) {
    const struct half_board *board = quarters->board;
    uint64_t part = (UINT64_C(1) << 2 * board->n) - 1;
    compare(quarters, columns, 0, searched, listed);
    compare(quarters, columns, UINT64_C(1) << random_below(seed, 2 * board->n), searched,
            listed);
    compare(quarters, columns, random_eighths(seed, 1) & part, searched, listed);
    compare(quarters, columns, part, searched, listed);
    for (int middle = 0; board->n % 2 == 1 && middle < board->n; middle++)
        if ((columns >> middle & 1) == 0 && random_below(seed, 3) == 0)
            compare(quarters, columns, nqi_half_through(board, middle), searched, listed);
}

/* For small boards all sets of columns; else some, among them sets within one quarter. */
static void compare_n(int n, int threads) {
    struct half_board board;
    nqi_half_board_init(&board, n);
    struct quarters quarters = make(&board, threads);
    struct half_list searched = {0}, listed = {0};
    uint64_t seed = (uint64_t)(n + 100 * threads);
    const uint32_t all = (UINT32_C(1) << n) - 1, left = (UINT32_C(1) << board.rows) - 1;
    for (uint32_t columns = 0; columns <= all && n <= 9; columns++)
        if (__builtin_popcount(columns) == board.rows)
            compare_set(&quarters, columns, &seed, &searched, &listed);
    for (int i = 0; i < 30 && n > 9; i++)
        compare_set(&quarters, random_columns(&board, all, &seed), &seed, &searched, &listed);
    compare_set(&quarters, left, &seed, &searched, &listed);
    compare_set(&quarters, left << (n - board.rows), &seed, &searched, &listed);
    compare_set(&quarters, left << (n % 2), &seed, &searched, &listed);
    compare_set(&quarters, random_columns(&board, 0x55555555, &seed), &seed, &searched,
                &listed);
    nqi_half_list_free(&searched);
    nqi_half_list_free(&listed);
    nqi_quarters_free(&quarters);
    cr_expect(quarters.first == NULL && quarters.left == NULL && quarters.right == NULL);
    nqi_quarters_free(&quarters); /* an empty table may be released */
}

#define LISTS(n, threads)                                                                      \
    Test(quarter, tables_list_the_halves_of_n_##n) {                                           \
        compare_n(n, threads);                                                                 \
    }
LISTS(2, 1)
LISTS(3, 2)
LISTS(4, 3)
LISTS(5, 4)
LISTS(6, 1)
LISTS(7, 2)
LISTS(8, 3)
LISTS(9, 4)
LISTS(10, 1)
LISTS(11, 2)
LISTS(12, 3)
LISTS(13, 4)
LISTS(14, 1)
LISTS(15, 2)
LISTS(16, 3)
LISTS(17, 4)
LISTS(18, 2)

Test(quarter, tables_are_alike_with_any_number_of_threads) {
    for (int n = 2; n <= 15; n++) {
        struct half_board board;
        nqi_half_board_init(&board, n);
        struct quarters one = make(&board, 1);
        const size_t keys = ((size_t)1 << (one.rows + one.cols)) + 1, count = one.count;
        for (int threads = 2; threads <= 4; threads++) {
            struct quarters more = make(&board, threads);
            cr_expect(memcmp(one.first, more.first, keys * sizeof *one.first) == 0 &&
                          memcmp(one.left, more.left, count * sizeof *one.left) == 0 &&
                          memcmp(one.right, more.right, count * sizeof *one.right) == 0,
                      "n = %d, %d threads", n, threads);
            nqi_quarters_free(&more);
        }
        nqi_quarters_free(&one);
    }
}

/* The tables have room for one placement too few, or for one too many. */
Test(quarter, a_wrong_count_is_noticed_before_anything_is_written) {
    for (int n = 4; n <= 13; n++)
        for (int more = -1; more <= 1; more += 2) {
            struct half_board board;
            nqi_half_board_init(&board, n);
            struct quarters quarters;
            cr_assert(nqi_quarters_allocate(&board, &quarters));
            quarters.count += (uint64_t)(int64_t)more;
            memset(quarters.left, 0xa5, nqi_quarters_count(n) * sizeof *quarters.left);
            fill_by(&quarters, 3);
            cr_expect(quarters.wrong, "n = %d", n);
            for (uint64_t i = 0; i < nqi_quarters_count(n); i++)
                cr_assert_eq(quarters.left[i], UINT64_C(0xa5a5a5a5a5a5a5a5), "n = %d", n);
            nqi_quarters_free(&quarters);
        }
}
