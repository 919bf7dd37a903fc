/* SPDX-License-Identifier: MIT */
/* nq_describe_machine, on this machine and on made-up ones. */
#include "counts.h"
#include "machines.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

TestSuite(describe, .init = forget_settings);

static nq_machine describe(const nq_options *options, nq_place *places, size_t capacity) {
    nq_machine machine = NQ_MACHINE_INIT;
    memset(&machine, 0xa5, sizeof machine);
    machine.size = sizeof machine;
    expect_status(nq_describe_machine(options, &machine, places, capacity), NQ_OK, "");
    return machine;
}

Test(describe, counts_the_parts_of_machines) {
    static const struct {
        const char *machine;
        int packages, caches, cores, pus;
    } machines[] = {{"pack:2 l3:2 core:4 pu:2", 2, 4, 16, 32},
                    {"core:1 pu:1", 1, 1, 1, 1},
                    {"pack:4 core:8 pu:1", 4, 4, 32, 32}, /* without caches packages count */
                    {"hybrid.xml", 1, 1, 6, 8},
                    {"island.xml", 1, 2, 8, 8}}; /* slow cores outside the L3 */
    for (size_t i = 0; i < LENGTH(machines); i++) {
        const char *name = machines[i].machine;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", TOPOLOGIES, name);
        forget_settings();
        if (strstr(name, ".xml") != NULL)
            setenv("HWLOC_XMLFILE", path, 1);
        else
            setenv("HWLOC_SYNTHETIC", name, 1);
        const nq_machine machine = describe(NULL, NULL, 0);
        cr_expect(machine.packages == machines[i].packages &&
                      machine.caches == machines[i].caches &&
                      machine.cores == machines[i].cores && machine.pus == machines[i].pus,
                  "%s: %d packages, %d caches, %d cores, %d PUs", name, machine.packages,
                  machine.caches, machine.cores, machine.pus);
    }
}

Test(describe, gives_this_machine_and_the_threads_that_a_count_starts) {
    cpu_set_t mask;
    cr_assert_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
    const nq_options *const options[] = {OPTIONS(), OPTIONS(.smt = true), OPTIONS(.threads = 3),
                                         OPTIONS(.bind = NQ_BIND_NONE)};
    for (size_t i = 0; i < LENGTH(options); i++) {
        const nq_machine machine = describe(options[i], NULL, 0);
        cr_expect(machine.pus == CPU_COUNT(&mask) && machine.cores >= 1 &&
                  machine.cores <= machine.pus && machine.caches >= 1 &&
                  machine.packages >= 1 && machine.quota >= 0 && !machine.omp_places);
        cr_expect_eq(machine.threads, count_ok(8, options[i]).threads, "options %zu", i);
    }
}

/* As many places as threads and capacity allow; none where threads are not bound, or OpenMP
 * places them. */
Test(describe, gives_places) {
    setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
    for (int how = 0; how < 3; how++)
        for (int capacity = 0; capacity <= 8; capacity++) {
            nq_place places[MOST];
            memset(places, 0xa5, sizeof places);
            const nq_place untouched = places[0];
            if (how == 2)
                setenv("OMP_PLACES", "cores", 1);
            const nq_machine machine =
                describe(OPTIONS(.threads = 6, .bind = how == 1 ? NQ_BIND_NONE : NQ_BIND_AUTO),
                         places, (size_t)capacity);
            cr_expect_eq(machine.omp_places, how == 2);
            for (int i = 0; i < MOST; i++)
                if (i < capacity && i < 6)
                    cr_expect_eq(places[i].pu, how == 0 ? i % 4 : -1, "place %d", i);
                else
                    cr_expect_eq(memcmp(&places[i], &untouched, sizeof untouched), 0,
                                 "place %d of %d", i, capacity);
        }
}
