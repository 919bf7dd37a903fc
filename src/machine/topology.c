#include "machine/topology.h"

#include <omp.h>
#include <stdlib.h>

/* Returns whether the topology is of another machine. hwloc's variables name it, and
 * HWLOC_THISSYSTEM=1 says that it is of this machine after all. */
static bool described_elsewhere(void) {
    const char *here = getenv("HWLOC_THISSYSTEM");
    bool elsewhere = getenv("HWLOC_XMLFILE") != NULL || getenv("HWLOC_SYNTHETIC") != NULL;
    return elsewhere && (here == NULL || atoi(here) == 0);
}

/* Adds the PUs of all OpenMP places. Returns false if memory runs out. */
static bool add_omp_places(hwloc_bitmap_t pus) {
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

/* Restricts the topology to the PUs that the calling thread may use. hwloc can do that while
 * loading, but only if all threads of the process have the same mask: otherwise it gives up
 * without an error. Masks differ if another count is running or the caller binds threads. */
static bool restrict_to_allowed(hwloc_topology_t topology, bool omp_places) {
    hwloc_bitmap_t pus = hwloc_bitmap_alloc();
    if (pus == NULL)
        return false;
    bool known = omp_places ? add_omp_places(pus)
                            : hwloc_get_cpubind(topology, pus, HWLOC_CPUBIND_THREAD) == 0;
    /* If the system cannot tell the mask, nothing is restricted. */
    bool restricted =
        !known || hwloc_bitmap_iszero(pus) || hwloc_topology_restrict(topology, pus, 0) == 0;
    hwloc_bitmap_free(pus);
    return restricted;
}

/* Without what nobody asks for, and without a visit to each PU, which asks it for its caches
 * when the system has told them. */
#if HWLOC_API_VERSION >= 0x00020800
static const unsigned long unused_parts = HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
                                          HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                          HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS;
#else
static const unsigned long unused_parts = 0;
#endif

hwloc_topology_t nqi_topology_load(bool omp_places) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    const bool here = !described_elsewhere();
    const unsigned long flags = (here ? HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM : 0) | unused_parts;
    if (hwloc_topology_set_flags(topology, flags) != 0 || hwloc_topology_load(topology) != 0 ||
        (here && !restrict_to_allowed(topology, omp_places))) {
        hwloc_topology_destroy(topology);
        return NULL;
    }
    return topology;
}

bool nqi_topology_can_bind(hwloc_topology_t topology) {
    return hwloc_topology_is_thissystem(topology) != 0 && !described_elsewhere() &&
           hwloc_topology_get_support(topology)->cpubind->set_thisthread_cpubind != 0;
}
