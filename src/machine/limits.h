/* What the cgroup allows, which neither hwloc nor OpenMP sees: CPU time and memory. */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

#include <stdint.h>

/* CPUs' worth of time that this process's cgroup and all above it allow; 0: no limit, or none
 * that can be read. root: "" on a real machine; a folder that stands for / otherwise. */
double nqi_cpu_quota(const char *root);

/* Bytes of memory that the machine has, or the cgroup and all above it allow, whichever is
 * less. root: as above, for the cgroup. */
uint64_t nqi_memory_allowed(const char *root);

#endif
