/* SPDX-License-Identifier: MIT */
/* Method search is stopped amid a unit. tests/methods/units.c compares results of its units. */
#include "solvers.h"

#include <criterion/criterion.h>

Test(search, a_heartbeat_that_says_no_cancels_the_unit) {
    struct solver *solver = open_solver(18, OPTIONS(.method = "search"));
    expect_stops(solver, 0);
    close_solver(solver);
}
