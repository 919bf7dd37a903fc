/* SPDX-License-Identifier: MIT */
/* Opens the text files that commands read, and says why one cannot be read. */
#ifndef COMMANDS_TEXT_FILE_H
#define COMMANDS_TEXT_FILE_H

#include "boards/reader.h"

/* Opens a file, or stdin if the name is "-", and reads its first character, after a byte
 * order mark; or writes why it cannot. holds: tells a user at a terminal what to type, such
 * as "placements, one a line". copy: gets all that is read; may be NULL. Returns an exit
 * code. */
int text_open(const char *name, const char *holds, FILE *copy, struct reader *reader);

/* Writes what was wrong with the file: reading it failed, or its contents have the fault
 * that `status` and `failure` describe. Returns an exit code, which is EXIT_DONE if nothing
 * was wrong. */
int text_done(const struct reader *reader, nq_status status, const struct failure *failure);

#endif
