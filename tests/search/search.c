/* SPDX-License-Identifier: MIT */
/* Method search; its units are compared with results/vectors.json (tests/methods/units.c). */
#include "solvers.h"

#include <criterion/criterion.h>

Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    struct solver *solver = open_solver(18, OPTIONS(.method = "search"));
    expect_stops(solver, 0);
    close_solver(solver);
}
