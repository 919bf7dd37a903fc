#define _GNU_SOURCE /* fopencookie */
#include "cli/buffer.h"

#include "cli/message.h"
#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* What is to be written to a file. */
struct source {
    file_writer write;
    void *context;
};

/* Writes all bytes and closes the file. Returns false, with errno set, if that failed. */
static bool write_all(int file, const struct source *source, bool sync) {
    bool failed = !source->write(file, source->context);
    /* Some file systems cannot sync. */
    failed = failed || (sync && fsync(file) != 0 && errno != EINVAL);
    int error = errno;
    if (close(file) != 0 && !failed)
        return false;
    errno = error;
    return !failed;
}

static bool write_in_place(const struct source *source, const char *name) {
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return file >= 0 && write_all(file, source, false);
}

/* Whether a new file may take the name of an old one and be the same to everybody else. */
static bool is_replaceable(const struct stat *old, const char *name) {
    return S_ISREG(old->st_mode) && old->st_nlink == 1 && old->st_uid == geteuid() &&
           access(name, W_OK) == 0;
}

/* Creates a file in the same folder, with the rights of the old file if there is one. */
static int create_beside(const char *name, const struct stat *old, char *beside, size_t size) {
    const char *slash = strrchr(name, '/');
    int folder = slash != NULL ? (int)(slash + 1 - name) : 0, file = -1;
    errno = EEXIST;
    for (int number = 0; file < 0 && errno == EEXIST && number < 100; number++) {
        int length =
            snprintf(beside, size, "%.*s.nqueens-%d-%d", folder, name, (int)getpid(), number);
        if (length >= (int)size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = signals_create_file(beside);
    }
    if (file >= 0 && old != NULL &&
        (fchown(file, (uid_t)-1, old->st_gid) != 0 ||
         fchmod(file, old->st_mode & 07777) != 0)) {
        close(file);
        unlink(beside);
        errno = EPERM;
        return -1;
    }
    return file;
}

/* Makes the new name as durable as the bytes. Where a folder cannot be synced, a power cut may
 * bring the old file back, whole. */
static void sync_folder(const char *name) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", name);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[1] = '\0';
    int file = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

/* *possible: set to false if this folder lets no other file take the name. */
static bool replace(const struct source *source, const char *name, const struct stat *old,
                    bool *possible) {
    char beside[4096];
    int file = create_beside(name, old, beside, sizeof beside);
    bool created = file >= 0, written = created && write_all(file, source, true);
    bool renamed = written && rename(beside, name) == 0;
    int error = errno;
    if (created && !renamed)
        unlink(beside);
    signals_forget_file();
    if (renamed) {
        sync_folder(name);
        return true;
    }
    *possible = (created && !written) || (error != EACCES && error != EPERM && error != EROFS &&
                                          error != ENAMETOOLONG && error != EBUSY);
    errno = error;
    return false;
}

bool file_save(const char *name, file_writer write, void *context) {
    const struct source source = {.write = write, .context = context};
    struct stat old;
    bool possible = true, exists = lstat(name, &old) == 0;
    if (exists && !is_replaceable(&old, name))
        return write_in_place(&source, name);
    if (replace(&source, name, exists ? &old : NULL, &possible))
        return true;
    return !possible && write_in_place(&source, name);
}

int buffer_save(const struct buffer *buffer, const char *file) {
    if (file_save(file, write_bytes, (void *)buffer))
        return EXIT_DONE;
    message("'%.100s': cannot be written: %s", file, strerror(errno));
    return EXIT_SYSTEM;
}
