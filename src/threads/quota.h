/* The CPU quota of the cgroup, which neither hwloc nor OpenMP sees. */
#ifndef THREADS_QUOTA_H
#define THREADS_QUOTA_H

/* CPUs' worth of time that this process's cgroup and all above it allow; 0: no limit, or none
 * that can be read. root: "" on a real machine; a folder that stands for / otherwise. */
double cpu_quota(const char *root);

#endif
