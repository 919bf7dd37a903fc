/* Parts of sets, and units that are not listed: however a board is divided, each set's pairs
 * are all counted, once; and units of boards too large to count are right, too. */
#include "core/bits.h"
#include "join/cut.h"
#include "join/halves.h"

#include "halves.h"
#include "hash.h"
#include "implementations.h"
#include "jobs.h"
#include "length.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Every set is a unit, or several. */
static struct halves_division into_parts(int cuts, int cuts_of_part, size_t piece) {
    return (struct halves_division){
        .sets_per_unit = 1, .cuts = cuts, .cuts_of_part = cuts_of_part, .piece = piece};
}

/* Each set's parts, which are `sets` units apart, must have the set's solutions, and no more
 * pairs. Pairs depend on the cuts alone, so every matcher and every size of pieces must look at
 * equally many. */
static void compare_parts(int n, int cuts, int cuts_of_part) {
    const size_t pieces[] = {1, 3, 100, SIZE_MAX};
    const struct halves_division whole = into_parts(0, 0, SIZE_MAX);
    struct solver *reference = open_divided(n, "scalar64", &whole);
    const uint64_t sets = reference->partition->unit_count;
    struct unit_result *all = solve_all(reference), *first = NULL;
    uint64_t total = 0;
    for (uint64_t set = 0; set < sets; set++)
        total += all[set].solutions;
    cr_expect_eq(total, published[n], "n = %d: %" PRIu64, n, total);
    for (size_t p = 0; p < LENGTH(pieces); p++)
        for (const struct matcher *matcher = NULL;
             (matcher = matcher_after(matcher)) != NULL;) {
            const struct halves_division division = into_parts(cuts, cuts_of_part, pieces[p]);
            struct solver *job = open_divided(n, matcher->impl.name, &division);
            cr_assert_eq(job->partition->unit_count, sets << cuts_of_part);
            struct unit_result *part = solve_all(job);
            for (uint64_t id = sets; id < job->partition->unit_count; id++) {
                part[id % sets].solutions += part[id].solutions;
                part[id % sets].work += part[id].work;
            }
            first = first == NULL ? part : first;
            for (uint64_t set = 0; set < sets; set++)
                cr_assert(part[set].solutions == all[set].solutions &&
                              part[set].work <= all[set].work &&
                              part[set].work == first[set].work,
                          "n = %d, %d cuts, pieces of %zu, %s, set %" PRIu64 ": %" PRIu64
                          " solutions, %" PRIu64 " pairs",
                          n, cuts, pieces[p], matcher->impl.name, set, part[set].solutions,
                          part[set].work);
            if (part != first)
                free(part);
            close_solver(job);
        }
    free(first);
    free(all);
    close_solver(reference);
}

Test(parts, have_the_solutions_of_their_sets) {
    for (int n = 2; n <= 10; n++)
        for (int cuts = 1; cuts <= 4; cuts++)
            for (int of_part = 0; of_part <= cuts; of_part += of_part == 0 ? 1 : 2)
                compare_parts(n, cuts, of_part);
    compare_parts(12, 2, 1);
    compare_parts(13, 3, 1);
}

static uint64_t solutions_of_set(int n, uint64_t set, int cuts) {
    const struct halves_division division = into_parts(cuts, 0, SIZE_MAX);
    struct solver *job = open_divided(n, NULL, &division);
    struct unit_result result;
    solve_units(job, &set, 1, &result);
    close_solver(job);
    return result.solutions;
}

/* For some middle queens more than 2^18 upper halves are chosen, which takes several steps, but
 * only one where cuts divide them. */
Test(parts, of_lists_chosen_in_steps_have_the_solutions_of_their_set) {
    const uint64_t set = 480887, whole = solutions_of_set(23, set, 0);
    cr_expect_eq(whole, solutions_of_set(23, set, 4), "%" PRIu64, whole);
}

/* The same units, in the same order, as if they were listed. */
Test(parts, units_are_found_without_a_list) {
    for (int n = 0; n <= 17; n++) {
        struct half_board board;
        struct halves listed, found;
        struct halves_division division = into_parts(2, n % 3, 1);
        nqi_half_board_init(&board, n);
        cr_assert(nqi_halves_build(n, &division, &board.rows_on_left, &found));
        division = into_parts(0, 0, 1);
        division.listed = true;
        cr_assert(nqi_halves_build(n, &division, &board.rows_on_left, &listed));
        cr_assert_eq(found.unit_count, listed.unit_count << n % 3, "n = %d", n);
        struct unit *units = calloc(listed.unit_count, sizeof *units);
        cr_assert_not_null(units);
        uint64_t sum = nqi_halves_each_cost(&listed, units);
        for (uint64_t id = 0; id < listed.unit_count; id++) {
            cr_assert(units[id].weight == 1 && units[id].cost == nqi_halves_cost(&listed, id),
                      "n = %d, unit %" PRIu64, n, id);
            sum -= units[id].cost;
        }
        cr_assert_eq(sum, 0, "n = %d", n);
        free(units);
        for (uint64_t id = 0; id < found.unit_count; id++) {
            const struct halves_unit unit = nqi_halves_unit(&found, id);
            const uint64_t set = id % listed.unit_count;
            cr_assert(unit.set == nqi_halves_unit(&listed, set).set && unit.sets == 1 &&
                          unit.part == id / listed.unit_count,
                      "n = %d, unit %" PRIu64, n, id);
            cr_assert(n % 3 > 0 ||
                      nqi_halves_cost(&found, id) == nqi_halves_cost(&listed, set));
        }
        nqi_halves_free(&listed);
        nqi_halves_free(&found);
    }
}

/* The sets of even boards stand for all sets with n / 2 of the columns. */
Test(parts, sets_of_large_boards_stand_for_all) {
    const int largest = getenv("NQUEENS_TEST_LARGE") == NULL ? 26 : NQ_MAX_N;
    for (int n = 26; n <= largest; n += 2) {
        const struct halves_division division = nqi_halves_division(n);
        struct half_board board;
        struct halves halves;
        nqi_half_board_init(&board, n);
        cr_assert(nqi_halves_build(n, &division, &board.rows_on_left, &halves));
        uint64_t sets = 1, stand_for = 0, standing = 0;
        uint32_t last = 0;
        for (uint64_t i = 1; i <= (uint64_t)n / 2; i++)
            sets = sets * ((uint64_t)n / 2 + i) / i;
        uint32_t set = nqi_halves_unit(&halves, 0).set;
        do {
            const uint64_t weight = nqi_halves_weight(n, set);
            stand_for += weight;
            standing += weight > 0;
            last = weight > 0 ? set : last;
        } while (nqi_halves_next(n, &set));
        cr_expect_eq(stand_for, sets, "n = %d: %" PRIu64 ", not %" PRIu64, n, stand_for, sets);
        cr_expect(halves.set_count == standing &&
                  nqi_halves_unit(&halves, standing - 1).set == last);
        const uint64_t cost = nqi_halves_each_cost(&halves, NULL);
        cr_expect(nqi_halves_cost_of_all(&halves) == cost, "n = %d: UINT64_C(%" PRIu64 ")", n,
                  cost);
        nqi_halves_free(&halves);
    }
}

/* A search for the solutions of a unit, row by row: first the upper half, on the set's columns,
 * then the lower one. */
struct unit_search {
    const struct half_board *board;
    uint32_t set, part, middles;
    int cuts_of_part;
    bool upside_down; /* the cuts are those of upper halves upside down */
    uint64_t cut[MAX_CUTS];
    int column[NQ_MAX_N];
    uint64_t solutions;
};

/* Whether the upper half holds of the first cuts those of the part. */
static bool in_part(const struct unit_search *search) {
    uint64_t signature = 0;
    uint32_t part = 0;
    for (int row = 0; row < search->board->rows; row++)
        signature |= search->board->queen[row][search->column[row]];
    if (search->upside_down)
        signature = half_flip(search->board, signature);
    for (int i = 0; i < search->cuts_of_part; i++)
        part |= (signature & search->cut[i]) != 0 ? UINT32_C(1) << i : 0;
    return part == search->part;
}

static bool upper_may_count(const struct unit_search *search) {
    struct half upper = {.columns = search->set};
    memcpy(upper.column, search->column, sizeof upper.column);
    return may_count(search->board->n, &upper);
}

static uint64_t counted(const struct unit_search *search) {
    const int n = search->board->n, rows = search->board->rows;
    struct half upper = {.columns = search->set}, lower = {0};
    for (int row = 0; row < rows; row++) {
        upper.column[row] = search->column[row];
        lower.column[row] = search->column[n - 1 - row];
        lower.columns |= UINT32_C(1) << lower.column[row];
    }
    return (uint64_t)times_counted(n, &upper, &lower, n % 2 == 0 ? NONE : search->column[rows]);
}

static void search_rows(struct unit_search *search, int row, uint32_t cols, uint32_t left,
                        uint32_t right) {
    const int n = search->board->n, rows = search->board->rows;
    if (row == n) {
        search->solutions += counted(search);
        return;
    }
    uint32_t free = low_bits(n) & ~(cols | left | right);
    if (row < rows)
        free &= search->set;
    else if (row == rows && (!in_part(search) || !upper_may_count(search)))
        return;
    else if (row == rows && n % 2 == 1)
        free &= search->middles;
    for (; free != 0; free &= free - 1) {
        const uint32_t queen = free & -free;
        search->column[row] = __builtin_ctz(queen);
        search_rows(search, row + 1, cols | queen, (left | queen) >> 1, (right | queen) << 1);
    }
}

/* The middle queen is anywhere if the set has the middle column, else on it. If a set is its
 * own mirror image, middle queens on one side stand for both. */
static uint64_t search_unit(const struct half_board *board, const struct halves *halves,
                            uint64_t id) {
    const int n = board->n;
    const struct halves_unit unit = nqi_halves_unit(halves, id);
    const uint32_t centre = nqi_halves_centre(n);
    const bool has_centre = (unit.set & centre) != 0;
    struct unit_search search = {.board = board,
                                 .set = unit.set,
                                 .part = unit.part,
                                 .middles = !has_centre ? centre
                                            : mirrored_bits(unit.set, n) == unit.set
                                                ? low_bits(n / 2)
                                                : low_bits(n),
                                 .cuts_of_part = halves->division.cuts_of_part,
                                 .upside_down = has_centre};
    nqi_half_cuts(board, unit.set,
                  centre == 0 || has_centre ? 0 : nqi_half_through(board, board->rows),
                  has_centre, halves->division.cuts, search.cut);
    search_rows(&search, 0, 0, 0, 0);
    return nqi_halves_weight(n, unit.set) * search.solutions;
}

/* Every matcher must find what the search finds, and all of them equally many pairs. */
static void compare_with_search(int n, const uint64_t *id, size_t count) {
    struct half_board board;
    struct halves halves;
    const struct halves_division division = nqi_halves_division(n);
    struct unit_result results[8], first[8] = {{0}};
    cr_assert_leq(count, 8u);
    nqi_half_board_init(&board, n);
    cr_assert(nqi_halves_build(n, &division, &board.rows_on_left, &halves));
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;) {
        const bool is_first = matcher == &nqi_matcher_scalar64;
        struct solver *job = open_join(n, matcher->impl.name, WITHOUT_TABLES, 1);
        solve_units(job, id, count, results);
        for (size_t i = 0; i < count; i++) {
            const uint64_t expected =
                is_first ? search_unit(&board, &halves, id[i]) : first[i].solutions;
            first[i] = is_first ? results[i] : first[i];
            cr_expect_eq(results[i].solutions, expected,
                         "n = %d, unit %" PRIu64 ", %s: %" PRIu64 ", not %" PRIu64, n, id[i],
                         matcher->impl.name, results[i].solutions, expected);
            cr_expect_eq(results[i].work, first[i].work);
            cr_expect_gt(expected, 0, "n = %d, unit %" PRIu64, n, id[i]);
        }
        close_solver(job);
    }
    nqi_halves_free(&halves);
}

/* Units with few solutions, which a search finds in seconds. */
Test(parts, units_equal_a_search) {
    compare_with_search(24, (uint64_t[]){677273}, 1);
}

/* The search takes minutes. */
Test(parts, units_of_the_largest_boards_equal_a_search) {
    if (getenv("NQUEENS_TEST_LARGE") == NULL)
        cr_skip_test("set NQUEENS_TEST_LARGE to run it");
    compare_with_search(26, (uint64_t[]){2602168}, 1);
    compare_with_search(27, (uint64_t[]){1379, 4561}, 2);
    compare_with_search(28, (uint64_t[]){20068185}, 1);
}

/* Ledgers keep results under (plan, version, unit id). A change of the units must raise the
 * version for that n: these constants change only together with it, unless no program with that
 * version has been released. */
Test(parts, units_change_only_with_the_version) {
    enum { SAMPLE = 2000 };
    static const struct {
        int n, version;
        uint64_t units, hash;
    } pinned[] = {
        {24, 4, 677294, UINT64_C(0x06052b22590c4891)},
        {25, 4, 962683, UINT64_C(0x0becec82c89f1ade)},
        {26, 3, 2602198, UINT64_C(0xfb13ab8708593f60)},
        {27, 3, 7431906, UINT64_C(0xfb3f2da5d4c72018)},
        {28, 3, 160545664, UINT64_C(0x391b6aca7e73d041)},
    };
    for (size_t i = 0; i < LENGTH(pinned); i++) {
        const int n = pinned[i].n;
        const struct halves_division division = nqi_halves_division(n);
        struct half_board board;
        struct halves halves;
        uint64_t hash = HASH_START, cuts[MAX_CUTS];
        nqi_half_board_init(&board, n);
        cr_assert(nqi_halves_build(n, &division, &board.rows_on_left, &halves));
        cr_expect(nqi_halves_version(n) == pinned[i].version && division.listed == (n < 26));
        for (uint64_t k = 0; k < SAMPLE; k++) {
            const struct halves_unit unit =
                nqi_halves_unit(&halves, k * (halves.unit_count - 1) / (SAMPLE - 1));
            const bool has_centre = (unit.set & nqi_halves_centre(n)) != 0;
            nqi_half_cuts(&board, unit.set,
                          n % 2 == 0 || has_centre ? 0 : nqi_half_through(&board, board.rows),
                          has_centre, division.cuts, cuts);
            hash = hash_number(hash_number(hash, unit.set), unit.part);
            for (int c = 0; c < division.cuts; c++)
                hash = hash_number(hash, cuts[c]);
        }
        cr_expect(halves.unit_count == pinned[i].units && hash == pinned[i].hash,
                  "{%d, %d, %" PRIu64 ", UINT64_C(0x%016" PRIx64 ")},", n,
                  nqi_halves_version(n), halves.unit_count, hash);
        nqi_halves_free(&halves);
    }
}
