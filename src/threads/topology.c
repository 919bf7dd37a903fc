#include "threads/topology.h"

#include <stdlib.h>

/* A topology read from elsewhere describes another machine, unless the user says that it does
 * describe this one (the variables are hwloc's own). */
static bool described_elsewhere(void) {
    const char *here = getenv("HWLOC_THISSYSTEM");
    bool elsewhere = getenv("HWLOC_XMLFILE") != NULL || getenv("HWLOC_SYNTHETIC") != NULL;
    return elsewhere && (here == NULL || atoi(here) == 0);
}

hwloc_topology_t topology_load(void) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    unsigned long flags = 0;
#if HWLOC_API_VERSION >= 0x00020500
    /* Without this, a process under taskset or numactl is told of every CPU of the machine. */
    if (!described_elsewhere())
        flags = HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING;
#endif
    if (hwloc_topology_set_flags(topology, flags) != 0 || hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        return NULL;
    }
    return topology;
}

bool topology_can_bind(hwloc_topology_t topology) {
    return hwloc_topology_is_thissystem(topology) != 0 && !described_elsewhere() &&
           hwloc_topology_get_support(topology)->cpubind->set_thisthread_cpubind != 0;
}
