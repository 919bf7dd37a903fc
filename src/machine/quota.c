/* SPDX-License-Identifier: MIT */
/* The limit of CPU time that cgroups set, which neither hwloc nor OpenMP sees. */
#include "machine/team.h"

#include <stdio.h>
#include <string.h>

/* A longer path is cut off, so its file is not found, which means no limit. */
enum { MAX_FOLDER = 8192, MAX_PATH = MAX_FOLDER + 32 };

/* Reads a file of one or two numbers, as far as it has them. */
static void quota_read(const char *folder, const char *name, double *first, double *second) {
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    if (fscanf(file, "%lf %lf", first, second) < 1)
        *first = 0;
    fclose(file);
}

/* Lowers *limit to the least limit of the group and of every group above it, up to the mount.
 * cgroup v2: cpu.max reads "max 100000" (no limit) or "150000 100000". v1: quota and period are
 * two files, and a quota of -1 means no limit. Both in microseconds. */
static void quota_lower(const char *mount, const char *group, bool v2, double *limit) {
    char folder[MAX_FOLDER], *slash;
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) < 0)
        return;
    do {
        double quota = 0, period = 0, none;
        if (v2)
            quota_read(folder, "cpu.max", &quota, &period);
        else {
            quota_read(folder, "cpu.cfs_quota_us", &quota, &none);
            quota_read(folder, "cpu.cfs_period_us", &period, &none);
        }
        if (quota > 0 && period > 0 && (*limit == 0 || quota / period < *limit))
            *limit = quota / period;
        slash = strrchr(folder, '/');
        *slash = '\0';
    } while ((size_t)(slash - folder) >= strlen(mount));
}

double nqi_cpu_quota(const char *root) {
    char path[MAX_PATH], line[MAX_PATH], list[MAX_PATH];
    double limit = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    /* A line is "number:controllers:group"; that of v2 is "0::group". */
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        *group++ = '\0';
        const bool v2 = controllers[1] == '\0';
        snprintf(list, sizeof list, ",%s,", controllers + 1);
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", root, v2 ? "" : "/cpu");
        if (v2 || strstr(list, ",cpu,") != NULL)
            quota_lower(path, group, v2, &limit);
    }
    fclose(file);
    return limit;
}
