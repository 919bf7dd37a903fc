/* Names of files from the command line and from a list, which may be longer than a command
 * line. */
#ifndef CLI_FILE_LIST_H
#define CLI_FILE_LIST_H

#include <stddef.h>

struct file_list {
    const char **name; /* owned; the names themselves are within `text` or the caller's */
    size_t count;
    char *text;
};

/* Collects names[0..count-1] and the names in a file: one a line or, if the file has a NUL
 * byte, each before such a byte; empty ones are skipped. file: "-" is stdin; NULL: no file.
 * Says what went wrong. Returns -1 or an exit code; the list is to be freed in any case. */
int file_list_make(char **names, size_t count, const char *file, struct file_list *list);
void file_list_free(struct file_list *list);

#endif
