/* Limits of the cgroup that neither hwloc nor OpenMP sees: CPU time and memory. */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

#include <stdint.h>

/* Returns the number of CPUs whose time this process may use: the smallest quota of its cgroup
 * and the cgroups above it. 0: no limit, or none that can be read. root: "" for this machine;
 * in tests a folder that stands for /. */
double nqi_cpu_quota(const char *root);

/* Returns the bytes of memory that this process may use: the machine's memory, or the smallest
 * limit of its cgroup and the cgroups above it, if that is less. root: as above. */
uint64_t nqi_memory_allowed(const char *root);

/* Returns what a count takes of that by default: seven eighths, divided by the number of
 * processes that count on this machine. */
uint64_t nqi_memory_share(const char *root, unsigned processes);

#endif
