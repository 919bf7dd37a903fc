/* SPDX-License-Identifier: MIT */
/* Method search: its units and their results, compared with brute force. */
#include "search/search.h"

#include "jobs.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

struct checked {
    const struct search_partition *search;
    const struct solver *job;
    void *workspace;
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
    const struct unit_result found =
        solve_unit(checked->job, checked->workspace, checked->next);
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
                                  .workspace = job->call->workspace_new(job)};
        cr_assert_not_null(checked.workspace);
        cr_expect_eq(checked.search->row, n < 3 ? n : 3);
        each_placement(n, checked.search->row, UINT64_MAX, check_unit, &checked);
        cr_expect_eq(checked.next, job->partition->job.units, "n = %d: units to spare", n);
        job->call->workspace_free(checked.workspace);
        close_solver(job);
    }
}

Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    struct solver *job = open_solver(18, OPTIONS(.method = "search"));
    expect_stops(job, 0);
    close_solver(job);
}
