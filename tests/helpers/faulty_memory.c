/* SPDX-License-Identifier: MIT */
/* Memory and locks that run out, for this program, SQLite and Jansson: the NO_MEMORY_AT-th
 * allocation fails, from the NO_LOCK_FROM-th file lock on none is granted. hwloc and OpenMP
 * would crash or exit. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

static unsigned long no_memory_at, no_lock_from;
static atomic_ulong allocations, locks;
static sqlite3_mem_methods of_sqlite;

static int memory_fails(void) {
    if (atomic_fetch_add(&allocations, 1) + 1 != no_memory_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

#define ALLOCATION(name, parameters, arguments)                                                \
    void *__real_##name parameters;                                                            \
    void *__wrap_##name parameters;                                                            \
    void *__wrap_##name parameters {                                                           \
        return memory_fails() ? NULL : __real_##name arguments;                                \
    }
ALLOCATION(malloc, (size_t size), (size))
ALLOCATION(calloc, (size_t count, size_t size), (count, size))
ALLOCATION(realloc, (void *block, size_t size), (block, size))
ALLOCATION(aligned_alloc, (size_t alignment, size_t size), (alignment, size))

static void *sqlite_malloc(int size) {
    return memory_fails() ? NULL : of_sqlite.xMalloc(size);
}

static void *sqlite_realloc(void *block, int size) {
    return memory_fails() ? NULL : of_sqlite.xRealloc(block, size);
}

static int sqlite_fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command != F_SETLK || atomic_fetch_add(&locks, 1) + 1 < no_lock_from)
        return fcntl(file, command, argument);
    errno = ENOLCK;
    return -1;
}

static unsigned long number_of(const char *variable) {
    const char *text = getenv(variable);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void faulty_begin(void) {
    no_memory_at = number_of("NO_MEMORY_AT");
    no_lock_from = number_of("NO_LOCK_FROM");
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &of_sqlite);
    sqlite3_mem_methods faulty = of_sqlite;
    faulty.xMalloc = sqlite_malloc;
    faulty.xRealloc = sqlite_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty);
    json_set_alloc_funcs(__wrap_malloc, free);
    if (no_lock_from > 0) {
        sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
        vfs->xSetSystemCall(vfs, "fcntl", (sqlite3_syscall_ptr)sqlite_fcntl);
    }
}

/* gcov allocates when the program ends. */
__attribute__((destructor)) static void faulty_end(void) {
    no_memory_at = 0;
}
