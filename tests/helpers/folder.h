/* SPDX-License-Identifier: MIT */
/* A temporary folder, in which a test runs. */
#ifndef HELPERS_FOLDER_H
#define HELPERS_FOLDER_H

#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];

/* Makes the folder in $TMPDIR or /tmp. A suite calls it as its .init, and folder_remove as its
 * .fini. */
static inline void folder_make(void) {
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/nqueens-unit-XXXXXX",
             parent != NULL && parent[0] != '\0' ? parent : "/tmp");
    cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static inline void folder_remove(void) {
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_expect_eq(system(command), 0, "%s", folder);
}

/* Makes the file, and the folders that it needs. */
static inline void write_text(const char *file, const char *text) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", file);
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        cr_assert(mkdir(path, 0700) == 0 || errno == EEXIST, "%s", path);
    }
    FILE *stream = fopen(file, "w");
    cr_assert_not_null(stream, "%s", file);
    cr_assert(fputs(text, stream) >= 0 && fclose(stream) == 0, "%s", file);
}

#endif
