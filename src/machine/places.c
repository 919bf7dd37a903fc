/* The order in which threads are placed on PUs. */
#include "machine/team.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A PU with its sort keys, the most significant first. */
struct candidate {
    unsigned sibling;  /* number within its core */
    unsigned slowness; /* of its kind of core; 0: the fastest kind */
    unsigned in_cache; /* number of its core among the cores of this kind at its cache */
    unsigned cache;    /* number of its last-level cache within the package */
    hwloc_obj_t last_level;
    nq_place place; /* last keys: package, pu */
};

static int by_keys(const void *first, const void *second) {
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

/* Returns the number of kinds of core that are faster than the PU's; 0 if hwloc cannot rank
 * them. hwloc's efficiency is 0 for the slowest kind. */
static unsigned slowness_of(hwloc_topology_t topology, hwloc_obj_t pu) {
#if HWLOC_API_VERSION >= 0x00020400
    int kinds = hwloc_cpukinds_get_nr(topology, 0);
    int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
    int efficiency = -1;
    if (kinds > 0 && kind >= 0 &&
        hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0) ==
            0 &&
        efficiency >= 0)
        return (unsigned)(kinds - 1 - efficiency);
#else
    (void)topology, (void)pu;
#endif
    return 0;
}

/* Returns the highest-level cache above the object, else its package, else the machine. */
static hwloc_obj_t last_level_cache(hwloc_topology_t topology, hwloc_obj_t object) {
    hwloc_obj_t last = NULL;
    for (hwloc_obj_t up = object; up != NULL; up = up->parent)
        if (hwloc_obj_type_is_dcache(up->type))
            last = up;
    if (last == NULL)
        last = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
    return last != NULL ? last : hwloc_get_root_obj(topology);
}

static struct candidate candidate_of(hwloc_topology_t topology, hwloc_obj_t pu) {
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    if (core == NULL)
        core = pu; /* some virtual machines show no cores */
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu);
    return (struct candidate){
        .slowness = slowness_of(topology, pu),
        .last_level = last_level_cache(topology, core),
        .place = {.pu = (int)pu->os_index,
                  .core = (int)core->logical_index,
                  .package = package != NULL ? (int)package->logical_index : 0}};
}

/* Numbers the last-level caches from 0. hwloc's numbers are unique only within a level, and
 * last-level caches may be of several levels. */
static void number_caches(struct candidate *candidate, size_t count) {
    int caches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (candidate[same].last_level != candidate[i].last_level)
            same++;
        candidate[i].place.cache = same < i ? candidate[same].place.cache : caches++;
    }
}

/* Sets the sort keys. The candidates come in hwloc's order, in which the PUs of a core, the
 * cores of a cache and the caches of a package are adjacent: a change from one to the next is
 * all that has to be counted. */
static void set_keys(struct candidate *candidate, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct candidate *c = &candidate[i];
        int cache_before = -1, core_before = -1;
        for (size_t j = 0; j < i; j++) {
            const struct candidate *d = &candidate[j];
            if (d->place.core == c->place.core)
                c->sibling++;
            if (d->place.package != c->place.package)
                continue;
            if (d->place.cache != c->place.cache) {
                c->cache += d->place.cache != cache_before;
                cache_before = d->place.cache;
            } else if (d->place.core != c->place.core && d->slowness == c->slowness) {
                c->in_cache += d->place.core != core_before;
                core_before = d->place.core;
            }
        }
    }
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
        candidate[i] = candidate_of(topology, hwloc_get_obj_by_depth(topology, depth, i));
    number_caches(candidate, count);
    set_keys(candidate, count);
    qsort(candidate, count, sizeof *candidate, by_keys);
    for (size_t i = 0; i < count; i++) {
        out->place[out->count++] = candidate[i].place;
        out->cores += candidate[i].sibling == 0;
    }
    free(candidate);
    return true;
}

/* Reads a number, 0..1000000, and moves *text past it. Returns false if there is none. */
static bool read_number(const char **text, long *number) {
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    *number = strtol(*text, &end, 10);
    *text = end;
    return errno == 0 && *number <= 1000000;
}

/* Reads an item of a list, "4" or "4-7", and moves *text past it and the comma that follows.
 * *more: there was a comma. Returns false if the text does not begin with such an item. */
static bool read_range(const char **text, long *first, long *last, bool *more) {
    if (!read_number(text, first))
        return false;
    *last = *first;
    if (**text == '-') {
        ++*text;
        if (!read_number(text, last) || *last < *first)
            return false;
    }
    *more = **text == ',';
    if (*more)
        ++*text;
    return *more || **text == '\0';
}

static bool is_list(const char *text) {
    long first, last;
    bool more = true, good = true;
    while (good && more)
        good = read_range(&text, &first, &last, &more);
    return good;
}

/* Appends the PU with this number. NQ_BAD_OPTION: listed before; NQ_NO_PU: not allowed. */
static nq_status pick(const struct places *allowed, long pu, struct places *out,
                      struct failure *failure) {
    for (size_t i = 0; i < out->count; i++)
        if (out->place[i].pu == pu)
            return nqi_fail(failure, NQ_BAD_OPTION, "bind list names PU %ld twice", pu);
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
                    "bind list names PU %ld, which this process may not use: %zu PU%s "
                    "allowed, numbered %d to %d",
                    pu, allowed->count, allowed->count == 1 ? " is" : "s are", lowest, highest);
}

nq_status nqi_places_pick(const struct places *allowed, const char *list, struct places *out,
                          struct failure *failure) {
    *out = (struct places){0};
    if (!is_list(list))
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "bind list '%.60s': expected PU numbers and ranges such as 0,2,4-7",
                        list);
    out->place = calloc(allowed->count + 1, sizeof *out->place);
    if (out->place == NULL)
        return NQ_NO_MEMORY;
    nq_status status = NQ_OK;
    for (bool more = true; more && status == NQ_OK;) {
        long first = 0, last = 0;
        read_range(&list, &first, &last, &more);
        for (long pu = first; status == NQ_OK && pu <= last; pu++)
            status = pick(allowed, pu, out, failure);
    }
    if (status != NQ_OK)
        nqi_places_free(out);
    return status;
}

void nqi_places_free(struct places *places) {
    free(places->place);
    *places = (struct places){0};
}
