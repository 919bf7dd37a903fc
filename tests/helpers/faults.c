/* SPDX-License-Identifier: MIT */
/* Takes the place of functions of the C library, and lets the chosen call fail. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static enum fault armed;
static atomic_long calls_left; /* until the fault; 0 or less after the fault */
static size_t bytes_stored;

void fault_arm(enum fault kind, long at, size_t bytes) {
    armed = kind;
    bytes_stored = bytes;
    atomic_store(&calls_left, at);
}

/* Counts a call that may fail in this way. Returns whether it fails. */
static bool fault_is_due(void) {
    const long left = atomic_fetch_sub(&calls_left, 1);
    return left == 1 || (left < 1 && (armed == FAULT_FULL || armed == FAULT_LOCKS));
}

#define ALLOCATION(name, parameters, arguments)                                                \
    void *__real_##name parameters;                                                            \
    void *__wrap_##name parameters;                                                            \
    void *__wrap_##name parameters {                                                           \
        if (armed != FAULT_MEMORY || !fault_is_due())                                          \
            return __real_##name arguments;                                                    \
        errno = ENOMEM;                                                                        \
        return NULL;                                                                           \
    }
ALLOCATION(malloc, (size_t size), (size))
ALLOCATION(calloc, (size_t count, size_t size), (count, size))
ALLOCATION(realloc, (void *block, size_t size), (block, size))
ALLOCATION(aligned_alloc, (size_t alignment, size_t size), (alignment, size))

static bool fault_is_of_writes(void) {
    return armed == FAULT_ERROR || armed == FAULT_SHORT || armed == FAULT_FULL ||
           armed == FAULT_KILL;
}

ssize_t __wrap_write(int file, const void *from, size_t size);
ssize_t __wrap_write(int file, const void *from, size_t size) {
    if (!fault_is_of_writes() || !fault_is_due())
        return syscall(SYS_write, file, from, size);
    const bool is_first = atomic_load(&calls_left) == 0; /* a full disk has several failures */
    const size_t stored = is_first && bytes_stored < size ? bytes_stored : 0;
    const ssize_t written = stored > 0 ? syscall(SYS_write, file, from, stored) : 0;
    if (armed == FAULT_KILL)
        kill(getpid(), SIGKILL);
    if (armed == FAULT_SHORT)
        return written > 0 ? written : syscall(SYS_write, file, from, size);
    errno = armed == FAULT_FULL ? ENOSPC : EIO;
    return written > 0 && armed == FAULT_FULL ? written : -1;
}

int __wrap_fdatasync(int file);
int __wrap_fdatasync(int file) {
    if (!fault_is_of_writes() || !fault_is_due() || armed == FAULT_SHORT)
        return (int)syscall(SYS_fdatasync, file);
    if (armed == FAULT_KILL)
        kill(getpid(), SIGKILL);
    errno = armed == FAULT_FULL ? ENOSPC : EIO;
    return -1;
}

/* Calls of fcntl may be compiled as calls of fcntl64: see feature_test_macros(7),
 * _FILE_OFFSET_BITS. */
#define LOCKS(name)                                                                            \
    int __real_##name(int file, int command, ...);                                             \
    int __wrap_##name(int file, int command, ...);                                             \
    int __wrap_##name(int file, int command, ...) {                                            \
        va_list arguments;                                                                     \
        va_start(arguments, command);                                                          \
        void *argument = va_arg(arguments, void *);                                            \
        va_end(arguments);                                                                     \
        const bool locks = command == F_OFD_SETLK || command == F_OFD_GETLK;                   \
        if (!locks || armed != FAULT_LOCKS || !fault_is_due())                                 \
            return __real_##name(file, command, argument);                                     \
        errno = ENOLCK;                                                                        \
        return -1;                                                                             \
    }
LOCKS(fcntl)
LOCKS(fcntl64)
