#include "cli/bench/system.h"

#include "cli/output.h"
#include "text/escape.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

double system_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Allocates nothing: what is there is found, even if memory is short. */
bool system_line(const char *file, char *text, size_t size) {
    int opened = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t length = opened >= 0 ? read(opened, text, size - 1) : -1;
    if (opened >= 0)
        close(opened);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return length > 0;
}

/* The number of CPUs in a list such as "0-3,8". */
static int cpus_in_list(const char *list) {
    int count = 0;
    for (char *end; *list != '\0'; list = *end == ',' ? end + 1 : end) {
        long first = strtol(list, &end, 10), last = first;
        if (end == list)
            break;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        count += (int)(last - first) + 1;
    }
    return count;
}

/* Reads one attribute of a cache. */
static bool cache_line(int index, const char *what, char *text, size_t size) {
    char file[96];
    snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    return system_line(file, text, size);
}

json_t *system_caches(void) {
    json_t *caches = json_array();
    char type[32], level[16], size[32], shared[256];
    for (int i = 0; cache_line(i, "type", type, sizeof type) &&
                    cache_line(i, "level", level, sizeof level) &&
                    cache_line(i, "size", size, sizeof size);
         i++) {
        cache_line(i, "shared_cpu_list", shared, sizeof shared);
        char *unit;
        long long bytes = strtoll(size, &unit, 10); /* "32K" */
        bytes *= *unit == 'M' ? 1 << 20 : *unit == 'K' ? 1 << 10 : 1;
        json_add_item(caches, json_pack("{s:o, s:i, s:I, s:i}", "type", json_text(type),
                                        "level", atoi(level), "size", (json_int_t)bytes,
                                        "num_sharing", cpus_in_list(shared)));
    }
    return caches;
}

json_t *system_settings(void) {
    static const char *const heeded[] = {"OMP_", "GOMP_", "HWLOC_", "NQUEENS_"};
    json_t *settings = json_object();
    for (char **variable = environ; *variable != NULL; variable++)
        for (size_t i = 0; i < sizeof heeded / sizeof *heeded; i++) {
            char name[64], escaped[4 * sizeof name];
            size_t length = strcspn(*variable, "=");
            if (strncmp(*variable, heeded[i], strlen(heeded[i])) != 0 || length >= sizeof name)
                continue;
            memcpy(name, *variable, length);
            name[length] = '\0';
            json_add_member(settings, nqi_escape_text(name, escaped, sizeof escaped),
                            json_text(*variable + length + 1));
        }
    return settings;
}
