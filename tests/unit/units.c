/* Single units of boards too large to count here: every kernel must find what the portable one
 * finds, each in a job of its own. */
#include "implementations.h"
#include "jobs.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MOST = 48 };

static void compare_units(int n, const char *plan, int depth, size_t count) {
    uint64_t id[MOST];
    struct unit_result expected[MOST], result[MOST];
    struct solver *reference = open_search(n, plan, depth, "scalar64");
    cr_assert(count <= MOST && reference->partition->unit_count >= 10);
    pick_units(reference, 0.1, count, id);
    solve_units(reference, id, count, expected);
    for (size_t k = 1; kernel_here(k) != NULL; k++) {
        struct solver *job = open_search(n, plan, depth, kernel_here(k)->impl.name);
        cr_assert_eq(job->partition->unit_count, reference->partition->unit_count);
        solve_units(job, id, count, result);
        for (size_t i = 0; i < count; i++)
            cr_expect(result[i].solutions == expected[i].solutions &&
                          result[i].work == expected[i].work,
                      "kernel %s, n = %d, plan %s, unit %" PRIu64 ": %" PRIu64
                      " solutions, %" PRIu64 " nodes; scalar64: %" PRIu64 ", %" PRIu64,
                      job->kernel, n, plan, id[i], result[i].solutions, result[i].work,
                      expected[i].solutions, expected[i].work);
        close_solver(job);
    }
    close_solver(reference);
}

/* Larger boards get fewer units: a unit of n = 20 takes 20 times as long as one of n = 18.
 * NQUEENS_TEST_LARGE=1 takes four times as many. */
#define UNITS(plan, n, depth, count)                                                           \
    Test(plan, every_kernel_solves_units_of_n_##n) {                                           \
        compare_units(n, #plan, depth,                                                         \
                      getenv("NQUEENS_TEST_LARGE") != NULL ? 4 * (count) : (count));           \
    }
UNITS(cross, 15, 0, 12)
UNITS(cross, 16, 0, 12)
UNITS(cross, 17, 0, 12)
UNITS(cross, 18, 0, 12)
UNITS(cross, 19, 0, 6)
UNITS(cross, 20, 0, 2)

/* Units of plan rows hardly differ in cost, so for larger n even the cheapest take long. */
UNITS(rows, 15, 3, 12)
UNITS(rows, 16, 3, 12)
UNITS(rows, 17, 3, 6)
UNITS(rows, 18, 3, 2)
