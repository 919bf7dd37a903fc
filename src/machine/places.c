/* SPDX-License-Identifier: MIT */
/* Decides the order in which threads are placed on PUs.
 *
 * Threads on the same core, and to a lesser degree threads at the same cache, slow each other
 * down. So each PU gets keys that say how much it would share, and sorting by these keys puts
 * the PUs first that share least. */
#include "machine/places.h"
#include "core/text.h"

#include <stdlib.h>

/* A PU with its sort keys, the most significant first. */
struct candidate {
    unsigned sibling;  /* its number within its core */
    unsigned slowness; /* how many kinds of core are faster than its own */
    unsigned in_cache; /* cores of its kind, at its cache, that hwloc lists before its own */
    unsigned cache;    /* number of its last-level cache within the package */
    hwloc_obj_t last_level;
    nq_place place; /* its package and its PU are the last keys */
};

static int places_compare(const void *first, const void *second) {
    const struct candidate *a = first, *b = second;
#define COMPARE(member)                                                                        \
    if (a->member != b->member)                                                                \
    return a->member < b->member ? -1 : 1
    COMPARE(sibling);
    COMPARE(slowness);
    COMPARE(in_cache);
    COMPARE(cache);
    COMPARE(place.package);
    COMPARE(place.pu);
#undef COMPARE
    return 0;
}

/* Arguments of hwloc_cpukinds_get_info() for details that are not needed here: two in hwloc 2,
 * one in hwloc 3. */
#if HWLOC_API_VERSION >= 0x00030000
#define NO_INFOS NULL
#else
#define NO_INFOS NULL, NULL
#endif

/* Returns the number of kinds of core that are faster than that of the PU; 0 if hwloc cannot
 * rank them. What hwloc calls efficiency is 0 for the slowest kind. */
static unsigned places_slowness(hwloc_topology_t topology, hwloc_obj_t pu) {
    int kinds = 0, efficiency = -1;
#if HWLOC_API_VERSION >= 0x00020400 /* older versions do not know kinds of core */
    kinds = hwloc_cpukinds_get_nr(topology, 0);
    const int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
    if (kind >= 0)
        hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NO_INFOS, 0);
#else
    (void)topology, (void)pu;
#endif
    return efficiency >= 0 ? (unsigned)(kinds - 1 - efficiency) : 0;
}

/* Returns the highest-level cache of the object. If there is no cache, returns the object's
 * package; if there is no package, the machine. */
static hwloc_obj_t places_last_level_cache(hwloc_topology_t topology, hwloc_obj_t object) {
    hwloc_obj_t last = NULL;
    for (hwloc_obj_t up = object; up != NULL; up = up->parent)
        if (hwloc_obj_type_is_dcache(up->type))
            last = up;
    if (last == NULL)
        last = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
    return last != NULL ? last : hwloc_get_root_obj(topology);
}

/* Returns the number of the object, from 0, among the objects of its type in a set of PUs. */
static unsigned places_index(hwloc_topology_t topology, hwloc_const_bitmap_t set,
                             hwloc_obj_t object) {
    const int index = hwloc_get_obj_index_inside_cpuset(topology, set, object);
    return index > 0 ? (unsigned)index : 0;
}

static struct candidate places_describe(hwloc_topology_t topology, hwloc_obj_t pu) {
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    if (core == NULL)
        core = pu; /* some virtual machines show PUs without cores */
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu);
    hwloc_obj_t cache = places_last_level_cache(topology, core);
    return (struct candidate){
        .sibling = places_index(topology, core->cpuset, pu),
        .slowness = places_slowness(topology, pu),
        .cache = package != NULL ? places_index(topology, package->cpuset, cache) : 0,
        .last_level = cache,
        .place = {.pu = (int)pu->os_index,
                  .core = (int)core->logical_index,
                  .package = package != NULL ? (int)package->logical_index : 0}};
}

/* Numbers the last-level caches from 0, and the cores at each of them. Returns how many caches
 * there are. hwloc's own numbers do not serve, because they are unique only within a level, and
 * last-level caches may be of several levels. */
static int places_number_caches(struct candidate *candidate, size_t count) {
    int caches = 0;
    for (size_t i = 0; i < count; i++) {
        struct candidate *here = &candidate[i];
        here->place.cache = caches;
        for (const struct candidate *earlier = candidate; earlier < here; earlier++)
            if (earlier->last_level == here->last_level) {
                here->place.cache = earlier->place.cache;
                here->in_cache += earlier->sibling == 0 && earlier->slowness == here->slowness;
            }
        caches += here->place.cache == caches;
    }
    return caches;
}

bool nqi_places_list(hwloc_topology_t topology, struct places *out) {
    *out = (struct places){0};
    int depth = hwloc_get_type_depth(topology, HWLOC_OBJ_PU);
    size_t count = hwloc_get_nbobjs_by_depth(topology, depth);
    struct candidate *candidate = calloc(count + 1, sizeof *candidate);
    out->place = calloc(count + 1, sizeof *out->place);
    if (candidate == NULL || out->place == NULL) {
        free(candidate);
        nqi_places_free(out);
        return false;
    }
    for (unsigned i = 0; i < count; i++)
        candidate[i] = places_describe(topology, hwloc_get_obj_by_depth(topology, depth, i));
    out->caches = places_number_caches(candidate, count);
    qsort(candidate, count, sizeof *candidate, places_compare);
    for (size_t i = 0; i < count; i++) {
        out->place[out->count++] = candidate[i].place;
        out->cores += candidate[i].sibling == 0;
    }
    free(candidate);
    return true;
}

/* Appends the PU with this number. Returns NQ_OK; NQ_BAD_OPTION if it was appended before; or
 * NQ_NO_PU if it is not allowed. */
static nq_status places_pick(const struct places *allowed, int pu, struct places *out,
                             struct failure *failure) {
    for (size_t i = 0; i < out->count; i++)
        if (out->place[i].pu == pu)
            return nqi_fail(failure, NQ_BAD_OPTION, "bind list names PU %d twice", pu);
    for (size_t i = 0; i < allowed->count; i++)
        if (allowed->place[i].pu == pu) {
            out->place[out->count++] = allowed->place[i];
            return NQ_OK;
        }
    int lowest = allowed->place[0].pu, highest = lowest;
    for (size_t i = 1; i < allowed->count; i++) {
        int here = allowed->place[i].pu;
        lowest = here < lowest ? here : lowest;
        highest = here > highest ? here : highest;
    }
    return nqi_fail(failure, NQ_NO_PU,
                    "bind list names PU %d, which this process may not use: %zu PU%s "
                    "allowed, numbered %d to %d",
                    pu, allowed->count, allowed->count == 1 ? " is" : "s are", lowest, highest);
}

nq_status nqi_places_pick(const struct places *allowed, const char *list, struct places *out,
                          struct failure *failure) {
    *out = (struct places){0};
    out->place = calloc(allowed->count + 1, sizeof *out->place);
    if (out->place == NULL)
        return NQ_NO_MEMORY;
    nq_status status = NQ_OK;
    for (const char *rest = list; rest != NULL && status == NQ_OK;) {
        int first, last;
        if (!nqi_text_range(&rest, &first, &last))
            status = nqi_fail(
                failure, NQ_BAD_OPTION,
                "bind list '%.60s': expected PU numbers and ranges such as 0,2,4-7", list);
        for (int pu = first; status == NQ_OK && pu <= last; pu++)
            status = places_pick(allowed, pu, out, failure);
    }
    if (status != NQ_OK)
        nqi_places_free(out);
    return status;
}

void nqi_places_free(struct places *places) {
    free(places->place);
    *places = (struct places){0};
}
