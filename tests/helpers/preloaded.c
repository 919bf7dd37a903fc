/* SPDX-License-Identifier: MIT */
/* Loaded into the program by LD_PRELOAD. From the NO_LOCK_FROM-th file lock on, none is
 * granted. The FAULT_AT-th allocation fails; at the end the number of allocations is written to
 * the file FAULT_CALLS. Only calls from the program, its library, SQLite and Jansson are among
 * them: hwloc and OpenMP crash or exit without memory. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERPOSED __attribute__((visibility("default")))

/* The C library's own names for its functions: to look them up would allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fault_at;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAULT_AT");
    atomic_store(&calls, 0);
    fault_at = at != NULL ? strtoul(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void) {
    const char *name = getenv("FAULT_CALLS");
    unsigned long made = atomic_load(&calls);
    fault_at = 0;
    FILE *file = name != NULL ? fopen(name, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%lu\n", made);
        fclose(file);
    }
}

/* Whether the call from this address is to fail. */
static int fails(const void *caller) {
    Dl_info from;
    if (dladdr(caller, &from) == 0 ||
        (strstr(from.dli_fname, "nqueens") == NULL &&
         strstr(from.dli_fname, "libsqlite3") == NULL &&
         strstr(from.dli_fname, "libjansson") == NULL) ||
        atomic_fetch_add(&calls, 1) + 1 != fault_at)
        return 0;
    errno = ENOMEM;
    return 1;
}
#define FAILS fails(__builtin_return_address(0))

INTERPOSED void *malloc(size_t size) {
    return FAILS ? NULL : __libc_malloc(size);
}

INTERPOSED void *calloc(size_t count, size_t size) {
    return FAILS ? NULL : __libc_calloc(count, size);
}

INTERPOSED void *realloc(void *block, size_t size) {
    return FAILS ? NULL : __libc_realloc(block, size);
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
    return FAILS ? NULL : __libc_memalign(alignment, size);
}

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

#define FILE_CONTROL(name)                                                                     \
    INTERPOSED int name(int file, int command, ...) {                                          \
        va_list arguments;                                                                     \
        va_start(arguments, command);                                                          \
        void *argument = va_arg(arguments, void *);                                            \
        va_end(arguments);                                                                     \
        return lock(#name, file, command, argument);                                           \
    }
FILE_CONTROL(fcntl)
FILE_CONTROL(fcntl64)
