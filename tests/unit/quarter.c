/* Quarters, compared with brute force, and the halves listed from them with a search. */
#include "join/quarter_maker.h"

#include "core/bits.h"
#include "half_search.h"
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

/* Makes all quarters that are kept. */
static void make_all(struct quarters *quarters, const struct half_board *board, bool keep,
                     int threads) {
    int started = 0, failed = 0;
    memset(quarters, 0x5a, sizeof *quarters);
    cr_assert(nqi_quarters_init(board, keep, quarters));
#pragma omp parallel num_threads(threads) shared(started) reduction(+ : failed)
    {
        if (omp_get_thread_num() == 0)
            started = omp_get_num_threads();
        failed += nqi_quarters_make_all(quarters, &nqi_matcher_scalar64.listing, NULL) != NQ_OK;
    }
    cr_assert(started == threads && failed == 0);
}

static size_t sets_on(const struct half_board *board, enum side side) {
    return (size_t)1 << (board->n + (side == LEFT)) / 2;
}

/* Every placement on a left quarter is kept, those on a right one likewise, and they take no
 * more memory than was said. */
Test(quarter, all_placements_are_kept) {
    for (int n = 0; n <= LARGEST; n++) {
        struct half_board board;
        struct quarters quarters;
        nqi_half_board_init(&board, n);
        make_all(&quarters, &board, true, 1 + n % 3);
        uint64_t bytes = 0;
        for (enum side side = LEFT; side < SIDES; side++) {
            uint64_t count = 1; /* without queens: none is kept */
            struct naive naive = {.rows = n / 2, .cols = (n + (side == LEFT)) / 2};
            place(&naive, 0);
            for (size_t set = 1; set < sets_on(&board, side); set++) {
                const struct quarter *quarter = quarters.kept[side][set];
                cr_assert_not_null(quarter);
                count += quarter->list.count;
                bytes += sizeof *quarter +
                         (nqi_quarter_stretches(&board, quarter->columns) + 1) *
                             sizeof *quarter->start +
                         (quarter->list.room + HALF_SLACK) * sizeof *quarter->list.signature;
            }
            cr_expect_eq(count, naive.count, "n = %d: %" PRIu64 ", not %" PRIu64, n, count,
                         naive.count);
        }
        cr_expect_leq(bytes, nqi_quarters_bytes(n), "n = %d: %" PRIu64, n, bytes);
        cr_expect_leq(nqi_quarters_bytes(n), bytes + bytes / 4 + 4096, "n = %d: %" PRIu64, n,
                      bytes);
        nqi_quarters_free(&quarters);
        cr_expect(quarters.kept[LEFT] == NULL && quarters.kept[RIGHT] == NULL);
        nqi_quarters_free(&quarters); /* may be done twice */
    }
}

Test(quarter, bytes_grow_until_they_are_not_known) {
    for (int n = 1; n <= NQ_MAX_N; n++)
        cr_expect_geq(nqi_quarters_bytes(n), nqi_quarters_bytes(n - 1), "n = %d", n);
    cr_expect_lt(nqi_quarters_bytes(21), UINT64_C(256) << 20);
    cr_expect_eq(nqi_quarters_bytes(22), UINT64_MAX);
}

static nq_status list_chosen(const struct quarters *quarters, struct own_quarters *own,
                             const struct listing *functions, const struct half_choice *choice,
                             const struct heartbeat *heartbeat, struct half_list *list) {
    uint32_t next;
    nq_status status =
        nqi_quarters_list(quarters, own, functions, choice, SIZE_MAX, heartbeat, list, &next);
    cr_expect(status != NQ_OK || next == choice->end);
    return status;
}

static void expect_halves(const struct half_list *listed, const struct half_list *searched,
                          const struct half_board *board, const struct half_choice *choice,
                          const char *how) {
    cr_assert_leq(listed->count, listed->room);
    cr_assert_eq((uintptr_t)listed->signature % 64, 0);
    sort_signatures(listed->signature, listed->count);
    cr_assert(listed->count == searched->count &&
                  memcmp(listed->signature, searched->signature,
                         searched->count * sizeof *searched->signature) == 0,
              "%s, n = %d, columns %#x, excluded %#" PRIx64 ": %zu halves, searched %zu", how,
              board->n, choice->columns, choice->diagonals, listed->count, searched->count);
    for (size_t i = 0; i < HALF_SLACK; i++) /* the slack may be written */
        listed->signature[listed->count + i] = UINT64_MAX;
}

/* Halves that are listed by row must be those that the search lists, row by row. */
static void compare_by_row(struct quarters *quarters, struct own_quarters *own,
                           const struct matcher *matcher, const struct half_choice *choice,
                           struct half_list *searched, struct half_list *listed) {
    const struct half_board *board = quarters->board;
    size_t start[NQ_MAX_N / 2 + 1];
    listed->count = 0;
    cr_assert_eq(
        nqi_quarters_list_by_row(quarters, own, &matcher->listing, choice, NULL, listed, start),
        NQ_OK);
    cr_assert(start[0] == 0 && start[board->rows] == listed->count);
    for (int row = 0; row < board->rows; row++) {
        searched->count = 0;
        search_halves_by_row(board, choice, row, searched);
        sort_signatures(searched->signature, searched->count);
        sort_signatures(listed->signature + start[row], start[row + 1] - start[row]);
        cr_assert(start[row + 1] - start[row] == searched->count &&
                      memcmp(listed->signature + start[row], searched->signature,
                             searched->count * sizeof *searched->signature) == 0,
                  "%s, n = %d, columns %#x, row %d", matcher->impl.name, board->n,
                  choice->columns, row);
    }
    searched->count = 0;
    search_halves(board, choice, searched);
    sort_signatures(searched->signature, searched->count);
    expect_halves(listed, searched, board, choice, matcher->impl.name);
}

static uint32_t middle_column(const struct half_board *board) {
    return board->n % 2 == 1 ? UINT32_C(1) << board->n / 2 : 0;
}

/* With every matcher, quarters must list the halves that the search lists. */
static void compare_choice(struct quarters *quarters, const struct half_choice *choice,
                           struct half_list *searched, struct half_list *listed) {
    struct own_quarters own;
    const struct half_board *board = quarters->board;
    cr_assert(nqi_own_quarters_init(board, &own));
    const struct matcher *matcher;
    searched->count = 0;
    search_halves(board, choice, searched);
    sort_signatures(searched->signature, searched->count);
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        if ((choice->columns & middle_column(board)) != 0) {
            compare_by_row(quarters, &own, matcher, choice, searched, listed);
            continue;
        }
        listed->count = 0;
        cr_assert_eq(list_chosen(quarters, &own, &matcher->listing, choice, NULL, listed),
                     NQ_OK);
        expect_halves(listed, searched, board, choice, matcher->impl.name);
    }
    nqi_own_quarters_free(&own);
}

/* The halves that hold some of the diagonals and not the others. */
static void compare_held(struct quarters *quarters, uint32_t columns, uint64_t *seed,
                         struct half_list *searched, struct half_list *listed) {
    const uint64_t part = (UINT64_C(1) << 2 * quarters->board->n) - 1;
    for (int turned = 0; turned < 2; turned++) {
        struct half_choice choice = {
            .columns = columns, .end = UINT32_MAX, .upside_down = turned == 1};
        searched->count = 0;
        search_halves(quarters->board, &choice, searched);
        for (int i = 0; i < 4; i++) {
            choice.diagonals = random_eighths(seed, 1 + i) & part;
            /* What one of the halves holds, or anything. */
            choice.held = choice.diagonals & random_eighths(seed, 4);
            if (searched->count > 0 && i > 0)
                choice.held = choice.diagonals &
                              searched->signature[random_below(seed, (int)searched->count)];
            compare_choice(quarters, &choice, searched, listed);
            choice.diagonals = choice.held = 0;
            searched->count = 0;
            search_halves(quarters->board, &choice, searched);
        }
    }
}

static void compare(struct quarters *quarters, uint32_t columns, uint64_t excluded,
                    struct half_list *searched, struct half_list *listed) {
    struct half_choice choice = {.columns = columns, .diagonals = excluded, .end = UINT32_MAX};
    compare_choice(quarters, &choice, searched, listed);
    const struct subsets *subsets = &quarters->board->rows_on_left;
    choice.upside_down = true;
    if ((columns & middle_column(quarters->board)) == 0) {
        choice.least = subsets->key[columns & low_bits(quarters->board->rows)];
        choice.end = 1 + subsets->key[columns >> (quarters->board->n - quarters->board->rows)];
    }
    compare_choice(quarters, &choice, searched, listed);
}

/* As many random columns of `among` as a half has rows. */
static uint32_t random_columns(const struct half_board *board, uint32_t among, uint64_t *seed) {
    uint32_t columns = 0;
    while (__builtin_popcount(columns) < board->rows)
        columns |= UINT32_C(1) << random_below(seed, board->n) & among;
    return columns;
}

static void compare_set(struct quarters *quarters, uint32_t columns, uint64_t *seed,
                        struct half_list *searched, struct half_list *listed) {
    const struct half_board *board = quarters->board;
    uint64_t part = (UINT64_C(1) << 2 * board->n) - 1;
    compare(quarters, columns, 0, searched, listed);
    compare(quarters, columns, UINT64_C(1) << random_below(seed, 2 * board->n), searched,
            listed);
    compare(quarters, columns, random_eighths(seed, 1) & part, searched, listed);
    compare(quarters, columns, part, searched, listed);
    compare_held(quarters, columns, seed, searched, listed);
    for (int middle = 0; board->n % 2 == 1 && middle < board->n; middle++)
        if ((columns >> middle & 1) == 0 && random_below(seed, 3) == 0)
            compare(quarters, columns, nqi_half_through(board, middle), searched, listed);
}

/* For small boards all sets of columns; else some, among them sets within one quarter. */
static void compare_n(int n, bool keep, int threads) {
    struct half_board board;
    nqi_half_board_init(&board, n);
    struct quarters quarters;
    make_all(&quarters, &board, keep, threads);
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
}

#define LISTS(n, threads)                                                                      \
    Test(quarter, kept_ones_list_the_halves_of_n_##n) {                                        \
        compare_n(n, true, threads);                                                           \
    }                                                                                          \
    Test(quarter, own_ones_list_the_halves_of_n_##n) {                                         \
        compare_n(n, false, 1);                                                                \
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

/* Large boards: sets of neighbouring columns have few halves, which a search finds quickly. */
Test(quarter, halves_on_neighbouring_columns_of_large_boards_are_listed) {
    for (int n = 19; n <= 24; n += 5) {
        struct half_board board;
        struct quarters quarters;
        struct half_list listed = {0}, searched = {0};
        nqi_half_board_init(&board, n);
        make_all(&quarters, &board, false, 1);
        for (int first = 0; first <= n - board.rows; first += 1 + n / 3)
            for (int turned = 0; turned < 2; turned++) {
                const struct half_choice choice = {.columns = low_bits(board.rows) << first,
                                                   .end = UINT32_MAX,
                                                   .upside_down = turned == 1};
                compare_choice(&quarters, &choice, &searched, &listed);
                cr_assert_gt(searched.count, 0);
            }
        nqi_half_list_free(&listed);
        nqi_half_list_free(&searched);
        nqi_quarters_free(&quarters);
    }
}

static void list_range(struct quarters *quarters, struct own_quarters *own,
                       struct half_choice choice, uint32_t least, uint32_t end,
                       struct half_list *list) {
    choice.least = least;
    choice.end = end;
    cr_assert_eq(list_chosen(quarters, own, &matcher_here(0)->listing, &choice, NULL, list),
                 NQ_OK);
}

/* Halves up to a key and beyond it are all halves. */
Test(quarter, ranges_of_keys_share_the_halves) {
    for (int n = 2; n <= 16; n++) {
        struct half_board board;
        struct quarters quarters;
        struct own_quarters own;
        struct half_list all = {0}, parts = {0};
        uint64_t seed = (uint64_t)n;
        int both = 0;
        nqi_half_board_init(&board, n);
        cr_assert(nqi_quarters_init(&board, n % 4 < 2, &quarters));
        cr_assert(nqi_own_quarters_init(&board, &own));
        for (int i = 0; i < 30; i++) {
            const uint32_t columns = random_columns(
                               &board, low_bits(n) & ~middle_column(&board), &seed),
                           left = columns & low_bits((n + 1) / 2),
                           key = board.rows_on_left.key[random_below(&seed, 1 << board.rows)];
            const struct half_choice choice = {.columns = columns, .upside_down = i % 2 == 1};
            all.count = parts.count = 0;
            search_halves(&board,
                          &(struct half_choice){
                              .columns = columns, .end = UINT32_MAX, .upside_down = i % 2 == 1},
                          &all);
            list_range(&quarters, &own, choice, key + 1, UINT32_MAX, &parts);
            const size_t beyond = parts.count;
            list_range(&quarters, &own, choice, 0, key + 1, &parts);
            both += beyond > 0 && parts.count > beyond;
            sort_signatures(all.signature, all.count);
            sort_signatures(parts.signature, parts.count);
            cr_assert(parts.count == all.count &&
                          memcmp(all.signature, parts.signature,
                                 all.count * sizeof *all.signature) == 0,
                      "n = %d, columns %#x, %#x on the left, key %#x", n, columns, left, key);
        }
        cr_expect(n < 12 || both > 5, "n = %d: %d", n, both);
        nqi_half_list_free(&all);
        nqi_half_list_free(&parts);
        nqi_own_quarters_free(&own);
        nqi_quarters_free(&quarters);
    }
}

/* Pieces share the halves, in order of keys. */
static void list_in_pieces(struct quarters *quarters, struct own_quarters *own,
                           const struct half_choice *all, size_t enough,
                           const struct half_list *whole) {
    struct half_choice rest = *all;
    struct half_list piece = {0};
    size_t listed = 0;
    while (rest.least < rest.end) {
        uint32_t next;
        piece.count = 0;
        cr_assert_eq(nqi_quarters_list(quarters, own, &matcher_here(0)->listing, &rest, enough,
                                       NULL, &piece, &next),
                     NQ_OK);
        cr_assert(next > rest.least && next <= rest.end);
        cr_assert(piece.count >= enough || next == rest.end);
        cr_assert(listed + piece.count <= whole->count &&
                      memcmp(piece.signature, whole->signature + listed,
                             piece.count * sizeof *piece.signature) == 0,
                  "columns %#x, pieces of %zu, from %zu on", all->columns, enough, listed);
        listed += piece.count;
        rest.least = next;
    }
    cr_expect_eq(listed, whole->count);
    nqi_half_list_free(&piece);
}

Test(quarter, pieces_share_the_halves) {
    for (int n = 2; n <= 18; n++) {
        struct half_board board;
        struct quarters quarters;
        struct own_quarters own;
        struct half_list whole = {0};
        uint64_t seed = (uint64_t)n;
        nqi_half_board_init(&board, n);
        cr_assert(nqi_quarters_init(&board, n % 4 < 2, &quarters));
        cr_assert(nqi_own_quarters_init(&board, &own));
        for (int i = 0; i < 10; i++) {
            const struct half_choice all = {
                .columns = random_columns(&board, low_bits(n) & ~middle_column(&board), &seed),
                .diagonals = i % 3 == 0 ? random_eighths(&seed, 1) >> 8 : 0,
                .end = UINT32_MAX,
                .upside_down = i % 2 == 1};
            whole.count = 0;
            cr_assert_eq(
                list_chosen(&quarters, &own, &matcher_here(0)->listing, &all, NULL, &whole),
                NQ_OK);
            for (size_t enough = 1; enough <= 1000; enough *= 10)
                list_in_pieces(&quarters, &own, &all, enough, &whole);
        }
        nqi_half_list_free(&whole);
        nqi_own_quarters_free(&own);
        nqi_quarters_free(&quarters);
    }
}

/* A half without rows has one placement: the empty one. */
Test(quarter, the_empty_half_is_listed) {
    for (int n = 0; n <= 1; n++) {
        struct half_board board;
        struct quarters quarters;
        struct half_list listed = {0}, searched = {0};
        nqi_half_board_init(&board, n);
        make_all(&quarters, &board, n == 1, 1);
        compare_choice(&quarters, &(struct half_choice){.end = UINT32_MAX}, &searched, &listed);
        cr_expect(listed.count == 1 && listed.signature[0] == 0);
        nqi_half_list_free(&listed);
        nqi_half_list_free(&searched);
        nqi_quarters_free(&quarters);
    }
}

/* One thread lists sets in an order in which each quarter is the latest one, or not, and turned
 * or not. */
Test(quarter, a_thread_lists_one_set_after_the_other) {
    for (int n = 12; n <= 15; n++) {
        struct half_board board;
        struct quarters quarters;
        struct own_quarters own;
        struct half_list listed = {0}, searched = {0};
        uint64_t seed = (uint64_t)n;
        nqi_half_board_init(&board, n);
        cr_assert(nqi_quarters_init(&board, n % 4 < 2, &quarters));
        cr_assert(nqi_own_quarters_init(&board, &own));
        const uint32_t all = low_bits(n) & ~middle_column(&board), left = low_bits((n + 1) / 2);
        uint32_t columns = random_columns(&board, all, &seed);
        for (int i = 0; i < 300; i++) {
            const uint32_t next = random_columns(&board, all, &seed);
            if (__builtin_popcount(next & left) == __builtin_popcount(columns & left))
                columns = i % 2 == 0 ? (columns & left) | (next & ~left)
                                     : (next & left) | (columns & ~left);
            else if (i % 3 == 0)
                columns = next;
            const struct half_choice choice = {.columns = columns,
                                               .end = UINT32_MAX,
                                               .upside_down = random_below(&seed, 2) == 1};
            listed.count = searched.count = 0;
            search_halves(&board, &choice, &searched);
            cr_assert_eq(
                list_chosen(&quarters, &own, &matcher_here(0)->listing, &choice, NULL, &listed),
                NQ_OK);
            sort_signatures(searched.signature, searched.count);
            sort_signatures(listed.signature, listed.count);
            cr_assert(listed.count == searched.count &&
                          memcmp(listed.signature, searched.signature,
                                 searched.count * sizeof *searched.signature) == 0,
                      "n = %d, call %d", n, i);
        }
        nqi_half_list_free(&listed);
        nqi_half_list_free(&searched);
        nqi_own_quarters_free(&own);
        nqi_quarters_free(&quarters);
    }
}

Test(quarter, kept_ones_are_alike_with_any_number_of_threads) {
    for (int n = 2; n <= 15; n++) {
        struct half_board board;
        struct quarters one, more;
        nqi_half_board_init(&board, n);
        make_all(&one, &board, true, 1);
        make_all(&more, &board, true, 2 + n % 3);
        for (enum side side = LEFT; side < SIDES; side++)
            for (size_t set = 1; set < sets_on(&board, side); set++) {
                const struct quarter *a = one.kept[side][set], *b = more.kept[side][set];
                cr_assert(a->columns == b->columns && a->list.count == b->list.count &&
                              memcmp(a->list.signature, b->list.signature,
                                     a->list.count * sizeof *a->list.signature) == 0,
                          "n = %d, columns %#x", n, a->columns);
            }
        nqi_quarters_free(&one);
        nqi_quarters_free(&more);
    }
}

/* A heartbeat that says stop at one of its calls. */
struct calls {
    uint64_t made, stop_at; /* stop_at: 0, never */
};

static bool hear(void *context, uint64_t work) {
    struct calls *calls = context;
    cr_expect_eq(work, 0);
    return ++calls->made != calls->stop_at;
}

/* The lists of a large board take seconds. After a stop the next call lists all. */
Test(quarter, listing_looks_at_the_heartbeat) {
    struct half_board board;
    struct quarters quarters;
    struct own_quarters own;
    struct half_list list = {0};
    struct calls calls = {0};
    const struct heartbeat heartbeat = {.go_on = hear, .context = &calls};
    const struct listing *functions = &matcher_here(0)->listing;
    const struct half_choice choice = {
        .columns = 0x5a5a5a, .end = UINT32_MAX, .upside_down = true};
    nqi_half_board_init(&board, 24);
    cr_assert(nqi_quarters_init(&board, false, &quarters));
    cr_assert(nqi_own_quarters_init(&board, &own));
    cr_assert_eq(list_chosen(&quarters, &own, functions, &choice, &heartbeat, &list), NQ_OK);
    const uint64_t all = calls.made, halves = list.count;
    cr_assert_gt(halves, 4 * STEPS_PER_BEAT);
    cr_expect_geq(all, halves / STEPS_PER_BEAT);
    for (uint64_t stop_at = 1; stop_at <= all; stop_at += 1 + all / 5) {
        calls = (struct calls){.stop_at = stop_at};
        nqi_own_quarters_free(&own); /* which are made again, and the list grows again */
        cr_assert(nqi_own_quarters_init(&board, &own));
        nqi_half_list_free(&list);
        cr_expect_eq(list_chosen(&quarters, &own, functions, &choice, &heartbeat, &list),
                     NQ_CANCELLED);
        cr_expect_eq(calls.made, stop_at);
        list.count = 0;
        cr_expect_eq(list_chosen(&quarters, &own, functions, &choice, NULL, &list), NQ_OK);
        cr_expect_eq(list.count, halves);
    }
    nqi_half_list_free(&list);
    nqi_own_quarters_free(&own);
    nqi_quarters_free(&quarters);
}

Test(quarter, making_all_looks_at_the_heartbeat) {
    struct half_board board;
    struct quarters quarters;
    nqi_half_board_init(&board, 14);
    for (uint64_t stop_at = 1; stop_at <= 256; stop_at += 85) {
        struct calls calls = {.stop_at = stop_at};
        const struct heartbeat heartbeat = {.go_on = hear, .context = &calls};
        cr_assert(nqi_quarters_init(&board, true, &quarters));
        cr_expect_eq(
            nqi_quarters_make_all(&quarters, &nqi_matcher_scalar64.listing, &heartbeat),
            NQ_CANCELLED);
        cr_expect_eq(calls.made, stop_at);
        nqi_quarters_free(&quarters);
    }
}

Test(quarter, listing_by_row_looks_at_the_heartbeat) {
    struct half_board board;
    struct quarters quarters;
    struct own_quarters own;
    struct half_list list = {0};
    struct calls calls = {0};
    size_t start[NQ_MAX_N / 2 + 1];
    const struct heartbeat heartbeat = {.go_on = hear, .context = &calls};
    const struct listing *functions = &matcher_here(0)->listing;
    const struct half_choice choice = {.columns = 0x555555, .end = UINT32_MAX};
    nqi_half_board_init(&board, 25);
    cr_assert(nqi_quarters_init(&board, false, &quarters));
    cr_assert(nqi_own_quarters_init(&board, &own));
    cr_assert_eq(
        nqi_quarters_list_by_row(&quarters, &own, functions, &choice, &heartbeat, &list, start),
        NQ_OK);
    const uint64_t all = calls.made, halves = list.count;
    cr_expect_geq(all, halves / STEPS_PER_BEAT);
    cr_assert_gt(all, 2);
    for (uint64_t stop_at = 1; stop_at <= all; stop_at += 1 + all / 3) {
        calls = (struct calls){.stop_at = stop_at};
        nqi_own_quarters_free(&own);
        cr_assert(nqi_own_quarters_init(&board, &own));
        nqi_half_list_free(&list);
        cr_expect_eq(nqi_quarters_list_by_row(&quarters, &own, functions, &choice, &heartbeat,
                                              &list, start),
                     NQ_CANCELLED);
        cr_expect_eq(calls.made, stop_at);
        list.count = 0;
        cr_expect_eq(
            nqi_quarters_list_by_row(&quarters, &own, functions, &choice, NULL, &list, start),
            NQ_OK);
        cr_expect_eq(list.count, halves);
    }
    nqi_half_list_free(&list);
    nqi_own_quarters_free(&own);
    nqi_quarters_free(&quarters);
}
