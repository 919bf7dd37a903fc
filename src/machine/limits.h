/* The limit of the cgroup that neither hwloc nor OpenMP sees: CPU time. */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

/* Returns the number of CPUs whose time this process may use: the smallest quota of its cgroup
 * and the cgroups above it. 0: no limit, or none that can be read. root: "" for this machine;
 * in tests a folder that stands for /. */
double nqi_cpu_quota(const char *root);

#endif
