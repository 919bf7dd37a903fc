/* Loaded into the program by LD_PRELOAD: appends to the file RECORD all that the program asks
 * the system to do with files. A record is a line, and after a write its bytes:
 *
 *   create INODE PATH    write INODE OFFSET SIZE    truncate INODE SIZE    sync INODE
 *   unlink PATH          committed
 *
 * "committed": SQLite has told the program that a COMMIT is done. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))
#define REAL(name) (*(void **)&real = dlsym(RTLD_NEXT, #name), real)

/* Held from before a call until its record is written: records are in the order of the calls.
 */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static unsigned long long inode_of(int file) {
    struct stat info;
    return fstat(file, &info) == 0 ? info.st_ino : 0;
}

__attribute__((format(printf, 3, 4))) static void record(const void *bytes, size_t size,
                                                         const char *format, ...) {
    static int log;
    char line[4200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (log == 0)
        log = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORD"),
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct iovec parts[] = {{line, (size_t)length}, {(void *)bytes, size}};
    if (syscall(SYS_writev, log, parts, size > 0 ? 2 : 1) != length + (ssize_t)size)
        abort();
}

static int open_recorded(const char *name, const char *path, int flags, mode_t mode) {
    int (*real)(const char *, int, ...);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    pthread_mutex_lock(&order);
    bool is_new = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
    int file = real(path, flags, mode);
    if (file >= 0 && is_new)
        record(NULL, 0, "create %llu %s\n", inode_of(file), path);
    pthread_mutex_unlock(&order);
    return file;
}

#define OPEN(name)                                                                             \
    INTERPOSED int name(const char *path, int flags, ...) {                                    \
        va_list arguments;                                                                     \
        va_start(arguments, flags);                                                            \
        mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;                  \
        va_end(arguments);                                                                     \
        return open_recorded(#name, path, flags, mode);                                        \
    }
OPEN(open)
OPEN(open64)

INTERPOSED ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    ssize_t (*real)(int, const void *, size_t, off64_t);
    pthread_mutex_lock(&order);
    ssize_t written = REAL(pwrite64)(file, bytes, size, at);
    if (written > 0)
        record(bytes, (size_t)written, "write %llu %lld %zd\n", inode_of(file), (long long)at,
               written);
    pthread_mutex_unlock(&order);
    return written;
}

INTERPOSED int ftruncate64(int file, off64_t size) {
    int (*real)(int, off64_t);
    pthread_mutex_lock(&order);
    int result = REAL(ftruncate64)(file, size);
    if (result == 0)
        record(NULL, 0, "truncate %llu %lld\n", inode_of(file), (long long)size);
    pthread_mutex_unlock(&order);
    return result;
}

#define SYNC(name)                                                                             \
    INTERPOSED int name(int file) {                                                            \
        int (*real)(int);                                                                      \
        pthread_mutex_lock(&order);                                                            \
        int result = REAL(name)(file);                                                         \
        if (result == 0)                                                                       \
            record(NULL, 0, "sync %llu\n", inode_of(file));                                    \
        pthread_mutex_unlock(&order);                                                          \
        return result;                                                                         \
    }
SYNC(fsync)
SYNC(fdatasync)

INTERPOSED int unlink(const char *path) {
    int (*real)(const char *);
    pthread_mutex_lock(&order);
    int result = REAL(unlink)(path);
    if (result == 0)
        record(NULL, 0, "unlink %s\n", path);
    pthread_mutex_unlock(&order);
    return result;
}

INTERPOSED int sqlite3_exec(sqlite3 *db, const char *sql,
                            int (*callback)(void *, int, char **, char **), void *context,
                            char **error) {
    int (*real)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *,
                char **);
    int result = REAL(sqlite3_exec)(db, sql, callback, context, error);
    if (result == SQLITE_OK && strcmp(sql, "COMMIT") == 0) {
        pthread_mutex_lock(&order);
        record(NULL, 0, "committed\n");
        pthread_mutex_unlock(&order);
    }
    return result;
}
