/* SPDX-License-Identifier: MIT */
/* nqi_burn_in: what it says meanwhile. What it finds is tested with the program. */
#include "measure/burn_in.h"
#include "counts.h"

#include <criterion/criterion.h>
#include <unistd.h>

static bool look_twice(void *changed, const struct burn_in *so_far) {
    const volatile uint64_t *units = &so_far->units;
    const uint64_t before = *units;
    usleep(20000);
    *(bool *)changed |= *units != before;
    return true;
}

/* Although other threads go on comparing units. */
Test(burn_in, a_report_stays_as_it_is_while_it_is_read) {
    bool changed = false;
    struct burn_in found;
    const struct burn_in_request request = {
        .first = 12, .last = 12, .seconds = 1, .report = look_twice, .context = &changed};
    cr_expect_eq(nqi_burn_in(&request, OPTIONS(.threads = 2), &found), NQ_OK);
    cr_expect(found.units > 0 && !changed);
}
