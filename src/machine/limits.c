/* SPDX-License-Identifier: MIT */
/* Reads the limits of control groups, versions 1 and 2, from the files of /sys/fs/cgroup.
 *
 * In a container, Linux still shows all CPUs and all memory of the machine. A process that
 * starts a thread for each CPU is then slowed down, and one that uses all memory is killed. */
#include "machine/limits.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A longer path is cut off. Its file is then not found, which counts as no limit. */
enum { MAX_FOLDER = 4096, MAX_PATH = MAX_FOLDER + 32 };

/* The files of a group that hold a limit. v2: the file of cgroup v2; if the limit is for a
 * period, this file also has the period. v1, period: the two files of cgroup v1, with the limit
 * and with the period. period: NULL if the limit is not for a period. Limit and period are in
 * the same unit. */
struct limit_files {
    const char *controller, *v2, *v1, *period;
};

/* Returns the first or the second number in a file; 0 if there is none. */
static double limit_read(const char *folder, const char *name, bool second) {
    char path[MAX_PATH];
    double number = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, second ? "%*f %lf" : "%lf", &number) != 1)
        number = 0;
    fclose(file);
    return number;
}

/* Lowers *limit to the least limit of the group and of every group above it, up to the mount.
 * *limit is 0 while there is no limit.
 *
 * In cgroup v2, cpu.max reads "150000 100000" for 1.5 CPUs, or "max 100000" for no limit. In
 * v1, a quota of -1 means no limit. */
static void limit_lower(const struct limit_files *files, const char *mount, const char *group,
                        bool v2, double *limit) {
    char folder[MAX_FOLDER], *slash;
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) < 0)
        return;
    do {
        const double quota = limit_read(folder, v2 ? files->v2 : files->v1, false),
                     period = files->period == NULL
                                  ? 1
                                  : limit_read(folder, v2 ? files->v2 : files->period, v2);
        if (quota > 0 && period > 0 && (*limit == 0 || quota / period < *limit))
            *limit = quota / period;
        slash = strrchr(folder, '/');
        *slash = '\0';
    } while ((size_t)(slash - folder) >= strlen(mount));
}

/* Returns the least limit for this process; 0 if there is none. root: as in limits.h. */
static double limit_of(const struct limit_files *files, const char *root) {
    char path[MAX_PATH], line[MAX_PATH], list[MAX_PATH], name[16];
    double limit = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    /* Each line is "number:controllers:group"; the line of v2 is "0::group". */
    while (fgets(line, sizeof line, file) != NULL) {
        char *group = line;
        line[strcspn(line, "\n")] = '\0';
        strsep(&group, ":");
        const char *controllers = strsep(&group, ":");
        if (group == NULL)
            continue;
        const bool v2 = *controllers == '\0';
        snprintf(list, sizeof list, ",%s,", controllers);
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s", root, v2 ? "" : "/",
                 v2 ? "" : files->controller);
        snprintf(name, sizeof name, ",%s,", files->controller);
        if (v2 || strstr(list, name) != NULL)
            limit_lower(files, path, group, v2, &limit);
    }
    fclose(file);
    return limit;
}

double nqi_cpu_quota(const char *root) {
    static const struct limit_files cpu = {"cpu", "cpu.max", "cpu.cfs_quota_us",
                                           "cpu.cfs_period_us"};
    return limit_of(&cpu, root);
}

double nqi_memory_limit(const char *root) {
    static const struct limit_files memory = {"memory", "memory.max", "memory.limit_in_bytes",
                                              NULL};
    const double limit = limit_of(&memory, root),
                 all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return limit > 0 && limit < all ? limit : all;
}
