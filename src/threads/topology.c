#include "threads/topology.h"

#include <omp.h>
#include <stdlib.h>

/* A topology read from elsewhere describes another machine, unless the user says that it does
 * describe this one (the variables are hwloc's own). */
static bool described_elsewhere(void) {
    const char *here = getenv("HWLOC_THISSYSTEM");
    bool elsewhere = getenv("HWLOC_XMLFILE") != NULL || getenv("HWLOC_SYNTHETIC") != NULL;
    return elsewhere && (here == NULL || atoi(here) == 0);
}

/* Restricts the topology to the PUs of OpenMP's places. */
static void restrict_to_places(hwloc_topology_t topology) {
    hwloc_bitmap_t pus = hwloc_bitmap_alloc();
    for (int place = 0; pus != NULL && place < omp_get_num_places(); place++) {
        int count = omp_get_place_num_procs(place);
        int *ids = malloc(((size_t)count + 1) * sizeof *ids);
        if (ids == NULL)
            continue;
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++)
            hwloc_bitmap_set(pus, (unsigned)ids[i]);
        free(ids);
    }
    /* No places, or none that hwloc knows: the topology is left as it is. */
    if (pus != NULL && !hwloc_bitmap_iszero(pus))
        (void)hwloc_topology_restrict(topology, pus, 0);
    hwloc_bitmap_free(pus);
}

hwloc_topology_t topology_load(bool omp_places) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    unsigned long flags = 0;
#if HWLOC_API_VERSION >= 0x00020500
    /* Without this, a process under taskset or numactl is told of every CPU of the machine. */
    if (!described_elsewhere() && !omp_places)
        flags = HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING;
#endif
    if (hwloc_topology_set_flags(topology, flags) != 0 || hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        return NULL;
    }
    if (omp_places && !described_elsewhere())
        restrict_to_places(topology);
    return topology;
}

bool topology_can_bind(hwloc_topology_t topology) {
    return hwloc_topology_is_thissystem(topology) != 0 && !described_elsewhere() &&
           hwloc_topology_get_support(topology)->cpubind->set_thisthread_cpubind != 0;
}
