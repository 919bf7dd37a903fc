/* SPDX-License-Identifier: MIT */
/* The memory of methods: solvers must free lists of first placements in time, and a walk's list
 * of states must be long enough. Writes TAP. The methods are compiled again with sanitizers for
 * this program: see meson.build. */
#include "colours/colours.h"
#include "colours/completer.h"
#include "kernels.h"
#include "search/walk.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>

struct first_list *__real_nqi_first_list_new(const struct colours_board *board, bool white,
                                             uint32_t rows, const struct column_ranks *ranks);
struct first_list *__wrap_nqi_first_list_new(const struct colours_board *board, bool white,
                                             uint32_t rows, const struct column_ranks *ranks);
void __real_nqi_first_list_free(struct first_list *list);
void __wrap_nqi_first_list_free(struct first_list *list);

static unsigned lists_made;
static size_t lists_bytes; /* of all lists that there are */
static size_t lists_limit; /* bytes beyond which lists must be freed; 0: not checked */
static size_t last_made;   /* bytes of the last list; 0 if a list was freed since */

/* Expects that lists were freed in time. Before a solver makes lists for an X, it frees the
 * lists of earlier X if together they exceed the limit. It makes at most two lists for an X.
 * So when it makes a list, the existing ones exceed the limit by at most the bytes of the list
 * that was made last. */
struct first_list *__wrap_nqi_first_list_new(const struct colours_board *board, bool white,
                                             uint32_t rows, const struct column_ranks *ranks) {
    struct first_list *list = __real_nqi_first_list_new(board, white, rows, ranks);
    EXPECT(lists_limit == 0 || lists_bytes <= lists_limit + last_made,
           "%zu bytes of lists are not freed", lists_bytes);
    lists_made++;
    last_made = list->bytes;
    lists_bytes += list->bytes;
    return list;
}

/* Expects that lists are freed only beyond the limit. */
void __wrap_nqi_first_list_free(struct first_list *list) {
    EXPECT(last_made == 0 || lists_bytes > lists_limit, "%zu bytes of lists are freed",
           lists_bytes);
    last_made = 0;
    lists_bytes -= list->bytes;
    __real_nqi_first_list_free(list);
}

/* Solves all units with a solver that keeps its lists. */
static struct unit_result *solve_keeping_lists(const struct partition *partition,
                                               const struct kernel *kernel) {
    struct solver *solver = nqi_colours_solver(partition, kernel, partition->job.n, 0);
    struct unit_result *results = calloc(partition->job.units, sizeof *results);
    void *workspace = solver->call->workspace_new(solver);
    lists_limit = 0;
    for (uint64_t id = 0; id < partition->job.units; id++)
        EXPECT(solver_solve(solver, workspace, id, NULL, &results[id]) == NQ_OK,
               "n = %d, %s, unit %" PRIu64, partition->job.n, kernel->name, id);
    last_made = 0; /* now all lists are freed, however few they are */
    solver->call->workspace_free(workspace);
    solver_close(solver);
    return results;
}

/* Expects the same results of a thread that frees lists beyond `limit` bytes as of one that
 * keeps all lists. By default only threads of large boards free lists. With a limit of 0, lists
 * are freed before each X; when they are freed is then not checked. All X of a unit use one
 * list in common. It must be kept while the unit is solved, so that each X makes
 * at most one further list. */
static void free_lists(int n, const struct kernel *kernel, size_t limit) {
    struct partition *partition = nqi_colours_partition(n);
    const struct x_range *ranges = ((struct colours_partition *)partition)->ranges;
    struct unit_result *expected = solve_keeping_lists(partition, kernel);
    struct solver *solver = nqi_colours_solver(partition, kernel, n - 1, limit);
    void *workspace = solver->call->workspace_new(solver);
    lists_limit = limit;
    for (uint64_t id = 0; id < partition->job.units; id++) {
        struct unit_result found;
        const unsigned before = lists_made;
        EXPECT(solver_solve(solver, workspace, id, NULL, &found) == NQ_OK &&
                   results_agree(found, expected[id]),
               "n = %d, %s, unit %" PRIu64, n, kernel->name, id);
        EXPECT(lists_made - before <= 1 + ranges[id].count,
               "n = %d, unit %" PRIu64 ": the list of all its X was made again", n, id);
    }
    last_made = 0;
    solver->call->workspace_free(workspace);
    solver_close(solver);
    free(expected);
    partition_close(partition);
}

static bool no_more(void *context, uint64_t work) {
    (void)context;
    (void)work;
    return false;
}

/* Stops walks while their lists of states are long: most states of a large empty board have
 * many children. Sanitizers would find a state that is written beyond its list. */
static void fill_lists(void) {
    const struct heartbeat heartbeat = {.go_on = no_more};
    for (int n = 20; n <= NQ_MAX_N; n += 2) {
        const struct walk_board board = nqi_walk_board(n, NULL);
        struct walk_memory *memory = nqi_walk_memory_new();
        struct tally tally = {0};
        EXPECT(!nqi_walk(&board, 0, (struct state){0}, memory, &heartbeat, &tally) &&
                   tally.nodes > 0,
               "n = %d", n);
        free(memory);
    }
    end_case("search is stopped amid long lists of states, n = 20 to 28");
}

int main(void) {
    for (const struct kernel *kernel = NULL;
         (kernel = kernel_after(nqi_completer_list, kernel)) != NULL;)
        for (int n = 0; n <= 14; n++)
            for (size_t limit = 0; limit <= 5000; limit += 5000)
                free_lists(n, kernel, limit);
    end_case("colours frees lists beyond its limit, but not the one that all X of a unit use, "
             "n = 0 to 14");
    fill_lists();
    return end_cases();
}
