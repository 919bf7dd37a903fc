/* SPDX-License-Identifier: MIT */
/* Made-up machines: topologies that describe another machine than this one. */
#ifndef UNIT_MACHINES_H
#define UNIT_MACHINES_H

#include <criterion/criterion.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The user's settings must not decide what is tested. */
static inline void forget_settings(void) {
    const char *const names[] = {"OMP_PROC_BIND",   "OMP_PLACES",      "GOMP_CPU_AFFINITY",
                                 "OMP_NUM_THREADS", "HWLOC_SYNTHETIC", "HWLOC_XMLFILE",
                                 "HWLOC_THISSYSTEM"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

/* From hwloc's notation, such as "pack:2 core:4 pu:2", or from a file of the folder
 * topologies/; without the PUs that are not among these: as if they were offline or not
 * allowed. Release with hwloc_topology_destroy. */
#define ALL_PUS ~0UL
static inline hwloc_topology_t made_up_machine(const char *machine, unsigned long pus) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TOPOLOGIES, machine);
    hwloc_topology_t topology;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_from_ulong(set, pus);
    cr_assert_eq(hwloc_topology_init(&topology), 0);
    cr_assert_eq(strstr(machine, ".xml") != NULL
                     ? hwloc_topology_set_xml(topology, path)
                     : hwloc_topology_set_synthetic(topology, machine),
                 0, "%s", machine);
    cr_assert_eq(hwloc_topology_load(topology), 0, "%s", machine);
    cr_assert_eq(hwloc_topology_restrict(topology, set, 0), 0, "%s", machine);
    hwloc_bitmap_free(set);
    return topology;
}

#endif
