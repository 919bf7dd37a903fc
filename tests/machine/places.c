/* SPDX-License-Identifier: MIT */
/* The order of places on made-up machines. test_threads.py tests lists of PUs. */
#include "machine/places.h"
#include "machine/team.h"

#include "core/arrays.h"

#include <criterion/criterion.h>
#include <hwloc.h>
#include <stdio.h>
#include <string.h>

#define ALL_PUS ~0UL

/* Makes a machine from hwloc's notation, such as "pack:2 core:4 pu:2", or from a file. pus: the
 * set of PUs that it keeps, as if all others were offline or not allowed. The caller frees it
 * with hwloc_topology_destroy. */
static hwloc_topology_t made_up_machine(const char *machine, unsigned long pus) {
    hwloc_topology_t topology;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_from_ulong(set, pus);
    cr_assert_eq(hwloc_topology_init(&topology), 0);
    cr_assert_eq(strstr(machine, ".xml") != NULL
                     ? hwloc_topology_set_xml(topology, machine)
                     : hwloc_topology_set_synthetic(topology, machine),
                 0, "%s", machine);
    cr_assert_eq(hwloc_topology_load(topology), 0, "%s", machine);
    cr_assert_eq(hwloc_topology_restrict(topology, set, 0), 0, "%s", machine);
    hwloc_bitmap_free(set);
    return topology;
}

/* Expects these PUs in this order: with `smt` all PUs, and without it one PU of each core. */
static void expect_order(hwloc_topology_t topology, bool smt, const char *expected) {
    struct places places;
    cr_assert(nqi_places_list(topology, &places));
    const size_t count = smt ? places.count : (size_t)places.cores;
    char order[256] = "";
    for (size_t i = 0; i < count && i < 40; i++)
        snprintf(order + strlen(order), 8, "%s%d", i > 0 ? " " : "", places.place[i].pu);
    cr_expect_str_eq(order, expected);
    nqi_places_free(&places);
    cr_expect(places.count == 0 && places.place == NULL);
}

/* Neighbours in the order share as little as possible: the packages take turns, and in each of
 * them the caches. The second PUs of cores come last. Fast cores come before slow ones. */
Test(places, take_turns_among_packages_and_caches_and_second_pus_come_last) {
    static const struct {
        const char *machine, *cores, *pus; /* the orders without and with SMT */
        unsigned long allowed;             /* PUs */
    } machines[] = {
        {"core:1 pu:4", "0", "0 1 2 3", ALL_PUS},
        {"pu:3", "0 1 2", "0 1 2", ALL_PUS}, /* some virtual machines show no cores */
        {"pack:2 l3:2 core:2 pu:2", "0 8 4 12 2 10 6 14",
         "0 8 4 12 2 10 6 14 1 9 5 13 3 11 7 15", ALL_PUS},
        {"pack:2 core:2 pu:2", "0 4 2 6", "0 4 2 6 1 5 3 7", ALL_PUS},
        /* Linux numbers the first PUs of all cores, and then the second ones. */
        {"pack:1 core:4 pu:2(indexes=0,4,1,5,2,6,3,7)", "0 1 2 3", "0 1 2 3 4 5 6 7", ALL_PUS},
        {HYBRID, "4 6 0 1", "4 6 0 1 5 7", ALL_PUS},
        {"pack:1 l3:1 core:4 pu:2", "0 3 4 7", "0 3 4 7 1", 0x9b},
        {"pack:2 core:4 pu:1", "1 4 2 6 7", "1 4 2 6 7", 0xd6},
        {"pack:2 l3:2 core:2 pu:2", "1 8 6 12 2 14", "1 8 6 12 2 14 9 7 13 15", 0xf3c6},
    };
    for (size_t i = 0; i < LENGTH(machines); i++) {
        hwloc_topology_t topology = made_up_machine(machines[i].machine, machines[i].allowed);
        expect_order(topology, false, machines[i].cores);
        expect_order(topology, true, machines[i].pus);
        hwloc_topology_destroy(topology);
    }
}
