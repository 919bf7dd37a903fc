/* SPDX-License-Identifier: MIT */
/* A plain search that finds what an X contributes without anything that method `colours` counts
 * with, to audit it: too slow to count with. A kernel counts the other X of a unit, and the
 * completions of all.
 *
 * What rows X contribute is a sum over the solutions whose black queens are on exactly these
 * rows: 2, 1 or 0 by the key of their columns (docs/algorithm.md, "Symmetries"). So in each row
 * the squares of the other colour are closed, and the last row looks up the weight.
 */
#include "colours/colours.h"
#include "core/sets.h"

#include <stdlib.h>
#include <sys/random.h>

/* Queens between two heartbeats: some milliseconds. */
enum { QUEENS_PER_BEAT = 1 << 20 };

struct plain_solver {
    struct solver solver; /* first, so that a pointer to it is one to this */
    struct solver_calls call;
    const struct colours_partition *partition;
    struct solver *kernel; /* solves the X of a unit, too; NULL: none does */
    uint64_t seed;         /* chooses the X of a unit that the plain search counts */
    /* [set of odd lines, or of even ones for even n]: the least of its images, in the order of
     * sizes and then numbers. */
    uint32_t least[1 << COLOURS_LINES];
};
_Static_assert(COLOURS_LINES <= 16, "a column is a bit of 16, or of the 16 above");

/* The search of one X. */
struct plain_search {
    const struct plain_solver *solver;
    int n;
    uint32_t open[NQ_MAX_N];       /* [row]: squares of its queen's colour */
    uint32_t column_bit[NQ_MAX_N]; /* [column]: as a bit of a set of odd columns or, 16 bits
                                higher, of even ones */
    uint32_t black_rows;
    uint32_t key; /* of X */
    uint64_t sum, queens, next_beat;
    uint64_t work; /* on the unit, so far */
    const struct heartbeat *heartbeat;
    bool stopped;
};

/* Returns how often a solution counts whose black queens have these columns. */
static uint64_t plain_weight(const struct plain_search *search, uint32_t black_columns) {
    const uint32_t *least = search->solver->least;
    uint32_t key = least[black_columns & 0xffff];
    if (search->n % 2 == 0 && least[black_columns >> 16] < key)
        key = least[black_columns >> 16];
    return key > search->key ? 2 : key == search->key;
}

static void plain_fill(struct plain_search *search, int row, uint32_t columns, uint32_t left,
                       uint32_t right, uint32_t black_columns) {
    if (row == search->n) {
        search->sum += plain_weight(search, black_columns);
        return;
    }
    if (++search->queens >= search->next_beat) {
        search->next_beat = search->queens + QUEENS_PER_BEAT;
        search->stopped |= !heartbeat_go_on(search->heartbeat, search->work);
    }
    if (search->stopped)
        return;
    const bool black = (search->black_rows >> row & 1) != 0;
    for (uint32_t free = search->open[row] & ~(columns | left | right); free != 0;
         free &= free - 1) {
        const uint32_t queen = free & -free;
        plain_fill(search, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1,
                   black ? black_columns | search->column_bit[__builtin_ctz(queen)]
                         : black_columns);
    }
}

/* Returns the number of X in the orbit of rows. */
static int plain_orbit(const struct colours_board *board, struct x x) {
    if (board->n % 2 == 1)
        return mirrored_bits(x.odd, board->odds) == x.odd &&
                       mirrored_bits(x.even, board->evens) == x.even
                   ? 1
                   : 2;
    const bool swapped = x.odd == x.even,
               complement = x.odd == (low_bits(board->odds) & ~x.even);
    return board->n == 0 ? 1 : swapped || complement ? 2 : 4;
}

/* Finds what the orbit of X contributes. found->work: on the unit, so far. */
static nq_status plain_search_x(const struct plain_solver *solver, struct x x,
                                const struct heartbeat *heartbeat, struct unit_result *found) {
    const struct colours_board *board = &solver->partition->board;
    const int n = board->n;
    struct plain_search search = {
        .solver = solver, .n = n, .work = found->work, .heartbeat = heartbeat};
    search.key = solver->least[x.odd];
    if (n % 2 == 0 && solver->least[x.even] < search.key)
        search.key = solver->least[x.even];
    for (int line = 0; line < n; line++) {
        const int even = n % 2 == 0 ? (n - 2 - line) / 2 : line / 2; /* bit of an even line */
        const uint32_t even_squares = 0x55555555 & low_bits(n),
                       odd_squares = low_bits(n) & ~even_squares;
        const bool black = (line % 2 == 1 ? x.odd >> line / 2 : x.even >> even) & 1;
        search.black_rows |= (uint32_t)black << line;
        search.open[line] = black == (line % 2 == 0) ? even_squares : odd_squares;
        search.column_bit[line] =
            line % 2 == 1 ? UINT32_C(1) << line / 2 : UINT32_C(0x10000) << even;
    }
    plain_fill(&search, 0, 0, 0, 0, 0);
    found->solutions = 0;
    return search.stopped
               ? NQ_CANCELLED
               : solutions_add(&found->solutions, (uint64_t)plain_orbit(board, x), search.sum);
}

/* Adds what the orbit of X contributes: work as the kernel counts it, if there is one, and
 * solutions likewise or, with `search`, as the plain search finds them. */
static nq_status plain_add_x(const struct plain_solver *plain, void *workspace, struct x x,
                             bool search, const struct heartbeat *heartbeat,
                             struct unit_result *sum) {
    struct unit_result found = {.work = sum->work};
    nq_status status = NQ_OK;
    if (plain->kernel != NULL)
        status = nqi_colours_add_x(workspace, x, heartbeat, &found);
    if (search && status == NQ_OK)
        status = plain_search_x(plain, x, heartbeat, &found);
    sum->work = found.work;
    return status == NQ_OK ? solutions_add(&sum->solutions, 1, found.solutions) : status;
}

static nq_status plain_solve(const struct solver *solver, void *workspace,
                             struct bundle *bundle, const struct heartbeat *heartbeat) {
    const struct plain_solver *plain = (const struct plain_solver *)solver;
    const struct colours_board *board = &plain->partition->board;
    const struct x_range *range = &plain->partition->ranges[bundle->ids[0]];
    const uint64_t searched = (plain->seed + bundle->ids[0]) % range->count;
    struct x x = range->first;
    nq_status status = NQ_OK;
    bundle->results[0] = (struct unit_result){0};
    for (uint32_t i = 0; i < range->count && status == NQ_OK; i++) {
        const bool search = plain->kernel == NULL || i == searched;
        status = plain_add_x(plain, workspace, x, search, heartbeat, bundle->results);
        colours_next_x(board, &x);
    }
    return status;
}

/* Returns a workspace of the kernel's solver; without one, memory that nothing uses. */
static void *plain_workspace_new(const struct solver *solver) {
    const struct plain_solver *plain = (const struct plain_solver *)solver;
    return plain->kernel != NULL ? plain->kernel->call->workspace_new(plain->kernel)
                                 : malloc(1);
}

static void plain_close(struct solver *solver) {
    solver_close(((struct plain_solver *)solver)->kernel);
    free(solver);
}

struct solver *nqi_colours_plain_solver(const struct partition *partition,
                                        const struct kernel *kernel) {
    struct plain_solver *plain = calloc(1, sizeof *plain);
    if (plain == NULL)
        return NULL;
    plain->partition = (const struct colours_partition *)partition;
    plain->solver =
        (struct solver){.call = &plain->call, .partition = partition, .kernel = "plain"};
    plain->call = (struct solver_calls){plain_close, plain_workspace_new, free, plain_solve};
    if (kernel != NULL) {
        plain->kernel = nqi_method_colours.solver(partition, kernel);
        if (plain->kernel == NULL || getrandom(&plain->seed, sizeof plain->seed, 0) < 0) {
            plain_close(&plain->solver);
            return NULL;
        }
        plain->call.workspace_free = plain->kernel->call->workspace_free;
    }
    const int n = partition->job.n, odds = n / 2;
    for (uint32_t set = 0; set <= low_bits(odds); set++) {
        const uint32_t image = n % 2 == 0 ? low_bits(odds) & ~set : mirrored_bits(set, odds);
        const uint32_t size = n % 2 == 0 ? (uint32_t)__builtin_popcount(set) << 16 : 0,
                       image_size = n % 2 == 0 ? (uint32_t)__builtin_popcount(image) << 16 : 0;
        plain->least[set] =
            (size | set) < (image_size | image) ? size | set : image_size | image;
    }
    return &plain->solver;
}
