/* SPDX-License-Identifier: MIT */
/* nq_describe_machine, on this machine and on made-up ones: their parts, how many threads a
 * count starts, and where they run. */
#include "core/arrays.h"
#include "counts.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
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

/* A machine in hwloc's notation, or in a file. */
static void pretend(const char *machine) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TOPOLOGIES, machine);
    forget_settings();
    if (strstr(machine, ".xml") != NULL)
        setenv("HWLOC_XMLFILE", path, 1);
    else
        setenv("HWLOC_SYNTHETIC", machine, 1);
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

Test(describe, counts_the_parts_of_machines) {
    static const struct {
        const char *machine;
        int packages, caches, cores, pus;
    } machines[] = {{"pack:2 l3:2 core:4 pu:2", 2, 4, 16, 32},
                    {"core:1 pu:1", 1, 1, 1, 1},
                    {"pack:4 core:8 pu:1", 4, 4, 32, 32}, /* without caches packages count */
                    {"hybrid.xml", 1, 2, 4, 6}};          /* slow cores outside the L3 */
    for (size_t i = 0; i < LENGTH(machines); i++) {
        pretend(machines[i].machine);
        const nq_machine machine = describe(NULL, NULL, 0);
        cr_expect(machine.packages == machines[i].packages &&
                      machine.caches == machines[i].caches &&
                      machine.cores == machines[i].cores && machine.pus == machines[i].pus,
                  "%s: %d packages, %d caches, %d cores, %d PUs", machines[i].machine,
                  machine.packages, machine.caches, machine.cores, machine.pus);
    }
}

/* How many of so many threads this machine's own quota allows. */
static int within_quota(const nq_machine *machine, int threads) {
    if (machine->quota <= 0 || threads <= machine->quota)
        return threads;
    return machine->quota < 1 ? 1 : (int)machine->quota;
}

/* On another machine no thread can be bound. */
Test(describe, counts_the_threads_of_machines) {
    const struct {
        const char *machine;
        const nq_options *options;
        int threads;
        bool quota;
    } teams[] = {
        {"pack:2 core:4 pu:2", OPTIONS(), 8, true},
        {"pack:2 core:4 pu:2", OPTIONS(.smt = true), 16, true},
        {"pack:2 core:4 pu:2", OPTIONS(.bind = NQ_BIND_LIST, .bind_list = "1,15,4-6"), 5, true},
        {"pack:2 core:4 pu:2", OPTIONS(.bind = NQ_BIND_NONE, .threads = 64), 64, false},
        {"pack:8 core:513 pu:1", OPTIONS(), NQ_MAX_THREADS, true},
    };
    for (size_t i = 0; i < LENGTH(teams); i++) {
        pretend(teams[i].machine);
        const nq_machine machine = describe(teams[i].options, NULL, 0);
        const int threads = teams[i].threads;
        cr_expect_eq(machine.threads,
                     teams[i].quota ? within_quota(&machine, threads) : threads,
                     "team %zu: %d threads", i, machine.threads);
        cr_expect_eq(count_ok(8, OPTIONS(.threads = 2)).threads_bound, 0);
    }
}

static void *describe_on_one_pu(void *pus) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    *(int *)pus = describe(NULL, NULL, 0).pus;
    return NULL;
}

/* Those of the calling thread's mask: the other thread's is as it was. */
Test(describe, gives_the_pus_of_the_mask) {
    pthread_t thread;
    int pus = 0;
    cr_assert_eq(pthread_create(&thread, NULL, describe_on_one_pu, &pus), 0);
    pthread_join(thread, NULL);
    cr_expect_eq(pus, 1);
}

/* The OpenMP runtime reads these variables when the program starts. The test only shows that
 * the library heeds them, and that a list of PUs or a number of threads outranks them. */
Test(describe, leaves_to_openmp_what_the_user_chose_there) {
    const char *const names[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"};
    nq_place place;
    for (size_t i = 0; i < LENGTH(names); i++) {
        forget_settings();
        setenv(names[i], "", 1);
        cr_expect_not(describe(NULL, NULL, 0).omp_places, "%s", names[i]);
        setenv(names[i], "cores", 1);
        nq_machine machine = describe(NULL, &place, 1);
        cr_expect(machine.omp_places && place.pu == -1 &&
                      machine.threads == within_quota(&machine, omp_get_max_threads()),
                  "%s", names[i]);
        setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
        machine = describe(OPTIONS(.bind = NQ_BIND_LIST, .bind_list = "1,2"), &place, 1);
        cr_expect(!machine.omp_places && place.pu == 1 && machine.threads == 2, "%s", names[i]);
    }
    forget_settings();
    setenv("OMP_NUM_THREADS", "7", 1);
    omp_set_num_threads(7);
    cr_expect_eq(describe(NULL, NULL, 0).threads, 7);
    cr_expect_eq(describe(OPTIONS(.threads = 2), NULL, 0).threads, 2);
}

/* As many places as threads and capacity allow; none where threads are not bound. */
Test(describe, gives_places) {
    pretend("core:4 pu:1");
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
