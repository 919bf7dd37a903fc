#include "cli/file_list.h"

#include "cli/failure.h"
#include "cli/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add(struct file_list *list, size_t *capacity, const char *name) {
    if (list->count == *capacity) {
        size_t larger = 2 * *capacity + 16;
        void *grown = realloc(list->name, larger * sizeof *list->name);
        if (grown == NULL)
            return false;
        list->name = grown;
        *capacity = larger;
    }
    list->name[list->count++] = name;
    return true;
}

/* Reads the stream to its end, and puts a NUL byte behind the text. Returns false with errno
 * set if it cannot be read. */
static bool read_text(FILE *stream, char **text, size_t *length) {
    size_t capacity = 0;
    *length = 0;
    do {
        if (*length + 1 >= capacity) {
            capacity = 2 * capacity + 4096;
            char *grown = realloc(*text, capacity);
            if (grown == NULL)
                return false; /* errno is ENOMEM */
            *text = grown;
        }
        errno = 0;
        *length += fread(*text + *length, 1, capacity - 1 - *length, stream);
    } while (feof(stream) == 0 && ferror(stream) == 0);
    (*text)[*length] = '\0';
    return ferror(stream) == 0;
}

static int read_list(const char *file, struct file_list *list, size_t *length) {
    bool is_stdin = strcmp(file, "-") == 0;
    FILE *stream = is_stdin ? stdin : fopen(file, "re");
    bool is_read = stream != NULL && read_text(stream, &list->text, length);
    int cause = errno;
    if (stream != NULL && !is_stdin)
        fclose(stream);
    if (is_read)
        return -1;
    if (cause == ENOMEM)
        return out_of_memory();
    message("'%.100s': cannot be read: %s", is_stdin ? "stdin" : file, strerror(cause));
    return EXIT_SYSTEM;
}

int file_list_make(char **names, size_t count, const char *file, struct file_list *list) {
    *list = (struct file_list){0};
    size_t capacity = 0, length = 0;
    for (size_t i = 0; i < count; i++)
        if (!add(list, &capacity, names[i]))
            return out_of_memory();
    int code = file != NULL ? read_list(file, list, &length) : -1;
    if (code != -1 || length == 0)
        return code;
    const char end = memchr(list->text, '\0', length) != NULL ? '\0' : '\n';
    for (char *name = list->text, *stop = name + length; name < stop;) {
        char *last = memchr(name, end, (size_t)(stop - name));
        if (last == NULL)
            last = stop;
        *last = '\0';
        if (last > name && !add(list, &capacity, name))
            return out_of_memory();
        name = last + 1;
    }
    return -1;
}

void file_list_free(struct file_list *list) {
    free(list->name);
    free(list->text);
    *list = (struct file_list){0};
}
