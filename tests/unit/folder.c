/* SPDX-License-Identifier: MIT */
#include "folder.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char folder_path[PATH_MAX];

void folder_make(void) {
    const char *parent = getenv("TMPDIR");
    snprintf(folder_path, sizeof folder_path, "%s/nqueens-unit-XXXXXX",
             parent != NULL && parent[0] != '\0' ? parent : "/tmp");
    cr_assert_not_null(mkdtemp(folder_path));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

void folder_remove(void) {
    cr_expect_eq(nftw(folder_path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0, "%s", folder_path);
}

const char *folder(void) {
    return folder_path;
}

const char *in_folder(const char *name) {
    static char path[33][PATH_MAX + 300];
    static int next;
    char *at = path[next++ % 33];
    snprintf(at, sizeof path[0], "%s/%s", folder_path, name);
    return at;
}

int files_in_folder(void) {
    DIR *directory = opendir(folder_path);
    cr_assert_not_null(directory);
    int files = -2; /* . and .. */
    while (readdir(directory) != NULL)
        files++;
    closedir(directory);
    return files;
}

void write_bytes(const char *file, const void *bytes, size_t count) {
    char path[PATH_MAX + 300];
    snprintf(path, sizeof path, "%s", file);
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        cr_assert(mkdir(path, 0700) == 0 || errno == EEXIST, "%s", path);
    }
    FILE *stream = fopen(file, "wb");
    cr_assert_not_null(stream, "%s", file);
    cr_assert_eq(fwrite(bytes, 1, count, stream), count, "%s", file);
    cr_assert_eq(fclose(stream), 0, "%s", file);
}
