/* SPDX-License-Identifier: MIT */
/* Compares the kernels of method colours with each other, on boards too large to count here.
 * Units of small boards are compared with results/vectors.json (tests/methods/units.c). */
#include "colours/colours.h"
#include "colours/completer.h"

#include "core/arrays.h"
#include "core/sets.h"
#include "kernels.h"
#include "made_up.h"
#include "solvers.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

/* A thread evicts its lists once they exceed 32 MiB, so it may have 32 MiB of lists while it
 * makes the longest one. A workspace must have room for both. Up to n = 19 threads share all
 * lists, and evict none. */
Test(colours, no_list_is_longer_than_a_workspace_has_room_for) {
    for (int n = 20; n <= 21; n++) {
        static struct column_ranks ranks;
        struct colours_board board;
        size_t most = 0;
        nqi_colours_board_init(n, &board);
        nqi_column_ranks_init(&board, &ranks);
        for (uint32_t rows = 0; rows <= low_bits(board.evens); rows++) {
            struct first_list *list = nqi_first_list_new(&board, true, rows, &ranks);
            const size_t count = list->begin[ranks.set_counts[__builtin_popcount(rows)]];
            most = count > most ? count : most;
            nqi_first_list_free(list);
        }
        cr_expect_eq(nqi_colours_workspace_bytes(n) - nqi_colours_workspace_bytes(19),
                     (32 << 20) + most * FIRST_BYTES, "n = %d: %zu", n, most);
    }
}

/* Scores an order in which the lines of one parity are filled, line[0] first. Each line is
 * attacked by the lines filled before it, and by all `others`, which are lines of the other
 * parity. An attack counts n minus the distance of the two lines. Attacks on line[i] count
 * `count - i` times, so an order has a high score if much attacked lines come early. */
static int64_t attacks(const struct colours_board *board, int count, const uint8_t *line,
                       int parity, uint32_t others) {
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        const int row = colours_line(board, line[i], parity);
        for (uint32_t rest = others; rest != 0; rest &= rest - 1)
            sum += (count - i) *
                   (board->n - abs(row - colours_line(board, __builtin_ctz(rest), 1 - parity)));
        for (int j = 0; j < i; j++)
            sum += (count - i) * (board->n - abs(row - colours_line(board, line[j], parity)));
    }
    return sum;
}

Test(colours, rows_that_are_attacked_most_are_filled_first) {
    uint64_t seed = 1;
    for (int n = 0; n <= NQ_MAX_N; n++)
        for (int parity = 0; parity < 2; parity++) {
            struct colours_board board;
            uint8_t line[COLOURS_LINES], other[COLOURS_LINES];
            nqi_colours_board_init(n, &board);
            const int lines[2] = {board.evens, board.odds};
            const uint32_t set = random_bits(&seed) & low_bits(lines[parity]),
                           others = random_bits(&seed) & low_bits(lines[1 - parity]);
            const int count = nqi_order_lines(&board, set, parity, others, line);
            cr_assert_eq(count, __builtin_popcount(set));
            uint32_t seen = 0;
            for (int i = 0; i < count; i++)
                seen |= UINT32_C(1) << line[i];
            cr_expect(seen == set);
            const int64_t best = attacks(&board, count, line, parity, others);
            for (int way = 0; way < 2; way++) { /* ascending, descending */
                int i = 0;
                for (uint32_t rest = set; rest != 0; rest &= rest - 1, i++)
                    other[way == 0 ? i : count - 1 - i] = (uint8_t)__builtin_ctz(rest);
                cr_expect_geq(best, attacks(&board, count, other, parity, others), "n = %d", n);
            }
        }
}

/* A completer that finds nothing. */
static uint64_t sum_nothing(const struct even_half *half, const struct first_slice *slice,
                            void *scratch, const uint32_t *table, uint64_t *sum) {
    (void)half, (void)slice, (void)scratch, (void)table, (void)sum;
    return 0;
}

static uint64_t costliest_unit(const struct partition *partition) {
    uint64_t costliest = 0;
    for (uint64_t id = 0; id < partition->job.units; id++)
        if (partition->units[id].cost > partition->units[costliest].cost)
            costliest = id;
    return costliest;
}

/* Picks this number of units at random. Returns the cheapest of them. */
static uint64_t pick_unit(const struct partition *partition, int picks, uint64_t *seed) {
    uint64_t cheapest = 0;
    for (int i = 0; i < picks; i++) {
        const uint64_t id = (uint64_t)random_below(seed, (int)partition->job.units);
        if (i == 0 || partition->units[id].cost < partition->units[cheapest].cost)
            cheapest = id;
    }
    return cheapest;
}

enum { PICKED = 10 };

/* Expects these results of the units, then closes the solver. */
static void expect_results(struct solver *solver, const uint64_t *id,
                           const struct unit_result *expected) {
    struct unit_result found[PICKED];
    solve_units(solver, id, PICKED, found);
    for (int i = 0; i < PICKED; i++)
        cr_expect(results_agree(found[i], expected[i]), "n = %d, %s, unit %" PRIu64,
                  solver->partition->job.n, solver->kernel, id[i]);
    solver_close(solver);
}

Test(colours, units_of_larger_boards_are_alike_with_every_kernel) {
    const struct completer *const first = &nqi_completer_scalar64, *completer;
    for (int n = 13; n <= 22; n++) {
        struct solver *opened = open_solver(n, OPTIONS(.kernel = "scalar64"));
        struct unit_result expected[PICKED];
        uint64_t id[PICKED], seed = (uint64_t)n;
        for (int i = 0; i < PICKED; i++)
            id[i] = pick_unit(opened->partition, n < 17 ? 1 : n < 19 ? 5 : 50, &seed);
        solve_units(opened, id, PICKED, expected);
        for (completer = first; (completer = completer_after(completer)) != NULL;)
            expect_results(solver_by(opened->partition, &completer->impl), id, expected);
        close_solver(opened);
    }
}

/* A completer that finds this amount once in each X, however often it is called for that X. */
static struct {
    uint64_t amount;
    bool found;
} huge;

static uint64_t tally_of_huge(const struct even_half *half, const struct first_slice *slice,
                              void *scratch, uint32_t *table) {
    huge.found = false;
    return sum_nothing(half, slice, scratch, table, NULL);
}

static uint64_t sum_huge(const struct even_half *half, const struct first_slice *slice,
                         void *scratch, const uint32_t *table, uint64_t *sum) {
    *sum += huge.found ? 0 : huge.amount;
    huge.found = true;
    return sum_nothing(half, slice, scratch, table, sum);
}

/* The sums of the first two cases are 2^64, which would be 0 in 64 bits. The sum of the third
 * case is UINT64_MAX, which is refused because it may mean that a sum did not fit. With n = 14
 * all D of an X are tallied in one call, so that `found` is cleared once for each X. */
Test(colours, sums_that_do_not_fit_are_an_overflow) {
    static const struct {
        const char *sum;
        int n, weight;   /* the weight of the X */
        uint64_t amount; /* what the completer finds in each X */
        int added;       /* how many X are added up */
        nq_status status;
    } cases[] = {{"an X times its weight", 14, 4, UINT64_C(1) << 62, 1, NQ_OVERFLOW},
                 {"X of a unit", 14, 4, UINT64_C(1) << 61, 2, NQ_OVERFLOW},
                 {"the greatest", 0, 1, UINT64_MAX, 1, NQ_OVERFLOW},
                 {"one that fits", 14, 4, UINT64_C(1) << 61, 1, NQ_OK}};
    struct completer completer = nqi_completer_scalar64;
    completer.tally = tally_of_huge;
    completer.sum = sum_huge;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct solver *opened = open_solver(cases[i].n, OPTIONS());
        struct solver *solver = solver_by(opened->partition, &completer.impl);
        const struct colours_partition *partition =
            (const struct colours_partition *)opened->partition;
        const struct x_range *range = partition->ranges;
        while (nqi_colours_x_weight(&partition->board, range->first) != cases[i].weight)
            range++;
        void *workspace = solver->call->workspace_new(solver);
        struct unit_result sum = {0};
        nq_status status = NQ_OK;
        huge.amount = cases[i].amount;
        for (int j = 0; j < cases[i].added && status == NQ_OK; j++)
            status = nqi_colours_add_x(workspace, range->first, NULL, &sum);
        cr_expect_eq(status, cases[i].status, "%s", cases[i].sum);
        solver->call->workspace_free(workspace);
        solver_close(solver);
        close_solver(opened);
    }
}

Test(colours, a_heartbeat_that_says_no_cancels_the_unit) {
    struct solver *solver = open_solver(22, OPTIONS());
    expect_stops(solver, costliest_unit(solver->partition));
    close_solver(solver);
}
