/* SPDX-License-Identifier: MIT */
/* Topology and team on this machine: the PUs that the process may use, the number of threads,
 * and binding that leaves no trace. */
#include "machine/team.h"

#include "length.h"
#include "machines.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

TestSuite(topology, .init = forget_settings);
TestSuite(team, .init = forget_settings);

static int allowed_pus(void) {
    cpu_set_t mask;
    cr_assert_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
    return CPU_COUNT(&mask);
}

/* Binds the calling thread to the last CPU of its mask; skips the test if the mask has no
 * other. Criterion's own thread keeps its mask, so only the caller's may count. */
static int keep_one_cpu(void) {
    cpu_set_t mask;
    cr_assert_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
    if (CPU_COUNT(&mask) < 2)
        cr_skip_test("needs two CPUs");
    int cpu = CPU_SETSIZE - 1;
    while (!CPU_ISSET((size_t)cpu, &mask))
        cpu--;
    CPU_ZERO(&mask);
    CPU_SET((size_t)cpu, &mask);
    cr_assert_eq(sched_setaffinity(0, sizeof mask, &mask), 0);
    return cpu;
}

static void expect_pus(int expected) {
    hwloc_topology_t topology = nqi_topology_load(false);
    cr_assert_not_null(topology);
    cr_expect_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), expected);
    cr_expect(nqi_topology_can_bind(topology));
    hwloc_topology_destroy(topology);
}

/* Runs in a thread with the full mask while the test's own thread is bound. */
static void *expect_all_pus(void *pus) {
    expect_pus(*(int *)pus);
    return NULL;
}

/* Of the calling thread's, whatever those of other threads are. */
Test(topology, has_the_pus_of_the_mask) {
    cpu_set_t all;
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    int pus = CPU_COUNT(&all);
    pthread_attr_t unbound;
    pthread_t thread;
    expect_pus(pus);
    keep_one_cpu();
    expect_pus(1);
    cr_assert_eq(pthread_attr_init(&unbound), 0);
    cr_assert_eq(pthread_attr_setaffinity_np(&unbound, sizeof all, &all), 0);
    cr_assert_eq(pthread_create(&thread, &unbound, expect_all_pus, &pus), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&unbound);
}

static struct team form(const nq_options *options) {
    struct team team;
    struct failure failure = {0};
    nq_status status = nqi_team_form(options, &team, &failure);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), failure.text);
    return team;
}

/* How many of so many threads this machine's own quota allows. */
static int within_quota(int threads) {
    double quota = nqi_cpu_quota("");
    if (quota <= 0 || threads <= quota)
        return threads;
    return quota < 1 ? 1 : (int)quota;
}

/* On this machine, as hwloc sees it: one thread on each core, or PU. */
Test(team, starts_one_thread_on_each_core_or_pu) {
    hwloc_topology_t topology = nqi_topology_load(false);
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    hwloc_topology_destroy(topology);
    for (int smt = 0; smt < 2; smt++) {
        struct team team = form(&(nq_options){.smt = smt == 1});
        const int places = smt == 0 && cores > 0 ? cores : allowed_pus();
        cr_expect_eq((int)team.places.count, places);
        cr_expect_eq(team.threads, within_quota(places));
        cr_expect_not(team.omp_places);
        nqi_team_free(&team);
        cr_expect_null(team.topology);
    }
    const int cpu = keep_one_cpu();
    struct team team = form(&(nq_options){.smt = true});
    cr_expect(team.threads == 1 && team.places.count == 1 && team.places.place[0].pu == cpu);
    nqi_team_free(&team);
}

/* On another machine no thread can be bound. */
Test(team, counts_the_cores_of_another_machine) {
    static const struct {
        const char *machine;
        nq_options options;
        int threads;
        bool within_quota;
    } teams[] = {
        {"pack:2 core:4 pu:2", {0}, 8, true},
        {"pack:2 core:4 pu:2", {.smt = true}, 16, true},
        {"pack:2 core:4 pu:2", {.bind = NQ_BIND_LIST, .bind_list = "1,15,4-6"}, 5, true},
        {"pack:2 core:4 pu:2", {.bind = NQ_BIND_NONE, .threads = 64}, 64, false},
        {"pack:8 core:513 pu:1", {0}, NQ_MAX_THREADS, true},
    };
    for (size_t i = 0; i < LENGTH(teams); i++) {
        setenv("HWLOC_SYNTHETIC", teams[i].machine, 1);
        hwloc_topology_t topology = nqi_topology_load(false);
        cr_expect_not(nqi_topology_can_bind(topology));
        hwloc_topology_destroy(topology);
        struct team team = form(&teams[i].options);
        const int threads = teams[i].threads;
        cr_expect_eq(team.threads, teams[i].within_quota ? within_quota(threads) : threads,
                     "team %zu", i);
        cr_expect_eq(team.places.count == 0, teams[i].options.bind == NQ_BIND_NONE);
        cr_expect_null(nqi_team_bind(&team, 0));
        nqi_team_unbind(&team, NULL);
        nqi_team_free(&team);
    }
}

/* The OpenMP runtime reads these variables when the program starts. The test only shows that
 * the team heeds them, and that a list of PUs or a number of threads outranks them. */
Test(team, leaves_to_openmp_what_the_user_chose_there) {
    const char *const names[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"};
    for (size_t i = 0; i < LENGTH(names); i++) {
        for (int empty = 0; empty < 2; empty++) {
            setenv(names[i], empty == 0 ? "cores" : "", 1);
            struct team team = form(&(nq_options){0});
            cr_expect_eq(team.omp_places, empty == 0, "%s", names[i]);
            cr_expect(empty == 1 || (team.places.count == 0 &&
                                     team.threads == within_quota(omp_get_max_threads())));
            nqi_team_free(&team);
        }
        setenv(names[i], "cores", 1);
        setenv("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
        struct team team = form(&(nq_options){.bind = NQ_BIND_LIST, .bind_list = "1,2"});
        cr_expect(!team.omp_places && team.places.count == 2, "%s", names[i]);
        nqi_team_free(&team);
        forget_settings();
    }
    setenv("OMP_NUM_THREADS", "7", 1);
    omp_set_num_threads(7);
    for (int threads = 0; threads <= 2; threads += 2) {
        struct team team = form(&(nq_options){.threads = threads});
        cr_expect_eq(team.threads, threads == 0 ? 7 : 2);
        nqi_team_free(&team);
    }
}

/* Thread i is bound to the PU of place i modulo their number alone, and gets its mask back. */
Test(team, binds_a_thread_and_lets_it_go) {
    cpu_set_t before, bound, after;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    struct team team = form(&(nq_options){.smt = true});
    for (int thread = 0; thread < 2 * (int)team.places.count + 1; thread++) {
        hwloc_bitmap_t mask = nqi_team_bind(&team, thread);
        cr_assert_not_null(mask, "thread %d", thread);
        cr_assert_eq(sched_getaffinity(0, sizeof bound, &bound), 0);
        int pu = team.places.place[(size_t)thread % team.places.count].pu;
        cr_expect(CPU_COUNT(&bound) == 1 && CPU_ISSET((size_t)pu, &bound), "thread %d, PU %d",
                  thread, pu);
        nqi_team_unbind(&team, mask);
        cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
        cr_expect(CPU_EQUAL(&before, &after), "thread %d", thread);
    }
    nqi_team_free(&team);
}
