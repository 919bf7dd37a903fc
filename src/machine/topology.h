/* What this process may use of the machine, as hwloc sees it. */
#ifndef MACHINE_TOPOLOGY_H
#define MACHINE_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>

/* Loads the topology of this machine, restricted to what the calling thread's CPU mask and the
 * cgroup allow, or the topology that HWLOC_XMLFILE or HWLOC_SYNTHETIC names.
 *
 * omp_places: OpenMP places the threads and may have bound the calling thread already, so the
 * PUs of all OpenMP places are taken in place of the thread's mask. Returns NULL if hwloc
 * fails. Release with hwloc_topology_destroy. */
hwloc_topology_t nqi_topology_load(bool omp_places);

/* Returns whether threads can be bound. False for a topology of another machine: hwloc's calls
 * would succeed there and do nothing. */
bool nqi_topology_can_bind(hwloc_topology_t topology);

#endif
