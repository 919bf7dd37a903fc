/* Work that may crash, in a process of its own. */
#ifndef CLI_SOLUTIONS_CHILD_H
#define CLI_SOLUTIONS_CHILD_H

#include <stdio.h>

/* Writes something to a stream. Returns NULL, or what went wrong, in a few words. */
typedef const char *(*child_task)(const void *context, FILE *stream);

/* Calls `task` in a child process, and writes to `stream` what it has written; nothing unless
 * it has done all. Returns NULL, or what went wrong, also if that was a crash. The caller has
 * one thread, and nothing unwritten in its streams. */
const char *child_write(child_task task, const void *context, FILE *stream);

#endif
