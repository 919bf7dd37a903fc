/* SPDX-License-Identifier: MIT */
/* The limit of CPU time that cgroups set, which neither hwloc nor OpenMP sees. */
#include "machine/team.h"

#include <stdio.h>
#include <string.h>

/* Sizes of a cgroup's path and of the path of a file in it. A longer path is cut off, so its
 * file is not found, which means no limit. */
enum { MAX_FOLDER = 4096, MAX_FILE = MAX_FOLDER + 64 };

/* Reads a file of one or two numbers, as far as it has them. */
static void quota_read(const char *folder, const char *name, double *first, double *second) {
    char path[MAX_FILE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    if (fscanf(file, "%lf %lf", first, second) < 1)
        *first = 0;
    fclose(file);
}

/* Lowers *limit to that of a group if that is less. 0: no limit. cgroup v2: cpu.max reads "max
 * 100000" (no limit) or "150000 100000". v1: quota and period are two files, and a quota of -1
 * means no limit. Both in microseconds. */
static void quota_lower(const char *folder, bool v2, double *limit) {
    double quota = 0, period = 0, none;
    if (v2)
        quota_read(folder, "cpu.max", &quota, &period);
    else {
        quota_read(folder, "cpu.cfs_quota_us", &quota, &none);
        quota_read(folder, "cpu.cfs_period_us", &period, &none);
    }
    if (quota > 0 && period > 0 && (*limit == 0 || quota / period < *limit))
        *limit = quota / period;
}

/* Reads the limits of the group and of every group above it, up to the mount. */
static void quota_read_upwards(const char *mount, const char *group, bool v2, double *limit) {
    char folder[MAX_FOLDER];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return;
    for (;;) {
        quota_lower(folder, v2, limit);
        char *slash = strrchr(folder, '/');
        if (slash == NULL || (size_t)(slash - folder) < strlen(mount))
            break;
        *slash = '\0';
    }
}

/* Returns whether "cpu" is in the comma-separated list of cgroup v1 controllers. */
static bool quota_has_cpu(const char *controllers) {
    for (;; controllers++) {
        const size_t length = strcspn(controllers, ",");
        if (length == 3 && memcmp(controllers, "cpu", 3) == 0)
            return true;
        controllers += length;
        if (*controllers == '\0')
            return false;
    }
}

double nqi_cpu_quota(const char *root) {
    char path[MAX_FILE], line[MAX_FOLDER], mount[MAX_FILE];
    double limit = 0;
    if (strlen(root) >= MAX_FOLDER)
        return 0;
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
        *controllers++ = '\0';
        *group++ = '\0';
        if (strcmp(group, "/") == 0)
            *group = '\0';
        const bool v2 = *controllers == '\0';
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root, v2 ? "" : "/cpu");
        if (v2 || quota_has_cpu(controllers))
            quota_read_upwards(mount, group, v2, &limit);
    }
    fclose(file);
    return limit;
}
