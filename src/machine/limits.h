/* SPDX-License-Identifier: MIT */
/* What control groups allow this process: CPUs and memory. */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

/* Returns the CPU quota of this process, in CPUs: the smallest one of its cgroup and of the
 * cgroups above. 0: there is none, or it cannot be read. Neither hwloc nor OpenMP reads it.
 * root: "" for this machine; in tests a folder that stands for /. */
double nqi_cpu_quota(const char *root);

/* Returns the bytes of memory that this process may use, likewise; those of the machine, if no
 * cgroup allows fewer. */
double nqi_memory_limit(const char *root);

#endif
