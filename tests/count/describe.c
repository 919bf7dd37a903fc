/* SPDX-License-Identifier: MIT */
/* nq_describe_machine and nq_list_devices, as far as the program does not show what they say.
 */
#include "counts.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(describe, .init = forget_settings);

static nq_machine describe(const nq_options *options, nq_place *places, size_t capacity) {
    nq_machine machine = NQ_MACHINE_INIT;
    memset(&machine, 0xa5, sizeof machine);
    machine.size = sizeof machine;
    expect_status(nq_describe_machine(options, &machine, places, capacity), NQ_OK, "");
    return machine;
}

Test(describe, devices_beyond_the_capacity_are_counted_alone) {
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

/* As many places as threads and capacity allow; none where threads are not bound. */
Test(describe, gives_places) {
    setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
    for (int unbound = 0; unbound < 2; unbound++)
        for (int capacity = 0; capacity <= 8; capacity++) {
            nq_place places[8];
            memset(places, 0xa5, sizeof places);
            const nq_place untouched = places[0];
            describe(OPTIONS(.threads = 6, .bind = unbound ? NQ_BIND_NONE : NQ_BIND_AUTO),
                     places, (size_t)capacity);
            for (int i = 0; i < 8; i++)
                if (i < capacity && i < 6)
                    cr_expect_eq(places[i].pu, unbound ? -1 : i % 4, "place %d", i);
                else
                    cr_expect_eq(memcmp(&places[i], &untouched, sizeof untouched), 0,
                                 "place %d of %d", i, capacity);
        }
}
