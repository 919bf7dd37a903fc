/* SPDX-License-Identifier: MIT */
/* Finds how much CPU time and memory this process may use. Control groups limit them in
 * containers and in jobs of batch systems. */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

/* Returns the CPU quota of this process, in CPUs, because neither hwloc nor OpenMP reads it. It
 * is the smallest quota of the process's cgroup and of the cgroups above. Returns 0 if there is
 * none, or if it cannot be read. root: "" for this machine; in tests, a folder that is used in
 * place of /. */
double nqi_cpu_quota(const char *root);

/* Returns the bytes of memory that this process may use: the smallest limit of its cgroup and
 * of the cgroups above, or the machine's memory if that is less. root: as above. */
double nqi_memory_limit(const char *root);

#endif
