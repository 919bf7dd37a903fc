/* Quarters, compared with brute force, and the halves listed from them with a search. */
#include "join/quarter_maker.h"

#include "answers.h"
#include "core/bits.h"
#include "implementations.h"
#include "oracle.h"
#include "signatures.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What lists the halves of a board. */
static struct half_board board;
static struct quarters quarters;
static struct own_quarters own;
static uint64_t seed;

/* Makes the quarters that are kept, if they are. */
static void begin(int n, bool keep, int threads) {
    int started = 0, failed = 0;
    seed = (uint64_t)(n + 100 * threads);
    nqi_half_board_init(&board, n);
    cr_assert(nqi_quarters_init(&board, keep, &quarters));
    cr_assert(nqi_own_quarters_init(&board, &own));
#pragma omp parallel num_threads(threads) shared(started) reduction(+ : failed)
    {
        if (omp_get_thread_num() == 0)
            started = omp_get_num_threads();
        failed +=
            nqi_quarters_make_all(&quarters, &nqi_matcher_scalar64.listing, NULL) != NQ_OK;
    }
    cr_assert(started == threads && failed == 0);
}

static void end(void) {
    nqi_own_quarters_free(&own);
    nqi_quarters_free(&quarters);
    cr_expect(quarters.kept[LEFT] == NULL && quarters.kept[RIGHT] == NULL);
}

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

/* Every placement on a left quarter is kept, those on a right one likewise, whatever the number
 * of threads, and they take no more memory than was said. */
Test(quarter, all_placements_are_kept) {
    for (int n = 0; n <= 17; n++) {
        begin(n, true, 1 + n % 3);
        uint64_t bytes = 0;
        for (enum side side = LEFT; side < SIDES; side++) {
            uint64_t count = 1; /* without queens: none is kept */
            struct naive naive = {.rows = n / 2, .cols = (n + (side == LEFT)) / 2};
            place(&naive, 0);
            for (size_t set = 1; set < (size_t)1 << naive.cols; set++) {
                const struct quarter *quarter = quarters.kept[side][set];
                count += quarter->list.count;
                bytes += sizeof *quarter +
                         (nqi_quarter_stretches(&board, quarter->columns) + 1) *
                             sizeof *quarter->start +
                         (quarter->list.room + HALF_SLACK) * sizeof *quarter->list.signature;
            }
            cr_expect_eq(count, naive.count, "n = %d: %" PRIu64 ", not %" PRIu64, n, count,
                         naive.count);
        }
        const uint64_t said = nqi_quarters_bytes(n);
        cr_expect(bytes <= said && said <= bytes + bytes / 4 + 4096, "n = %d: %" PRIu64, n,
                  bytes);
        end();
    }
    cr_expect(nqi_quarters_bytes(21) < UINT64_C(256) << 20 &&
              nqi_quarters_bytes(22) == UINT64_MAX);
}

/* A search for halves row by row. */
struct half_search {
    const struct half_choice *choice;
    struct half_list *list;
    int middle_row; /* of the middle column's queen; negative: any */
};

static uint64_t as_listed(const struct half_choice *choice, uint64_t signature) {
    return choice->upside_down ? half_flip(&board, signature) : signature;
}

/* cols: columns still to be taken. left, right: columns attacked along diagonals. on_left: rows
 * whose queens are on the left side. */
static void place_rows(const struct half_search *search, int row, uint32_t cols, uint32_t left,
                       uint32_t right, uint32_t on_left, uint64_t signature) {
    const struct half_choice *choice = search->choice;
    const uint64_t listed = as_listed(choice, signature);
    const uint32_t key = board.rows_on_left.key[on_left];
    if ((listed & choice->diagonals & ~choice->held) != 0)
        return;
    if (row == board.rows) {
        if (key < choice->least || key >= choice->end ||
            (listed & choice->diagonals) != choice->held)
            return;
        cr_assert_eq(nqi_half_list_reserve(search->list, search->list->count + 1, NULL), NQ_OK);
        search->list->signature[search->list->count++] = listed;
        return;
    }
    for (uint32_t free = cols & ~(left | right); free != 0; free &= free - 1) {
        const int col = __builtin_ctz(free);
        const uint32_t queen = UINT32_C(1) << col;
        if (search->middle_row < 0 || (col == board.n / 2) == (row == search->middle_row))
            place_rows(search, row + 1, cols ^ queen, (left | queen) >> 1, (right | queen) << 1,
                       on_left | (uint32_t)(2 * col < board.n) << row,
                       signature | board.queen[row][col]);
    }
}

/* Lists the chosen halves. row: for odd n and columns with the middle one, those whose queen
 * there is on this row. Negative: any. */
static void search_halves(const struct half_choice *choice, int row, struct half_list *list) {
    const struct half_search search = {choice, list, row};
    list->count = 0;
    cr_assert_eq(nqi_half_list_reserve(list, 1, NULL), NQ_OK);
    place_rows(&search, 0, choice->columns, 0, 0, 0, 0);
}

static nq_status list_halves(const struct matcher *matcher, const struct half_choice *choice,
                             const struct heartbeat *heartbeat, struct half_list *list) {
    uint32_t next;
    nq_status status = nqi_quarters_list(&quarters, &own, &matcher->listing, choice, SIZE_MAX,
                                         heartbeat, list, NULL, &next);
    cr_expect(status != NQ_OK || next == choice->end);
    return status;
}

static void expect_same(struct half_list *listed, size_t from, size_t to,
                        const struct half_choice *choice, int row) {
    static struct half_list searched;
    search_halves(choice, row, &searched);
    sort_signatures(searched.signature, searched.count);
    sort_signatures(listed->signature + from, to - from);
    cr_assert(to - from == searched.count &&
                  memcmp(listed->signature + from, searched.signature,
                         searched.count * sizeof *searched.signature) == 0,
              "n = %d, columns %#x, excluded %#" PRIx64 ", row %d: %zu halves, searched %zu",
              board.n, choice->columns, choice->diagonals, row, to - from, searched.count);
}

static uint32_t middle_column(void) {
    return board.n % 2 == 1 ? UINT32_C(1) << board.n / 2 : 0;
}

/* With every matcher, quarters must list the halves that the search lists: those with a queen
 * in the middle column row by row. The slack may be written. */
static void compare(const struct half_choice *choice) {
    static struct half_list listed;
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;) {
        listed.count = 0;
        if ((choice->columns & middle_column()) != 0) {
            size_t start[NQ_MAX_N / 2 + 1];
            cr_assert_eq(nqi_quarters_list_by_row(&quarters, &own, &matcher->listing, choice,
                                                  NULL, &listed, start),
                         NQ_OK);
            cr_assert(start[0] == 0 && start[board.rows] == listed.count);
            for (int row = 0; row < board.rows; row++)
                expect_same(&listed, start[row], start[row + 1], choice, row);
        } else {
            cr_assert_eq(list_halves(matcher, choice, NULL, &listed), NQ_OK);
            expect_same(&listed, 0, listed.count, choice, -1);
        }
        for (size_t i = 0; i < HALF_SLACK; i++)
            listed.signature[listed.count + i] = UINT64_MAX;
    }
}

/* As many random columns of `among` as a half has rows. */
static uint32_t random_columns(uint32_t among) {
    uint32_t columns = 0;
    while (__builtin_popcount(columns) < board.rows)
        columns |= UINT32_C(1) << random_below(&seed, board.n) & among;
    return columns;
}

/* Halves that hold some diagonals and not others, turned or not, with any range of keys. */
static void compare_set(uint32_t columns) {
    const uint64_t part = (UINT64_C(1) << 2 * board.n) - 1;
    const uint32_t *key = board.rows_on_left.key;
    struct half_list some = {0};
    struct half_choice choice = {.columns = columns, .end = UINT32_MAX};
    search_halves(&choice, -1, &some);
    for (int turned = 0; turned < 2; turned++) {
        const uint64_t diagonals[] = {0, UINT64_C(1) << random_below(&seed, 2 * board.n),
                                      random_eighths(&seed, 1) & part,
                                      random_eighths(&seed, 3) & part, part};
        for (size_t i = 0; i < sizeof diagonals / sizeof *diagonals; i++) {
            choice = (struct half_choice){.columns = columns,
                                          .diagonals = diagonals[i],
                                          .end = UINT32_MAX,
                                          .upside_down = turned == 1};
            compare(&choice);
            /* What one of the halves holds, or anything. */
            choice.held = diagonals[i] & random_eighths(&seed, 4);
            if (some.count > 0 && i > 1)
                choice.held =
                    diagonals[i] & some.signature[random_below(&seed, (int)some.count)];
            if ((columns & middle_column()) == 0) {
                choice.least = key[columns & low_bits(board.rows)];
                choice.end = 1 + key[columns >> (board.n - board.rows)];
            }
            compare(&choice);
        }
    }
    nqi_half_list_free(&some);
    for (int middle = 0; board.n % 2 == 1 && middle < board.n; middle++)
        if ((columns >> middle & 1) == 0 && random_below(&seed, 3) == 0)
            compare(&(struct half_choice){.columns = columns,
                                          .diagonals = nqi_half_through(&board, middle),
                                          .end = UINT32_MAX});
}

/* For small boards all sets of columns; else some, among them sets within one quarter. */
static void compare_n(int n, bool keep, int threads) {
    begin(n, keep, threads);
    const uint32_t all = low_bits(n), left = low_bits(board.rows);
    for (uint32_t columns = 0; columns <= all && n <= 9; columns++)
        if (__builtin_popcount(columns) == board.rows)
            compare_set(columns);
    for (int i = 0; i < 20 && n > 9; i++)
        compare_set(random_columns(all));
    compare_set(left);
    compare_set(left << (n - board.rows));
    compare_set(left << (n % 2));
    compare_set(random_columns(0x55555555));
    end();
}

/* From kept quarters, and from a thread's own. */
Test(quarter, lists_the_halves) {
    for (int n = 2; n <= 17; n++) {
        compare_n(n, true, 1 + n % 4);
        compare_n(n, false, 1);
    }
}

/* Pieces share the halves, in order of keys. */
static void list_in_pieces(const struct half_choice *all, size_t enough,
                           const struct half_list *whole) {
    struct half_choice rest = *all;
    struct half_list piece = {0};
    size_t listed = 0;
    while (rest.least < rest.end) {
        uint32_t next;
        piece.count = 0;
        cr_assert_eq(nqi_quarters_list(&quarters, &own, &nqi_matcher_scalar64.listing, &rest,
                                       enough, NULL, &piece, NULL, &next),
                     NQ_OK);
        cr_assert(next > rest.least && next <= rest.end &&
                  (piece.count >= enough || next == rest.end));
        cr_assert(listed + piece.count <= whole->count &&
                      memcmp(piece.signature, whole->signature + listed,
                             piece.count * sizeof *piece.signature) == 0,
                  "n = %d, columns %#x, pieces of %zu, from %zu on", board.n, all->columns,
                  enough, listed);
        listed += piece.count;
        rest.least = next;
    }
    cr_expect_eq(listed, whole->count);
    nqi_half_list_free(&piece);
}

Test(quarter, pieces_share_the_halves) {
    for (int n = 2; n <= 18; n++) {
        begin(n, n % 4 < 2, 1);
        for (int i = 0; i < 10; i++) {
            struct half_list whole = {0};
            const struct half_choice all = {
                .columns = random_columns(low_bits(n) & ~middle_column()),
                .diagonals = i % 3 == 0 ? random_eighths(&seed, 1) >> 8 : 0,
                .end = UINT32_MAX,
                .upside_down = i % 2 == 1};
            cr_assert_eq(list_halves(&nqi_matcher_scalar64, &all, NULL, &whole), NQ_OK);
            for (size_t enough = 1; enough <= 1000; enough *= 10)
                list_in_pieces(&all, enough, &whole);
            nqi_half_list_free(&whole);
        }
        end();
    }
}

/* The lists of a large board take seconds. */
static nq_status list_long(bool by_row, struct answers *answers, struct half_list *list) {
    size_t start[NQ_MAX_N / 2 + 1];
    const struct half_choice choice = {
        .columns = by_row ? 0x555555 : 0x5a5a5a, .end = UINT32_MAX, .upside_down = !by_row};
    list->count = 0;
    return by_row ? nqi_quarters_list_by_row(&quarters, &own, &nqi_matcher_scalar64.listing,
                                             &choice, HEARTBEAT(answers), list, start)
                  : list_halves(&nqi_matcher_scalar64, &choice, HEARTBEAT(answers), list);
}

/* After a stop the next call lists all. */
Test(quarter, listing_looks_at_the_heartbeat) {
    for (int by_row = 0; by_row < 2; by_row++) {
        struct half_list list = {0};
        struct answers yes = {0};
        begin(24 + by_row, false, 1);
        cr_assert_eq(list_long(by_row, &yes, &list), NQ_OK);
        const uint64_t halves = list.count;
        cr_expect(yes.calls >= halves / STEPS_PER_BEAT && yes.calls > 2);
        for (uint64_t at = 1; at <= yes.calls; at += 1 + yes.calls / 3) {
            struct answers no = {.no_at = at}, again = {0};
            nqi_own_quarters_free(&own); /* which are made again, and the list grows again */
            cr_assert(nqi_own_quarters_init(&board, &own));
            nqi_half_list_free(&list);
            cr_expect_eq(list_long(by_row, &no, &list), NQ_CANCELLED);
            cr_expect_eq(no.calls, at);
            cr_expect_eq(list_long(by_row, &again, &list), NQ_OK);
            cr_expect_eq(list.count, halves);
        }
        nqi_half_list_free(&list);
        end();
    }
}

Test(quarter, making_all_looks_at_the_heartbeat) {
    nqi_half_board_init(&board, 14);
    for (uint64_t no_at = 1; no_at <= 256; no_at += 85) {
        struct answers no = {.no_at = no_at};
        cr_assert(nqi_quarters_init(&board, true, &quarters));
        cr_expect_eq(
            nqi_quarters_make_all(&quarters, &nqi_matcher_scalar64.listing, HEARTBEAT(&no)),
            NQ_CANCELLED);
        cr_expect_eq(no.calls, no_at);
        nqi_quarters_free(&quarters);
    }
}
