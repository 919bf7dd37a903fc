/* Output that is kept in memory until it is complete. */
#ifndef CLI_BUFFER_H
#define CLI_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct buffer {
    FILE *stream; /* what is written here is kept; NULL: closed */
    char *bytes;
    size_t length, capacity;
};

/* Returns false if memory runs out. */
bool buffer_open(struct buffer *buffer);

/* Ends the writing. Returns false if memory ran out meanwhile: something is lost. */
bool buffer_close(struct buffer *buffer);

void buffer_free(struct buffer *buffer);

/* Writes a file's bytes to a descriptor. Returns false, with errno set, if that failed. */
typedef bool (*file_writer)(int file, void *context);

/* Writes a file, new or in place of its old content. Returns false, with errno set, if that
 * failed. */
bool file_save(const char *name, file_writer write, void *context);

/* The same with the bytes of a closed buffer. Says what went wrong. Returns an exit code. */
int buffer_save(const struct buffer *buffer, const char *file);

#endif
