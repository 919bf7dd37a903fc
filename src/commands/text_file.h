/* SPDX-License-Identifier: MIT */
/* Files of text that commands read, and what is said of those that cannot be read. */
#ifndef COMMANDS_TEXT_FILE_H
#define COMMANDS_TEXT_FILE_H

#include "boards/reader.h"

/* Opens a file, or stdin if its name is "-", and reads its first character, behind a byte order
 * mark; or says why it cannot. holds: "placements, one a line", for the user who may type them.
 * copy: gets all that is read; may be NULL. Returns an exit code. */
int text_open(const char *name, const char *holds, FILE *copy, struct reader *reader);

/* Says what was wrong with what was read from the file, or with reading it. Returns an exit
 * code. */
int text_done(const struct reader *reader, nq_status status, const struct failure *failure);

#endif
