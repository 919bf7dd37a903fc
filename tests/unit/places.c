/* The order of places on made-up machines, and lists of PUs. */
#include "machine/places.h"

#include "machines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2048 };

static struct places list_places(hwloc_topology_t topology, bool smt) {
    struct places places;
    cr_assert(nqi_places_list(topology, smt, &places));
    return places;
}

/* The machine's PUs must come in this order; `expected` ends with -1. */
static void expect_order(hwloc_topology_t topology, bool smt, const int *expected) {
    struct places places = list_places(topology, smt);
    size_t i = 0;
    for (; expected[i] >= 0 && i < places.count; i++)
        cr_expect_eq(places.place[i].pu, expected[i], "place %zu: PU %d, not %d", i,
                     places.place[i].pu, expected[i]);
    cr_expect(i == places.count && expected[i] < 0, "%zu places", places.count);
    nqi_places_free(&places);
    cr_expect(places.count == 0 && places.place == NULL);
    hwloc_topology_destroy(topology);
}

#define ORDER(...) ((const int[]){__VA_ARGS__, -1})

Test(places, one_core_has_one_place) {
    expect_order(synthetic_machine("core:1 pu:1"), false, ORDER(0));
    expect_order(synthetic_machine("core:1 pu:1"), true, ORDER(0));
}

Test(places, one_core_with_smt_has_a_place_for_each_pu) {
    expect_order(synthetic_machine("core:1 pu:4"), false, ORDER(0));
    expect_order(synthetic_machine("core:1 pu:4"), true, ORDER(0, 1, 2, 3));
}

Test(places, cores_without_siblings_come_in_order) {
    expect_order(synthetic_machine("pack:1 core:4 pu:1"), false, ORDER(0, 1, 2, 3));
    expect_order(synthetic_machine("pack:1 core:4 pu:1"), true, ORDER(0, 1, 2, 3));
}

/* Some virtual machines show PUs and nothing else. */
Test(places, pus_without_cores_come_in_order) {
    expect_order(synthetic_machine("pu:3"), false, ORDER(0, 1, 2));
    expect_order(synthetic_machine("pu:3"), true, ORDER(0, 1, 2));
}

Test(places, packages_take_turns_and_then_caches) {
    hwloc_topology_t topology = synthetic_machine("pack:2 l3:2 core:4 pu:2");
    expect_order(topology, false,
                 ORDER(0, 16, 8, 24, 2, 18, 10, 26, 4, 20, 12, 28, 6, 22, 14, 30));
}

Test(places, every_core_comes_before_any_sibling) {
    hwloc_topology_t topology = synthetic_machine("pack:2 core:2 pu:2");
    expect_order(topology, true, ORDER(0, 4, 2, 6, 1, 5, 3, 7));
}

/* As Linux numbers PUs: the first ones of all cores, then the second ones. */
Test(places, siblings_numbered_after_all_cores_come_last) {
    const char *machine = "pack:1 core:4 pu:2(indexes=0,4,1,5,2,6,3,7)";
    expect_order(synthetic_machine(machine), false, ORDER(0, 1, 2, 3));
    expect_order(synthetic_machine(machine), true, ORDER(0, 1, 2, 3, 4, 5, 6, 7));
}

Test(places, the_fast_kind_of_core_comes_first) {
    expect_order(machine_from_file("hybrid.xml"), false, ORDER(0, 2, 4, 5, 6, 7));
    expect_order(machine_from_file("hybrid.xml"), true, ORDER(0, 2, 4, 5, 6, 7, 1, 3));
}

Test(places, the_fast_kind_comes_first_even_if_numbered_last) {
    expect_order(machine_from_file("hybrid-slow-first.xml"), false, ORDER(4, 6, 0, 1, 2, 3));
    expect_order(machine_from_file("hybrid-slow-first.xml"), true,
                 ORDER(4, 6, 0, 1, 2, 3, 5, 7));
}

Test(places, offline_pus_are_left_out) {
    expect_order(machine_from_file("offline.xml"), false, ORDER(0, 3, 4, 7));
    expect_order(machine_from_file("offline.xml"), true, ORDER(0, 3, 4, 7, 1));
}

Test(places, disallowed_pus_are_left_out) {
    expect_order(machine_from_file("disallowed.xml"), false, ORDER(1, 4, 2, 6, 7));
}

Test(places, a_restricted_machine_has_only_its_own_pus) {
    expect_order(machine_from_file("restricted.xml"), false, ORDER(1, 8, 6, 12, 2, 14));
}

/* Two caches of different levels are two caches, whatever their numbers. */
Test(places, last_level_caches_of_two_levels_are_told_apart) {
    hwloc_topology_t topology = machine_from_file("island.xml");
    struct places places = list_places(topology, true);
    int cache[8] = {0};
    cr_assert_eq(places.count, 8);
    for (size_t i = 0; i < 8; i++)
        cache[places.place[i].pu] = places.place[i].cache;
    for (int pu = 1; pu < 8; pu++)
        cr_expect_eq(cache[pu] == cache[0], pu < 4, "PU 0 has cache %d, PU %d has %d", cache[0],
                     pu, cache[pu]);
    nqi_places_free(&places);
    hwloc_topology_destroy(topology);
}

/* However many places are used, from the first on, each package (cache, core) must be used
 * equally often, or once more than others. */
static void expect_balance(const char *machine, const struct places *places,
                           int (*value)(const nq_place *), int values) {
    int uses[MOST] = {0};
    for (size_t i = 0; i < places->count; i++) {
        uses[value(&places->place[i])]++;
        int most = 0, least = MOST;
        for (int v = 0; v < values; v++) {
            most = uses[v] > most ? uses[v] : most;
            least = uses[v] < least ? uses[v] : least;
        }
        cr_assert_leq(most - least, 1, "%s: uneven after %zu places", machine, i + 1);
    }
}

static int package_of(const nq_place *place) {
    return place->package;
}

static int cache_of(const nq_place *place) {
    return place->cache;
}

static int core_of(const nq_place *place) {
    return place->core;
}

static void check_even_machine(const char *machine, int packages, int caches, int cores) {
    hwloc_topology_t topology = synthetic_machine(machine);
    int pus = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    struct places all = list_places(topology, true), first = list_places(topology, false);
    cr_assert_eq((int)all.count, pus, "%s", machine);
    cr_assert_eq((int)first.count, cores, "%s", machine);
    cr_expect_eq(memcmp(all.place, first.place, first.count * sizeof *first.place), 0,
                 "%s: smt changes the first places", machine);
    expect_balance(machine, &all, package_of, packages);
    expect_balance(machine, &all, cache_of, caches);
    expect_balance(machine, &all, core_of, cores);
    bool seen[MOST] = {false};
    for (size_t i = 0; i < all.count; i++) {
        int pu = all.place[i].pu;
        cr_assert(pu >= 0 && pu < pus && !seen[pu], "%s: PU %d", machine, pu);
        seen[pu] = true;
        hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, (unsigned)pu);
        hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, object);
        cr_assert_eq(all.place[i].core, (int)core->logical_index, "%s: PU %d", machine, pu);
    }
    nqi_places_free(&all);
    nqi_places_free(&first);
    hwloc_topology_destroy(topology);
}

Test(places, symmetric_machines_are_filled_evenly) {
    check_even_machine("pack:1 l3:1 core:8 pu:1", 1, 1, 8);
    check_even_machine("pack:1 l3:4 core:2 pu:2", 1, 4, 8);
    check_even_machine("pack:2 l3:2 core:4 pu:2", 2, 4, 16);
    check_even_machine("pack:2 numa:2 l3:2 core:4 pu:2", 2, 8, 32);
    check_even_machine("numa:4 pack:1 l3:3 core:5 pu:1", 4, 12, 60);
    check_even_machine("pack:3 l3:5 l2:2 core:3 pu:4", 3, 15, 90);
    check_even_machine("pack:8 l3:8 core:8 pu:2", 8, 64, 512);
    check_even_machine("group:2 pack:2 l2:4 core:2 pu:2", 4, 16, 32);
}

struct pick {
    nq_status status;
    size_t count;
    int pu[16];
    struct failure failure;
};

static struct pick pick(const char *machine, const char *list) {
    hwloc_topology_t topology = synthetic_machine(machine);
    struct places allowed = list_places(topology, true), picked = {0};
    struct pick result = {0};
    result.status = nqi_places_pick(&allowed, list, &picked, &result.failure);
    result.count = picked.count;
    for (size_t i = 0; i < picked.count && i < 16; i++)
        result.pu[i] = picked.place[i].pu;
    if (result.status != NQ_OK)
        cr_expect_null(picked.place, "'%s'", list);
    nqi_places_free(&picked);
    nqi_places_free(&allowed);
    hwloc_topology_destroy(topology);
    return result;
}

static void expect_pick(const char *list, const int *expected) {
    struct pick picked = pick("pack:2 core:4 pu:2", list);
    cr_expect_eq(picked.status, NQ_OK, "'%s': %s", list, picked.failure.text);
    size_t i = 0;
    for (; expected[i] >= 0; i++)
        cr_expect_eq(picked.pu[i], expected[i], "'%s': place %zu", list, i);
    cr_expect_eq(picked.count, i, "'%s'", list);
}

Test(pick, keeps_the_order_of_the_list) {
    expect_pick("0", ORDER(0));
    expect_pick("15", ORDER(15));
    expect_pick("3,1,2", ORDER(3, 1, 2));
    expect_pick("0,2,4-7", ORDER(0, 2, 4, 5, 6, 7));
    expect_pick("5-5", ORDER(5));
    expect_pick("8-9,0-1", ORDER(8, 9, 0, 1));
    expect_pick("007,00", ORDER(7, 0));
    expect_pick("0-15", ORDER(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

Test(pick, knows_where_the_pus_are) {
    hwloc_topology_t topology = synthetic_machine("pack:2 l3:2 core:2 pu:2");
    struct places allowed = list_places(topology, true), picked;
    struct failure failure;
    cr_assert_eq(nqi_places_pick(&allowed, "13", &picked, &failure), NQ_OK);
    cr_expect(picked.place[0].core == 6 && picked.place[0].cache == 3 &&
              picked.place[0].package == 1);
    nqi_places_free(&picked);
    nqi_places_free(&allowed);
    hwloc_topology_destroy(topology);
}

static void expect_refusal(const char *list, nq_status status) {
    struct pick picked = pick("core:4 pu:1", list);
    cr_expect_eq(picked.status, status, "'%s': status %d, %s", list, (int)picked.status,
                 picked.failure.text);
    cr_expect_str_not_empty(picked.failure.text, "'%s'", list);
    cr_expect_lt(strlen(picked.failure.text), sizeof picked.failure.text);
}

Test(pick, refuses_what_is_no_list) {
    const char *const bad[] = {"",    ",",    "0,",    ",0",   "0,,1", "0-",   "-",    "-1",
                               "3-1", "0--1", "0-1-2", "0 ,1", " 0",   "0 ",   "0, 1", "a",
                               "0a",  "0x1",  "1e3",   "0;1",  "+1",   "0-+1", "1.0",  "0\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refusal(bad[i], NQ_BAD_OPTION);
}

Test(pick, refuses_numbers_beyond_any_machine) {
    expect_refusal("99999999999999999999", NQ_BAD_OPTION);
    expect_refusal("9223372036854775808", NQ_BAD_OPTION);
    expect_refusal("18446744073709551616", NQ_BAD_OPTION);
    expect_refusal("4294967296", NQ_BAD_OPTION); /* 0 if it were cut to 32 bits */
    expect_refusal("0-99999999999999999999", NQ_BAD_OPTION);
}

Test(pick, refuses_pus_named_twice) {
    expect_refusal("0,0", NQ_BAD_OPTION);
    expect_refusal("0-2,1", NQ_BAD_OPTION);
    expect_refusal("1,0-1", NQ_BAD_OPTION);
    expect_refusal("0,00", NQ_BAD_OPTION);
}

Test(pick, refuses_pus_that_do_not_exist) {
    expect_refusal("99", NQ_NO_PU);
    expect_refusal("4", NQ_NO_PU);
    expect_refusal("0,99", NQ_NO_PU);
    expect_refusal("0-4", NQ_NO_PU);
    expect_refusal("0-1000000", NQ_NO_PU);
}

Test(pick, refuses_pus_that_are_not_allowed) {
    hwloc_topology_t topology = machine_from_file("disallowed.xml");
    struct places allowed = list_places(topology, true), picked;
    struct failure failure = {0};
    cr_expect_eq(nqi_places_pick(&allowed, "1,2,3", &picked, &failure), NQ_NO_PU);
    cr_expect_not_null(strstr(failure.text, "PU 3"), "%s", failure.text);
    nqi_places_free(&allowed);
    hwloc_topology_destroy(topology);
}

Test(pick, cuts_the_detail_of_long_lists) {
    char list[5000];
    memset(list, '7', sizeof list);
    list[sizeof list - 1] = '\0';
    expect_refusal(list, NQ_BAD_OPTION);
    for (size_t i = 0; i + 1 < sizeof list; i += 2)
        list[i] = ',';
    list[sizeof list - 2] = '\0'; /* no comma at the end */
    expect_refusal(list + 1, NQ_NO_PU);
}
