/* SPDX-License-Identifier: MIT */
/* What nq_describe_machine and nq_list_devices say that the program does not show. */
#include "counts.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(describe, .init = forget_settings);

Test(describe, devices_beyond_the_capacity_are_counted_but_not_stored) {
    nq_device all[NQ_MAX_DEVICES + 1] = {0};
    size_t count = 77, again = 77;
    const nq_status status = nq_list_devices(NULL, 0, &count);
    cr_expect_eq(status, count > 0 ? NQ_OK : NQ_NO_DEVICE);
    cr_expect_eq(nq_error_message()[0] == '\0', status == NQ_OK);
    for (size_t capacity = 0; capacity <= count; capacity++) {
        memset(all, 0, sizeof all);
        cr_expect_eq(nq_list_devices(all, capacity, &again), status);
        cr_expect_eq(again, count);
        cr_expect(capacity == 0 || all[capacity - 1].compute_units > 0);
        cr_expect_eq(all[capacity].compute_units, 0);
    }
}

Test(describe, gives_as_many_places_as_threads_and_capacity_allow) {
    setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
    for (size_t capacity = 0; capacity <= 8; capacity++) {
        nq_machine machine = NQ_MACHINE_INIT;
        nq_place places[8], untouched[8];
        memset(places, 0xa5, sizeof places);
        memset(untouched, 0xa5, sizeof untouched);
        expect_status(nq_describe_machine(OPTIONS(.threads = 6), &machine, places, capacity),
                      NQ_OK, "");
        const size_t given = capacity < 6 ? capacity : 6;
        for (size_t i = 0; i < given; i++)
            cr_expect_eq(places[i].pu, (int)i % 4, "place %zu", i);
        cr_expect_eq(memcmp(places + given, untouched, (8 - given) * sizeof *places), 0,
                     "beyond %zu places", given);
    }
}
