#define _GNU_SOURCE /* fopencookie */
#include "cli/buffer.h"

#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ssize_t append(void *context, const char *bytes, size_t size) {
    struct buffer *buffer = context;
    if (size > buffer->capacity - buffer->length) {
        size_t capacity = 2 * buffer->capacity + size;
        char *grown = realloc(buffer->bytes, capacity);
        if (grown == NULL)
            return 0; /* the stream's error flag is set */
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->length, bytes, size);
    buffer->length += size;
    return (ssize_t)size;
}

/* Not open_memstream(): that stream does not say when it cannot grow. */
bool buffer_open(struct buffer *buffer) {
    *buffer = (struct buffer){0};
    buffer->stream = fopencookie(buffer, "w", (cookie_io_functions_t){.write = append});
    return buffer->stream != NULL;
}

bool buffer_close(struct buffer *buffer) {
    bool failed = fflush(buffer->stream) != 0 || ferror(buffer->stream) != 0;
    failed = fclose(buffer->stream) != 0 || failed;
    buffer->stream = NULL;
    return !failed;
}

void buffer_free(struct buffer *buffer) {
    if (buffer->stream != NULL)
        fclose(buffer->stream);
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

static bool write_bytes(int file, void *context) {
    const struct buffer *buffer = context;
    size_t written = 0;
    while (written < buffer->length) {
        ssize_t part = write(file, buffer->bytes + written, buffer->length - written);
        if (part < 0 && errno != EINTR)
            return false;
        written += part > 0 ? (size_t)part : 0;
    }
    return true;
}

bool file_save(const char *name, file_writer write, void *context) {
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool written = write(file, context);
    int error = errno;
    if (close(file) != 0 && written)
        return false;
    errno = error;
    return written;
}

int buffer_save(const struct buffer *buffer, const char *file) {
    if (file_save(file, write_bytes, (void *)buffer))
        return EXIT_DONE;
    message("'%.100s': cannot be written: %s", file, strerror(errno));
    return EXIT_SYSTEM;
}
