/* SPDX-License-Identifier: MIT */
/* Loaded into the program by LD_PRELOAD: from the NO_LOCK_FROM-th file lock on, none is
 * granted. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int locks;

static int lock(const char *name, int file, int command, void *argument) {
    const char *first = getenv("NO_LOCK_FROM");
    if (command == F_SETLK && first != NULL && atomic_fetch_add(&locks, 1) + 1 >= atoi(first)) {
        errno = ENOLCK;
        return -1;
    }
    int (*real)(int, int, ...);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    return real(file, command, argument);
}

#define INTERPOSE(name)                                                                        \
    __attribute__((visibility("default"))) int name(int file, int command, ...) {              \
        va_list arguments;                                                                     \
        va_start(arguments, command);                                                          \
        void *argument = va_arg(arguments, void *);                                            \
        va_end(arguments);                                                                     \
        return lock(#name, file, command, argument);                                           \
    }
INTERPOSE(fcntl)
INTERPOSE(fcntl64)
