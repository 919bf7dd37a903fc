/* SPDX-License-Identifier: MIT */
/* The memory of solvers and walks: when lists of first placements are shed, and rows of a walk
 * that are full. Writes TAP. The engines are compiled again for it: see meson.build. */
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
static size_t lists_limit; /* bytes beyond which lists must be shed; 0: expect nothing */
static size_t last_made;   /* bytes of the last list; 0 if a list was freed since */

/* Expects that lists were shed in time. An X makes at most two lists, before which it sheds
 * those of others, so only the last list may exceed the limit. */
struct first_list *__wrap_nqi_first_list_new(const struct colours_board *board, bool white,
                                             uint32_t rows, const struct column_ranks *ranks) {
    struct first_list *list = __real_nqi_first_list_new(board, white, rows, ranks);
    EXPECT(lists_limit == 0 || lists_bytes <= lists_limit + last_made,
           "%zu bytes of lists are not shed", lists_bytes);
    lists_made++;
    last_made = list->bytes;
    lists_bytes += list->bytes;
    return list;
}

/* Expects that lists are shed only beyond the limit. */
void __wrap_nqi_first_list_free(struct first_list *list) {
    EXPECT(last_made == 0 || lists_bytes > lists_limit, "%zu bytes of lists are shed",
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

/* Expects that a thread that sheds lists beyond `limit` bytes has the results of one that keeps
 * all. Only threads of large boards would shed lists otherwise. With a limit of 0, each X sheds
 * them. */
static void shed_lists(int n, const struct kernel *kernel, size_t limit) {
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
               "n = %d, unit %" PRIu64 ": its shared list was made again", n, id);
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

/* Fills rows of the walk's memory: most states of a large empty board have many children. */
static void fill_rows(void) {
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
    end_case("search stops with rows that are full, n = 20 to 28");
}

int main(void) {
    for (const struct kernel *kernel = NULL;
         (kernel = kernel_after(nqi_completer_list, kernel)) != NULL;)
        for (int n = 0; n <= 14; n++)
            for (size_t limit = 0; limit <= 5000; limit += 5000)
                shed_lists(n, kernel, limit);
    end_case("colours sheds all lists but the unit's shared one, n = 0 to 14");
    fill_rows();
    return end_cases();
}
