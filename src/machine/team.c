/* SPDX-License-Identifier: MIT */
/* Decides how many threads a count has, and on which PUs they run.
 *
 * hwloc loads the machine's topology. It is restricted to the PUs that the system and OpenMP's
 * variables allow, since a launcher or an administrator may have reserved the others. Places
 * for the threads are then chosen on it. A lock lets a process fork during a count. */
#include "machine/team.h"

#include "machine/limits.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the PUs of all OpenMP places to a set. Returns false if memory runs out. */
static bool topology_add_omp_places(hwloc_bitmap_t pus) {
    for (int place = 0; place < omp_get_num_places(); place++) {
        int count = omp_get_place_num_procs(place);
        int *ids = malloc(((size_t)count + 1) * sizeof *ids);
        if (ids == NULL)
            return false;
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++)
            hwloc_bitmap_set(pus, (unsigned)ids[i]);
        free(ids);
    }
    return true;
}

/* Restricts the topology to the PUs that the calling thread may use. hwloc can do that while it
 * loads the topology. But it gives up without an error if threads of the process have different
 * masks, for example because another count is running, or because the caller binds threads. */
static bool topology_restrict(hwloc_topology_t topology, bool omp_places) {
    hwloc_bitmap_t pus = hwloc_bitmap_alloc();
    if (pus == NULL)
        return false;
    bool known = omp_places ? topology_add_omp_places(pus)
                            : hwloc_get_cpubind(topology, pus, HWLOC_CPUBIND_THREAD) == 0;
    /* If the system cannot tell the mask, all PUs stay. */
    bool restricted =
        !known || hwloc_bitmap_iszero(pus) || hwloc_topology_restrict(topology, pus, 0) == 0;
    hwloc_bitmap_free(pus);
    return restricted;
}

/* Flags that make loading faster. Distances and memory attributes are not needed; and since the
 * system reports the caches, hwloc need not bind itself to each PU to read them. */
#if HWLOC_API_VERSION >= 0x00020800
static const unsigned long unused_parts = HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
                                          HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                          HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS;
#else
static const unsigned long unused_parts = 0;
#endif

static bool team_is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

/* This lock is held whenever hwloc may hold a lock of its own, and a fork waits for this lock.
 * If a process forked while hwloc's lock is held, that lock would stay locked in the child. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;

static void forking_lock(void) {
    pthread_mutex_lock(&forking);
}

static void forking_unlock(void) {
    pthread_mutex_unlock(&forking);
}

__attribute__((constructor)) static void forking_start(void) {
    (void)pthread_atfork(forking_lock, forking_unlock, forking_unlock);
}

/* Makes a topology that is still to be loaded. Returns 0 if that succeeds.
 *
 * hwloc keeps its plugins loaded while there is a topology, so one topology, the anchor, stays.
 * Otherwise each count would load and unload the plugins. With older versions of glibc, that
 * could block for ever: their dlclose() waits for a fork, which waits for the lock here. */
static int topology_open(hwloc_topology_t *topology) {
    static hwloc_topology_t anchor;
    forking_lock();
    int result = anchor != NULL ? 0 : hwloc_topology_init(&anchor);
    if (result == 0)
        result = hwloc_topology_init(topology);
    forking_unlock();
    return result;
}

/* Loads the topology of this machine, restricted to the PUs that the calling thread's CPU mask
 * and the cgroup allow; or the topology that HWLOC_SYNTHETIC or HWLOC_XMLFILE describes. If
 * both are set, the former is used, as hwloc does. A description that hwloc would ignore
 * because it cannot read it is an error here.
 *
 * omp_places: OpenMP places the threads. It may have bound the calling thread already, so the
 * PUs of all OpenMP places are used in place of that thread's mask. */
static nq_status topology_load(bool omp_places, hwloc_topology_t *topology,
                               struct failure *failure) {
    const char *variable = team_is_set("HWLOC_SYNTHETIC") ? "HWLOC_SYNTHETIC"
                           : team_is_set("HWLOC_XMLFILE") ? "HWLOC_XMLFILE"
                                                          : NULL;
    const char *described = variable != NULL ? getenv(variable) : NULL;
    if (topology_open(topology) != 0)
        return NQ_NO_TOPOLOGY;
    int result = 0;
    if (variable != NULL)
        result = strcmp(variable, "HWLOC_SYNTHETIC") == 0
                     ? hwloc_topology_set_synthetic(*topology, described)
                     : hwloc_topology_set_xml(*topology, described);
    if (result == 0 && hwloc_topology_set_flags(*topology, unused_parts) == 0 &&
        hwloc_topology_load(*topology) == 0 &&
        (!hwloc_topology_is_thissystem(*topology) || topology_restrict(*topology, omp_places)))
        return NQ_OK;
    return variable == NULL ? NQ_NO_TOPOLOGY
                            : nqi_fail(failure, NQ_BAD_OPTION,
                                       "%s '%.100s': hwloc cannot read a topology from it",
                                       variable, described);
}

/* Returns the number of threads to start if the caller has not given one. */
static int team_default_threads(const struct team *team, size_t place_count) {
    const int pus = hwloc_get_nbobjs_by_type(team->topology, HWLOC_OBJ_PU);
    const bool number_given = team_is_set("OMP_NUM_THREADS");
    size_t threads =
        number_given || team->omp_places ? (size_t)omp_get_max_threads() : place_count;
    /* OpenMP's number may include CPUs that are in none of its places. */
    if (!number_given && pus > 0 && threads > (size_t)pus)
        threads = (size_t)pus;
    if (!number_given && team->quota > 0 && (double)threads > team->quota)
        threads = team->quota < 1 ? 1 : (size_t)team->quota;
    return threads < NQ_MAX_THREADS ? (int)threads : NQ_MAX_THREADS;
}

/* Chooses the places of the threads, and their number. All allowed PUs are places, even if the
 * default is one thread for each core: threads beyond that go to the cores' other PUs. */
static nq_status team_choose_places(const nq_options *options, struct team *team,
                                    struct failure *failure) {
    if (!nqi_places_list(team->topology, &team->allowed))
        return NQ_NO_MEMORY;
    nq_status status = NQ_OK;
    size_t place_count = options->smt ? team->allowed.count : (size_t)team->allowed.cores;
    team->pus = (int)team->allowed.count;
    if (options->bind == NQ_BIND_LIST) {
        status = nqi_places_pick(&team->allowed, options->bind_list, &team->places, failure);
        place_count = team->places.count;
        team->pus = (int)place_count;
    } else if (options->bind == NQ_BIND_AUTO && !team->omp_places) {
        team->places = team->allowed;
    }
    if (status == NQ_OK)
        team->threads = options->threads != 0
                            ? options->threads
                            : team_default_threads(team, place_count > 0 ? place_count : 1);
    return status;
}

nq_status nqi_team_form(const nq_options *options, struct team *team, struct failure *failure) {
    *team = (struct team){0};
    if (options->threads < 0 || options->threads > NQ_MAX_THREADS)
        return nqi_fail(failure, NQ_BAD_OPTION, "%d threads: expected 1 to %d",
                        options->threads, NQ_MAX_THREADS);
    if (options->bind != NQ_BIND_AUTO && options->bind != NQ_BIND_NONE &&
        options->bind != NQ_BIND_LIST) {
        return nqi_fail(failure, NQ_BAD_OPTION, "bind %d: expected %d to %d",
                        (int)options->bind, NQ_BIND_AUTO, NQ_BIND_LIST);
    }
    if (options->bind == NQ_BIND_LIST && options->bind_list == NULL)
        return nqi_fail(failure, NQ_BAD_OPTION, "bind is NQ_BIND_LIST, but bind_list is NULL");
    /* The variable is read here, because OpenMP's functions return only its lowest 32 bits. */
    const char *asked = getenv("OMP_NUM_THREADS");
    if (options->threads == 0 && asked != NULL && strtoull(asked, NULL, 10) > NQ_MAX_THREADS)
        return nqi_fail(failure, NQ_BAD_OPTION, "OMP_NUM_THREADS '%.40s': expected 1 to %d",
                        asked, NQ_MAX_THREADS);
    bool omp_places = team_is_set("OMP_PROC_BIND") || team_is_set("OMP_PLACES") ||
                      team_is_set("GOMP_CPU_AFFINITY");
    team->omp_places = omp_places && options->bind == NQ_BIND_AUTO;
    nq_status status = topology_load(omp_places, &team->topology, failure);
    team->quota = nqi_cpu_quota("");
    if (status == NQ_OK)
        status = team_choose_places(options, team, failure);
    if (status != NQ_OK)
        nqi_team_free(team);
    return status;
}

void nqi_team_for_devices(struct team *team, int threads) {
    if (threads == 0)
        return;
    if (team->places.place != team->allowed.place)
        nqi_places_free(&team->places);
    team->places = (struct places){0};
    team->threads = team->pus = threads;
    team->quota = 0;
}

void nqi_team_free(struct team *team) {
    if (team->places.place != team->allowed.place)
        nqi_places_free(&team->places);
    nqi_places_free(&team->allowed);
    if (team->topology != NULL) {
        forking_lock();
        hwloc_topology_destroy(team->topology);
        forking_unlock();
    }
    *team = (struct team){0};
}

hwloc_bitmap_t nqi_team_bind(const struct team *team, int thread) {
    /* With a topology of another machine, hwloc's calls would do nothing and report success. */
    if (team->places.count == 0 || !hwloc_topology_is_thissystem(team->topology))
        return NULL;
    const nq_place *place = &team->places.place[(size_t)thread % team->places.count];
    hwloc_bitmap_t before = hwloc_bitmap_alloc(), mask = hwloc_bitmap_alloc();
    bool bound = before != NULL && mask != NULL &&
                 hwloc_get_cpubind(team->topology, before, HWLOC_CPUBIND_THREAD) == 0 &&
                 hwloc_bitmap_only(mask, (unsigned)place->pu) == 0 &&
                 hwloc_set_cpubind(team->topology, mask, HWLOC_CPUBIND_THREAD) == 0;
    hwloc_bitmap_free(mask);
    if (bound)
        return before;
    hwloc_bitmap_free(before);
    return NULL;
}

void nqi_team_unbind(const struct team *team, hwloc_bitmap_t before) {
    if (before == NULL)
        return;
    /* If the system refuses the mask that the thread had before, nothing can be done. */
    (void)hwloc_set_cpubind(team->topology, before, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(before);
}
