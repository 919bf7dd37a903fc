/* SPDX-License-Identifier: MIT */
/* Method colours: its units compared with the solutions that they stand for, found square by
 * square; its kernels with each other, also on boards too large to count here. */
#include "colours/colours.h"
#include "colours/completer.h"

#include "core/arrays.h"
#include "core/sets.h"
#include "implementations.h"
#include "jobs.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

/* Lines that the black queens of a solution take, as bits of board lines. */
struct black {
    uint32_t rows, columns;
};

static struct black black_of(int n, const int *column) {
    struct black black = {0};
    for (int row = 0; row < n; row++)
        if ((row + column[row]) % 2 == 0) {
            black.rows |= UINT32_C(1) << row;
            black.columns |= UINT32_C(1) << column[row];
        }
    return black;
}

/* The lines after a reflection, which takes black to white if n is even. */
static uint32_t reflected(int n, uint32_t lines) {
    uint32_t result = 0;
    for (int line = 0; line < n; line++)
        if ((lines >> line & 1) != (uint32_t)(n % 2 == 0))
            result |= UINT32_C(1) << (n - 1 - line);
    return result;
}

/* The lines of the colour that becomes black when the lines of the other kind are reflected. */
static uint32_t exchanged(int n, uint32_t lines) {
    return n % 2 == 0 ? low_bits(n) & ~lines : lines;
}

/* All lines with the same orbit: it has at most four. */
struct orbit {
    uint32_t image[4];
    int size;
};

static struct orbit orbit_of(int n, uint32_t lines) {
    const uint32_t all[4] = {lines, reflected(n, lines), exchanged(n, lines),
                             exchanged(n, reflected(n, lines))};
    struct orbit orbit = {.size = 0};
    for (int i = 0; i < 4; i++) {
        bool known = false;
        for (int j = 0; j < orbit.size; j++)
            known |= orbit.image[j] == all[i];
        if (!known)
            orbit.image[orbit.size++] = all[i];
    }
    return orbit;
}

/* The odd lines of a set, bit i for line 2i + 1. */
static uint32_t odd_lines(int n, uint32_t lines) {
    uint32_t odd = 0;
    for (int line = 1; line < n; line += 2)
        odd |= (lines >> line & 1) << line / 2;
    return odd;
}

/* The least odd lines of an orbit, fewer lines before more: of X and Y, which a reflection at
 * the diagonal exchanges, that with the lesser ones is counted. */
static uint32_t key_of(int n, uint32_t lines) {
    const struct orbit orbit = orbit_of(n, lines);
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < orbit.size; i++) {
        const uint32_t odd = odd_lines(n, orbit.image[i]),
                       order = (n % 2 == 0 ? (uint32_t)__builtin_popcount(odd) << 16 : 0) | odd;
        least = order < least ? order : least;
    }
    return least;
}

struct weighing {
    int n;
    uint64_t *of_rows; /* [rows of black]: solutions, each 2, 1 or 0 times */
};

static void weigh_solution(const int *column, void *context) {
    const struct weighing *weighing = context;
    const struct black black = black_of(weighing->n, column);
    const uint32_t x = key_of(weighing->n, black.rows), y = key_of(weighing->n, black.columns);
    weighing->of_rows[black.rows] += y > x ? 2 : y == x;
}

/* The rows of the board that struct x stands for. */
static uint32_t board_rows(int n, struct x x) {
    uint32_t lines = 0;
    for (int i = 0; i < (n + 1) / 2; i++) {
        const int even = n % 2 == 0 ? n - 2 - 2 * i : 2 * i;
        lines |= (x.even >> i & 1) << even;
        lines |= (x.odd >> i & 1) << (2 * i + 1);
    }
    return lines;
}

/* Opens a job with this completer. */
static struct solver *open_completer(int n, const struct completer *completer) {
    struct partition *partition = nqi_colours_partition(n);
    cr_assert_not_null(partition);
    struct solver *job = nqi_method_colours.solver(partition, &completer->impl);
    cr_assert_not_null(job);
    return job;
}

/* Every X belongs to the orbit of one set of rows in one unit. So the unit holds the solutions
 * whose black queens are on rows of that orbit. */
static void check_units(const struct completer *completer, int n, const uint64_t *of_rows) {
    struct solver *job = open_completer(n, completer);
    struct solver *plain = nqi_method_colours.plain_solver(job->partition, NULL);
    cr_assert_not_null(plain);
    const struct colours_partition *partition =
        (const struct colours_partition *)job->partition;
    void *workspace = job->call->workspace_new(job);
    uint8_t *seen = calloc((size_t)1 << n, 1);
    cr_assert(workspace != NULL && seen != NULL);
    uint64_t total = 0;
    for (uint64_t id = 0; id < job->partition->job.units; id++) {
        const struct x_range *range = &partition->ranges[id];
        struct x x = range->first;
        uint64_t expected = 0;
        for (uint32_t i = 0; i < range->count; i++) {
            const struct orbit orbit = orbit_of(n, board_rows(n, x));
            const int weight = nqi_colours_x_weight(&partition->board, x);
            cr_expect(weight == 0 || weight == orbit.size, "n = %d, unit %" PRIu64, n, id);
            cr_expect(nqi_colours_x_leaves_room(&partition->board, x) ||
                      of_rows[board_rows(n, x)] == 0);
            for (int j = 0; j < orbit.size && weight > 0; j++) {
                cr_expect_eq(seen[orbit.image[j]]++, 0, "n = %d, unit %" PRIu64, n, id);
                expected += of_rows[orbit.image[j]];
            }
            colours_next_x(&partition->board, &x);
        }
        const struct unit_result result = solve_unit(job, workspace, id);
        cr_expect_eq(solve_unit(plain, NULL, id).solutions, expected,
                     "n = %d, plain, unit %" PRIu64, n, id);
        cr_expect_eq(result.solutions, expected, "n = %d, %s, unit %" PRIu64, n, job->kernel,
                     id);
        total += result.solutions;
    }
    for (uint32_t rows = 0; rows < UINT32_C(1) << n; rows++)
        cr_expect(seen[rows] == 1 || of_rows[rows] == 0, "n = %d, rows %x", n, rows);
    cr_expect_eq(total, published[n], "n = %d", n);
    free(seen);
    solver_close(plain);
    job->call->workspace_free(workspace);
    close_solver(job);
}

Test(colours, units_are_the_solutions_of_their_rows) {
    for (int n = 0; n <= 12; n++) {
        uint64_t *of_rows = calloc((size_t)1 << n, sizeof *of_rows);
        cr_assert_not_null(of_rows);
        struct weighing weighing = {.n = n, .of_rows = of_rows};
        each_placement(n, n, UINT64_MAX, weigh_solution, &weighing);
        for (const struct completer *completer = NULL;
             (completer = completer_after(completer)) != NULL;)
            check_units(completer, n, of_rows);
        free(of_rows);
    }
}

/* The lists of a thread, whose bytes a workspace's limit adds. */
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
        cr_expect_eq(nqi_method_colours.workspace_bytes(n) -
                         nqi_method_colours.workspace_bytes(19),
                     (32 << 20) + most * FIRST_BYTES, "n = %d: %zu", n, most);
    }
}

/* How soon lines are attacked that are filled in this order: each by `others` and by those
 * before, as long as lines are left. */
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

static uint64_t sum_nothing(const struct second_class *second, const struct first_slice *slice,
                            void *scratch, const uint32_t *table, uint64_t *sum) {
    (void)second, (void)slice, (void)scratch, (void)table, (void)sum;
    return 0;
}

static uint64_t costliest_unit(const struct partition *partition) {
    uint64_t costliest = 0;
    for (uint64_t id = 0; id < partition->job.units; id++)
        if (partition->units[id].cost > partition->units[costliest].cost)
            costliest = id;
    return costliest;
}

/* With a kernel that finds nothing, one X of a unit is left, whichever the solver takes. */
Test(colours, the_plain_search_takes_any_one_X_of_a_unit) {
    enum { SOLVERS = 40 };
    struct completer nothing = nqi_completer_scalar64;
    nothing.sum = sum_nothing;
    struct solver *job = open_solver(13, OPTIONS(.kernel = "scalar64"));
    struct unit_result first, found;
    const uint64_t unit = costliest_unit(job->partition);
    bool different = false;
    for (int i = 0; i < SOLVERS; i++) {
        struct solver *plain = nqi_method_colours.plain_solver(job->partition, &nothing.impl);
        cr_assert_not_null(plain);
        solve_units(plain, &unit, 1, i == 0 ? &first : &found);
        solver_close(plain);
        different |= i > 0 && found.solutions != first.solutions;
    }
    cr_expect(different);
    close_solver(job);
}

/* Returns the cheapest of so many units, drawn at random. */
static uint64_t draw_unit(const struct partition *partition, int draws, uint64_t *seed) {
    uint64_t cheapest = 0;
    for (int i = 0; i < draws; i++) {
        const uint64_t id = (uint64_t)random_below(seed, (int)partition->job.units);
        if (i == 0 || partition->units[id].cost < partition->units[cheapest].cost)
            cheapest = id;
    }
    return cheapest;
}

/* One X of n = 20 takes the plain search too long. */
Test(colours, units_of_larger_boards_are_alike_with_every_kernel_and_a_plain_search) {
    enum { PICKED = 10 };
    for (int n = 13; n <= 22; n++) {
        uint64_t id[PICKED];
        struct unit_result first[PICKED], found[PICKED], plainly[PICKED];
        for (const struct completer *completer = NULL;
             (completer = completer_after(completer)) != NULL;) {
            struct solver *job = open_completer(n, completer);
            struct solver *plain =
                nqi_method_colours.plain_solver(job->partition, &completer->impl);
            const bool is_first = completer == &nqi_completer_scalar64;
            cr_assert_not_null(plain);
            uint64_t seed = (uint64_t)n;
            for (int i = 0; i < PICKED; i++)
                id[i] = draw_unit(job->partition, n < 17 ? 1 : n < 19 ? 5 : 50, &seed);
            solve_units(job, id, PICKED, is_first ? first : found);
            if (is_first && n < 20)
                solve_units(plain, id, PICKED, plainly);
            for (int i = 0; i < PICKED; i++)
                if (!is_first)
                    cr_expect(found[i].solutions == first[i].solutions &&
                                  found[i].work == first[i].work,
                              "n = %d, %s, unit %" PRIu64, n, job->kernel, id[i]);
                else if (n < 20)
                    cr_expect(plainly[i].solutions == first[i].solutions &&
                                  plainly[i].work == first[i].work,
                              "n = %d, plain, unit %" PRIu64, n, id[i]);
            solver_close(plain);
            close_solver(job);
        }
    }
}

/* A completer that finds a huge sum: in each X this amount once. */
static struct {
    uint64_t amount;
    bool found;
} huge;

static uint64_t tally_of_huge(const struct second_class *second,
                              const struct first_slice *slice, void *scratch, uint32_t *table) {
    huge.found = false;
    return sum_nothing(second, slice, scratch, table, NULL);
}

static uint64_t sum_huge(const struct second_class *second, const struct first_slice *slice,
                         void *scratch, const uint32_t *table, uint64_t *sum) {
    *sum += huge.found ? 0 : huge.amount;
    huge.found = true;
    return sum_nothing(second, slice, scratch, table, sum);
}

/* In 64 bits the sums that are too large would be 0; the greatest one may stand for more. n =
 * 14 looks up all D of an X together. */
Test(colours, sums_that_do_not_fit_are_an_overflow) {
    static const struct {
        const char *of;
        int n, weight; /* of the first X of a unit */
        uint64_t amount;
        int added;
        nq_status status;
    } cases[] = {{"an X times its weight", 14, 4, UINT64_C(1) << 62, 1, NQ_OVERFLOW},
                 {"X of a unit", 14, 4, UINT64_C(1) << 61, 2, NQ_OVERFLOW},
                 {"the greatest", 0, 1, UINT64_MAX, 1, NQ_OVERFLOW},
                 {"none", 14, 4, UINT64_C(1) << 61, 1, NQ_OK}};
    struct completer completer = nqi_completer_scalar64;
    completer.tally = tally_of_huge;
    completer.sum = sum_huge;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct solver *job = open_completer(cases[i].n, &completer);
        const struct colours_partition *partition =
            (const struct colours_partition *)job->partition;
        const struct x_range *range = partition->ranges;
        while (nqi_colours_x_weight(&partition->board, range->first) != cases[i].weight)
            range++;
        void *workspace = job->call->workspace_new(job);
        struct unit_result sum = {0};
        nq_status status = NQ_OK;
        huge.amount = cases[i].amount;
        for (int j = 0; j < cases[i].added && status == NQ_OK; j++)
            status = nqi_colours_add_x(workspace, range->first, NULL, &sum);
        cr_expect_eq(status, cases[i].status, "%s", cases[i].of);
        job->call->workspace_free(workspace);
        close_solver(job);
    }
}

Test(colours, a_heartbeat_that_says_no_cancels_the_unit) {
    struct solver *job = open_solver(22, OPTIONS());
    expect_stops(job, costliest_unit(job->partition));
    close_solver(job);
}
