/* nq_describe_machine, on this machine and on made-up ones. */
#include "machines.h"

#include <criterion/criterion.h>
#include <nqueens.h>
#include <omp.h>
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
    nq_status status = nq_describe_machine(options, &machine, places, capacity);
    cr_assert_eq(status, NQ_OK, "%s", nq_status_text(status));
    cr_expect_str_empty(nq_error_message());
    return machine;
}

static void expect_machine(const char *what, int packages, int caches, int cores, int pus) {
    nq_machine machine = describe(NULL, NULL, 0);
    cr_expect(machine.packages == packages && machine.caches == caches &&
                  machine.cores == cores && machine.pus == pus,
              "%s: %d packages, %d caches, %d cores, %d PUs", what, machine.packages,
              machine.caches, machine.cores, machine.pus);
}

Test(describe, counts_the_parts_of_synthetic_machines) {
    setenv("HWLOC_SYNTHETIC", "pack:2 l3:2 core:4 pu:2", 1);
    expect_machine("two packages", 2, 4, 16, 32);
    setenv("HWLOC_SYNTHETIC", "core:1 pu:1", 1);
    expect_machine("one core", 1, 1, 1, 1);
    setenv("HWLOC_SYNTHETIC", "pack:4 core:8 pu:1", 1);
    expect_machine("no caches: packages count", 4, 4, 32, 32);
}

static void from_file(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TOPOLOGIES, name);
    setenv("HWLOC_XMLFILE", path, 1);
}

Test(describe, counts_the_parts_of_machines_from_files) {
    from_file("hybrid.xml");
    expect_machine("hybrid", 1, 1, 6, 8);
    from_file("offline.xml");
    expect_machine("offline PUs", 1, 1, 4, 5);
    from_file("restricted.xml");
    expect_machine("restricted", 2, 4, 6, 10);
}

Test(describe, counts_last_level_caches_of_two_levels) {
    from_file("island.xml");
    expect_machine("slow cores outside the L3", 1, 2, 8, 8);
}

Test(describe, counts_the_parts_of_this_machine) {
    cpu_set_t mask;
    cr_assert_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
    nq_machine machine = describe(NULL, NULL, 0);
    cr_expect_eq(machine.pus, CPU_COUNT(&mask));
    cr_expect(machine.cores >= 1 && machine.cores <= machine.pus);
    cr_expect(machine.caches >= 1 && machine.packages >= 1);
    cr_expect(machine.threads >= 1 && machine.threads <= machine.cores);
    cr_expect_geq(machine.quota, 0);
    cr_expect_not(machine.omp_places);
}

Test(describe, gives_the_threads_that_a_count_starts) {
    const nq_options options[] = {
        {.size = sizeof(nq_options)},
        {.size = sizeof(nq_options), .smt = true},
        {.size = sizeof(nq_options), .threads = 3},
        {.size = sizeof(nq_options), .bind = NQ_BIND_NONE},
        {.size = sizeof(nq_options), .bind = NQ_BIND_NONE, .threads = 2}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        nq_machine machine = describe(&options[i], NULL, 0);
        nq_result result = NQ_RESULT_INIT;
        cr_assert_eq(nq_count_solutions(8, &options[i], &result), NQ_OK);
        cr_expect_eq(machine.threads, result.threads, "options %zu", i);
    }
}

Test(describe, stores_as_many_places_as_threads_and_capacity_allow) {
    setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
    for (int capacity = 0; capacity <= 8; capacity++) {
        nq_place places[MOST];
        memset(places, 0xa5, sizeof places);
        const nq_place untouched = places[0];
        describe(&(nq_options){.size = sizeof(nq_options), .threads = 6}, places,
                 (size_t)capacity);
        for (int i = 0; i < MOST; i++)
            if (i < capacity && i < 6)
                cr_expect_eq(places[i].pu, i % 4, "place %d of %d", i, capacity);
            else
                cr_expect_eq(memcmp(&places[i], &untouched, sizeof untouched), 0,
                             "place %d of %d", i, capacity);
    }
}

Test(describe, gives_no_places_without_binding) {
    nq_place places[4];
    describe(&(nq_options){.size = sizeof(nq_options), .threads = 4, .bind = NQ_BIND_NONE},
             places, 4);
    for (int i = 0; i < 4; i++)
        cr_expect(places[i].pu == -1 && places[i].core == -1 && places[i].cache == -1 &&
                      places[i].package == -1,
                  "place %d", i);
}

Test(describe, says_when_openmp_places_the_threads) {
    setenv("OMP_PLACES", "cores", 1);
    nq_place places[4];
    nq_machine machine =
        describe(&(nq_options){.size = sizeof(nq_options), .threads = 4}, places, 4);
    cr_expect(machine.omp_places);
    cr_expect_eq(places[0].pu, -1);
    machine =
        describe(&(nq_options){.size = sizeof(nq_options), .threads = 4, .bind = NQ_BIND_NONE},
                 places, 4);
    cr_expect_not(machine.omp_places);
}
