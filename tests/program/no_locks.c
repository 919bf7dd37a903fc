/* SPDX-License-Identifier: MIT */
/* Loaded into the program by LD_PRELOAD: from the NO_LOCK_FROM-th file lock on, none is
 * granted. At the end the number of refusals is added to the file NO_LOCK_REFUSED. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int locks, refused;

__attribute__((destructor)) static void tell(void) {
    const char *name = getenv("NO_LOCK_REFUSED");
    FILE *file = name != NULL ? fopen(name, "a") : NULL;
    if (file != NULL) {
        fprintf(file, "%d\n", refused);
        fclose(file);
    }
}

static int lock(const char *name, int file, int command, void *argument) {
    const char *first = getenv("NO_LOCK_FROM");
    if (command == F_SETLK && first != NULL && atomic_fetch_add(&locks, 1) + 1 >= atoi(first)) {
        refused++;
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
