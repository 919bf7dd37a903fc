/* SPDX-License-Identifier: MIT */
/* Computes the number of classes from the number of solutions, by Burnside's lemma. The lemma
 * needs the numbers of solutions that a half turn, or a quarter turn, leaves as they are. Such
 * solutions are few, and short searches count them. */
#include "core/arrays.h"
#include "core/known.h"
#include "core/sets.h"
#include "core/sized.h"
#include "search/state.h"
#include "solutions/observed.h"

#include <inttypes.h>
#include <stdlib.h>

/* The searches for one n. If they are stopped, their sums have no meaning. */
struct symmetric_search {
    int n;
    struct observed observed;
    double share; /* finished share of the searches, 0..1 */
    bool stopped;
};

/* Counts a node of a search. Returns whether the search goes on. */
static bool symmetric_go_on(struct symmetric_search *search) {
    if (!search->stopped && observed_is_due(&search->observed))
        search->stopped = !nqi_observed_go_on(&search->observed, search->share);
    return !search->stopped;
}

/* Solutions that a half turn leaves as they are
 *
 * The queens of rows r and n - 1 - r are images of each other: a queen in column c of one row
 * implies a queen in column n - 1 - c of the other. So rows are filled in pairs, from the
 * middle outwards. All queens so far then stand below the upper row of the next pair, and
 * attack its squares as in any search. The lower row of the pair is the image of the upper one,
 * and needs no search.
 *
 * A queen on a long diagonal would attack its own image. The only exception is the centre of an
 * odd board, where each of these solutions has a queen. */

/* Counts the ways to fill rows `row`..0 and their images. s: the state of row `row`. allowed:
 * squares of this row that its queen may take. */
static uint64_t classes_complete_half(struct symmetric_search *search, struct state s, int row,
                                      uint64_t allowed) {
    const int n = search->n;
    uint64_t columns = low_bits(n);
    uint64_t diagonals = UINT64_C(1) << row | UINT64_C(1) << (n - 1 - row);
    uint64_t squares = state_free(s, allowed & ~diagonals);
    if (row == 0)
        return (uint64_t)__builtin_popcountll(squares);
    int apart = n - 2 * row; /* rows from the image's row up to the next row to fill */
    uint64_t sum = 0;
    for (; squares != 0 && symmetric_go_on(search); squares &= squares - 1) {
        uint64_t square = squares & -squares;
        uint64_t image = UINT64_C(1) << (n - 1 - __builtin_ctzll(square));
        struct state next = state_place(s, square);
        next.cols |= image;
        next.left |= image >> apart;
        next.right |= image << apart;
        if (state_free(next, columns) != 0 &&
            (row < 2 || state_free_below(next, 1, columns) != 0))
            sum += classes_complete_half(search, next, row - 1, columns);
    }
    return sum;
}

static uint64_t classes_count_half_turn(struct symmetric_search *search) {
    const int n = search->n;
    if (n < 2)
        return 1; /* the solution has no queen, or one in the centre */
    struct state start = {0, 0, 0};
    if (n % 2 == 1)
        start = state_place(start, UINT64_C(1) << n / 2);
    /* Count those whose first queen is in the left half. The others are their mirror images. */
    uint64_t sum = 0;
    for (int column = 0; column < n / 2; column++) {
        search->share = (double)column / (n / 2);
        sum += classes_complete_half(search, start, n / 2 - 1, UINT64_C(1) << column);
    }
    return 2 * sum;
}

/* Solutions that a quarter turn leaves as they are
 *
 * Count rows and columns from 0. A queen in row r and column c implies three more: (c, n-1-r),
 * (n-1-r, n-1-c) and (n-1-c, r). The rows of these four queens, and also their columns, are r,
 * c, n-1-r and n-1-c. So four queens join two of the pairs of lines {i, n-1-i}, and the
 * number of these pairs, n/2 rounded down, must be even. The middle row of an odd board has its
 * queen in the centre.
 *
 * The four queens have the distances |r - c| and |r + c - (n-1)| from each of the two long
 * diagonals, on both of its sides. So two sets of four queens attack each other exactly if they
 * have a distance in common. No distance is 0, because a pair is not joined with itself; so the
 * queen in the centre attacks no other queen. */

/* Counts the ways to join the pairs of the set `unjoined`, whose elements are in 0..n/2-1.
 * distances: the set of distances that are taken. */
static uint64_t classes_complete_quarter(struct symmetric_search *search, uint32_t unjoined,
                                         uint32_t distances) {
    const int n = search->n;
    if (unjoined == 0)
        return 1;
    /* Begin with the innermost row, because its queens attack the most squares. */
    int row = 31 - __builtin_clz(unjoined);
    uint32_t others = unjoined ^ UINT32_C(1) << row;
    uint64_t sum = 0;
    for (uint32_t rest = others; rest != 0 && symmetric_go_on(search); rest &= rest - 1) {
        int pair = __builtin_ctz(rest);
        for (int side = 0; side < 2; side++) {
            int column = side == 0 ? pair : n - 1 - pair;
            uint32_t taken =
                UINT32_C(1) << abs(row - column) | UINT32_C(1) << abs(row + column - (n - 1));
            if ((distances & taken) == 0)
                sum += classes_complete_quarter(search, others ^ UINT32_C(1) << pair,
                                                distances | taken);
        }
    }
    return sum;
}

static uint64_t classes_count_quarter_turn(struct symmetric_search *search) {
    int pairs = search->n / 2;
    return pairs % 2 == 0 ? classes_complete_quarter(search, low_bits(pairs), 0) : 0;
}

/* Computes the number of classes by Burnside's lemma: it is the mean, over the eight
 * symmetries, of the number of solutions that each leaves as they are. For n > 1 the
 * reflections leave none, because two queens would share a line. For n < 2 all eight leave the
 * only solution as it is. Returns false if this number of solutions is impossible. */
static bool classes_divide(int n, uint64_t solutions, nq_classes *classes) {
    if (n < 2) {
        classes->fundamental = 1;
        return solutions == 1;
    }
    /* The parts are divided separately, because their sum may exceed 64 bits. */
    const uint64_t fixed = solutions % 8 + classes->half_turn + 2 * classes->quarter_turn;
    classes->fundamental = solutions / 8 + fixed / 8;
    return fixed % 8 == 0 && solutions >= classes->half_turn;
}

/* Compares the three numbers with the known ones. */
static nq_status classes_compare(int n, nq_classes *classes, struct failure *failure) {
    const struct {
        const char *name;
        uint64_t number;
        bool (*known)(int n, uint64_t *number);
    } numbers[] = {
        {"solutions that a half turn leaves as they are (A032522)", classes->half_turn,
         nqi_known_half_turn},
        {"solutions that a quarter turn leaves as they are (A033148)", classes->quarter_turn,
         nqi_known_quarter_turn},
        {"fundamental solutions (A002562)", classes->fundamental, nq_known_fundamental},
    };
    classes->verdict = NQ_VERIFIED;
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        uint64_t expected;
        if (!numbers[i].known(n, &expected))
            classes->verdict = NQ_UNVERIFIED;
        else if (numbers[i].number != expected)
            return nqi_fail(failure, NQ_MISMATCH,
                            "n = %d: %s: %" PRIu64 ", but the known number is %" PRIu64, n,
                            numbers[i].name, numbers[i].number, expected);
    }
    return NQ_OK;
}

/* Counts the symmetric solutions. */
static nq_status classes_search(int n, const nq_options *options, nq_classes *classes) {
    struct symmetric_search search = {
        .n = n, .observed = nqi_observed_begin(n, "counting classes", options)};
    classes->half_turn = classes_count_half_turn(&search);
    classes->quarter_turn = classes_count_quarter_turn(&search);
    if (!search.stopped)
        return NQ_OK;
    *classes = (nq_classes){0};
    return NQ_CANCELLED;
}

/* Computes the classes from the symmetric solutions, and checks all numbers. */
static nq_status classes_finish(int n, uint64_t solutions, nq_classes *classes,
                                struct failure *failure) {
    nq_status status;
    if (classes_divide(n, solutions, classes))
        status = classes_compare(n, classes, failure);
    else
        status = nqi_fail(failure, NQ_MISMATCH,
                          "n = %d: %" PRIu64
                          " solutions cannot be right: a half turn leaves %" PRIu64
                          " and a quarter turn %" PRIu64 " solutions as they are",
                          n, solutions, classes->half_turn, classes->quarter_turn);
    if (status == NQ_MISMATCH)
        classes->verdict = NQ_WRONG;
    return status;
}

nq_status nq_count_classes(int n, uint64_t solutions, const nq_options *options,
                           nq_classes *classes) {
    struct failure failure = {0};
    nq_options own;
    *classes = (nq_classes){0};
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK && (n < 0 || n > NQ_MAX_N))
        status = nqi_fail(&failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_N);
    if (status == NQ_OK)
        status = classes_search(n, &own, classes);
    if (status == NQ_OK)
        status = classes_finish(n, solutions, classes, &failure);
    return nqi_end_call(status, &failure);
}
