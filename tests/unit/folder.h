/* SPDX-License-Identifier: MIT */
/* A folder of the test's own, and files in it. */
#ifndef UNIT_FOLDER_H
#define UNIT_FOLDER_H

#include <stddef.h>

/* Under $TMPDIR or /tmp: for a suite's .init and .fini. */
void folder_make(void);
void folder_remove(void);
const char *folder(void);

/* The path of a file in the folder; the text lasts for 32 more calls. */
const char *in_folder(const char *name);
int files_in_folder(void);

/* Makes the file, and the folders that it needs. */
void write_bytes(const char *file, const void *bytes, size_t count);

#endif
