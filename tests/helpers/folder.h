/* SPDX-License-Identifier: MIT */
/* A folder of the test's own, in which it runs. */
#ifndef HELPERS_FOLDER_H
#define HELPERS_FOLDER_H

/* Under $TMPDIR or /tmp: for a suite's .init and .fini. */
void folder_make(void);
void folder_remove(void);

/* Makes the file, and the folders that it needs. */
void write_text(const char *file, const char *text);

#endif
