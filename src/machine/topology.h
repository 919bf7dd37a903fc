/* The machine as this process may use it, through hwloc. */
#ifndef MACHINE_TOPOLOGY_H
#define MACHINE_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>

/* Loads the topology of this machine, or the one that HWLOC_XMLFILE or HWLOC_SYNTHETIC name,
 * restricted to what the calling thread's CPU binding and the cgroup allow. omp_places: OpenMP
 * places the threads and may have bound the calling one already; then what all its places hold
 * is taken for the process's binding. NULL: hwloc failed. Release with hwloc_topology_destroy.
 */
hwloc_topology_t nqi_topology_load(bool omp_places);

/* Whether binding really binds: false for a topology that describes another machine, where
 * hwloc's calls succeed and do nothing. */
bool nqi_topology_can_bind(hwloc_topology_t topology);

#endif
