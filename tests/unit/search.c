/* SPDX-License-Identifier: MIT */
/* Method search: its units and their results, compared with brute force. */
#include "search/search.h"

#include "jobs.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>

struct checked {
    const struct search_partition *search;
    const struct solver *job;
    void *worker;
    uint64_t next; /* unit */
};

/* The next unit must be this placement on the first rows, if its first queen is not right of
 * the middle. */
static void check_unit(const int *placed, void *context) {
    struct checked *checked = context;
    const struct partition *partition = &checked->search->partition;
    const int n = partition->job.n, rows = checked->search->row;
    int column[NQ_MAX_N + 1];
    struct state state = {0};
    if (rows > 0 && 2 * placed[0] > n - 1)
        return;
    cr_assert_lt(checked->next, partition->job.units, "n = %d: units are missing", n);
    for (int row = 0; row < rows; row++) {
        column[row] = placed[row];
        state = state_place(state, UINT64_C(1) << placed[row]);
    }
    const struct tally expected = complete_naively(n, column, rows);
    const struct unit_result found = solve_unit(checked->job, checked->worker, checked->next);
    const struct unit *unit = &partition->units[checked->next];
    cr_expect(
        memcmp(&checked->search->state[checked->next], &state, sizeof state) == 0 &&
            unit->weight == (rows > 0 && 2 * placed[0] < n - 1 ? 2 : 1) && unit->cost > 0 &&
            found.solutions == expected.solutions && found.work == expected.nodes,
        "n = %d, unit %" PRIu64 ": %" PRIu64 " solutions, %" PRIu64 " nodes; expected %" PRIu64
        ", %" PRIu64,
        n, checked->next, found.solutions, found.work, expected.solutions, expected.nodes);
    checked->next++;
}

Test(search, units_are_the_placements_on_three_rows_in_order) {
    for (int n = 0; n <= 12; n++) {
        struct solver *job = open_solver(n, OPTIONS(.method = "search"));
        struct checked checked = {.search = (const struct search_partition *)job->partition,
                                  .job = job,
                                  .worker = job->call->worker_new(job)};
        cr_assert_not_null(checked.worker);
        cr_expect_eq(checked.search->row, n < 3 ? n : 3);
        each_placement(n, checked.search->row, UINT64_MAX, check_unit, &checked);
        cr_expect_eq(checked.next, job->partition->job.units, "n = %d: units to spare", n);
        job->call->worker_free(checked.worker);
        close_solver(job);
    }
}

/* By the letters of a board's text: its number of units. */
static void expect_units(int n, const char *board, int row, uint64_t units) {
    struct failure failure = {0};
    struct partition *partition;
    cr_assert_eq(nqi_board_partition(n, board, &partition, &failure), NQ_OK, "%s",
                 failure.text);
    cr_expect(((struct search_partition *)partition)->row == row &&
                  partition->job.units == units,
              "%" PRIu64 " units", partition->job.units);
    partition_close(partition);
}

/* A board with all solutions for n = 8, and one of 16 whose rows are free but for a square. */
Test(search, a_given_board_is_cut_until_there_are_enough_units) {
    char large[16 * 17 + 1];
    memset(large, '.', sizeof large);
    for (int row = 0; row < 16; row++)
        large[17 * row + 16] = '\n';
    large[sizeof large - 1] = '\0';
    large[17 * 15] = '#';
    expect_units(16, large, 3, 2236);
    expect_units(2, ".#\n..\n", 2, 0);
    expect_units(4, "#...\n....\n....\n....\n", 4, 2);
}

Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    struct solver *job = open_solver(18, OPTIONS(.method = "search"));
    expect_stops(job, 0);
    close_solver(job);
}
