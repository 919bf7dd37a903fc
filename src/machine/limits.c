/* The limit of CPU time that cgroups set, which neither hwloc nor OpenMP sees. */
#include "machine/team.h"

#include <stdio.h>
#include <string.h>

/* Sizes of a cgroup's path and of the path of a file in it. A longer path is cut off, so its
 * file is not found, which means no limit. */
enum { FOLDER = 4096, FILE_NAME = FOLDER + 64 };

/* Lowers *limit to quota / period if that is less. 0: no limit. Both in microseconds. */
static void lower_cpu_limit(double *limit, double quota, double period) {
    if (quota > 0 && period > 0 && (*limit == 0 || quota / period < *limit))
        *limit = quota / period;
}

/* cgroup v2: cpu.max reads "max 100000" (no limit) or "150000 100000". */
static void read_cpu_v2(const char *folder, double *limit) {
    char path[FILE_NAME];
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    if (fscanf(file, "%lf %lf", &quota, &period) == 2)
        lower_cpu_limit(limit, quota, period);
    fclose(file);
}

static double read_number(const char *folder, const char *name) {
    char path[FILE_NAME];
    double number = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lf", &number) != 1)
        number = 0;
    fclose(file);
    return number;
}

/* cgroup v1: quota and period are two files; a quota of -1 means no limit. */
static void read_cpu_v1(const char *folder, double *limit) {
    lower_cpu_limit(limit, read_number(folder, "cpu.cfs_quota_us"),
                    read_number(folder, "cpu.cfs_period_us"));
}

typedef void read_limit(const char *folder, double *limit);

/* Reads the limits of the group and of every group above it, up to the mount. */
static void read_upwards(const char *mount, const char *group, read_limit *read,
                         double *limit) {
    char folder[FOLDER];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return;
    for (;;) {
        read(folder, limit);
        char *slash = strrchr(folder, '/');
        if (slash == NULL || (size_t)(slash - folder) < strlen(mount))
            break;
        *slash = '\0';
    }
}

/* Returns whether the name is in the comma-separated list of cgroup v1 controllers. */
static int has_controller(const char *controllers, const char *name) {
    size_t length = strlen(name);
    for (const char *at = controllers; (at = strstr(at, name)) != NULL; at += length)
        if ((at == controllers || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return 1;
    return 0;
}

/* Returns the smallest limit of the process's groups; 0: none. controller: for cgroup v1. */
static double smallest_limit(const char *root, const char *controller, read_limit *v1,
                             read_limit *v2) {
    if (strlen(root) >= FOLDER)
        return 0;
    char path[FILE_NAME], line[FOLDER], mount[FILE_NAME];
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
        *controllers++ = '\0';
        *group++ = '\0';
        if (strcmp(group, "/") == 0)
            *group = '\0';
        if (*controllers == '\0') {
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
            read_upwards(mount, group, v2, &limit);
        } else if (has_controller(controllers, controller)) {
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root, controller);
            read_upwards(mount, group, v1, &limit);
        }
    }
    fclose(file);
    return limit;
}

double nqi_cpu_quota(const char *root) {
    return smallest_limit(root, "cpu", read_cpu_v1, read_cpu_v2);
}
