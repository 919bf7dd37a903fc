/* Loaded into the program by LD_PRELOAD, or linked with a client of the library: stands between
 * it and the C library's allocations, also those that the C library makes itself.
 *
 *   FAULT_AT     the allocation that fails, counted from 1 over all processes of the command
 *   FAULT_LASTS  set: all allocations after it fail, too
 *   FAULT_CALLS  a file of 8 zero bytes, in which the allocations are counted
 *   FAULT_INNER  set: only allocations of hwloc and OpenMP fail, which do not survive it; else
 *                only those of all others
 */
#include "no_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

/* The C library's own names for its functions: to look them up would allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* After so many failed allocations in a row the process ends with this code. */
enum { ENDLESS = 1000000, ENDLESS_CODE = 124 };

static _Atomic uint64_t own_calls, *calls = &own_calls;
static _Atomic int64_t blocks;
static uint64_t fault_at;
static bool fault_lasts, fault_inner;
static _Thread_local int inner;  /* this thread is inside hwloc or OpenMP */
static _Thread_local int exempt; /* and inside a function that must not fail */
static atomic_bool is_set_up;

void no_memory_at(uint64_t at, bool lasting) {
    atomic_store(&is_set_up, true);
    atomic_store(calls, 0);
    fault_at = at;
    fault_lasts = lasting;
}

uint64_t no_memory_calls(void) {
    return atomic_load(calls);
}

int64_t no_memory_blocks(void) {
    return atomic_load(&blocks);
}

/* At the first allocation after the C library has the environment: other libraries allocate
 * before constructors of this one would run. */
static void set_up(void) {
    const char *at = getenv("FAULT_AT"), *count = getenv("FAULT_CALLS");
    if (at == NULL || count == NULL)
        return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, count, O_RDWR | O_CLOEXEC);
    void *shared = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (shared == MAP_FAILED)
        abort();
    calls = shared;
    fault_at = strtoull(at, NULL, 10);
    fault_lasts = getenv("FAULT_LASTS") != NULL;
    fault_inner = getenv("FAULT_INNER") != NULL;
}

static bool fails(void) {
    if (!atomic_load(&is_set_up) && environ != NULL && !atomic_exchange(&is_set_up, true))
        set_up();
    if ((inner > 0) != fault_inner || exempt > 0)
        return false;
    uint64_t call = atomic_fetch_add(calls, 1) + 1;
    if (fault_at == 0 || call < fault_at || (call > fault_at && !fault_lasts))
        return false;
    if (call > fault_at + ENDLESS) {
        static const char text[] = "no_memory: tries again and again\n";
        (void)!syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
        _exit(ENDLESS_CODE);
    }
    errno = ENOMEM;
    return true;
}

static void *counted(void *block) {
    if (block != NULL)
        atomic_fetch_add(&blocks, 1);
    return block;
}

INTERPOSED void *malloc(size_t size) {
    return fails() ? NULL : counted(__libc_malloc(size));
}

INTERPOSED void *calloc(size_t count, size_t size) {
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

INTERPOSED void *realloc(void *block, size_t size) {
    if (fails())
        return NULL;
    return block == NULL ? counted(__libc_realloc(block, size)) : __libc_realloc(block, size);
}

INTERPOSED void *memalign(size_t alignment, size_t size) {
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

INTERPOSED int posix_memalign(void **block, size_t alignment, size_t size) {
    int before = errno;
    void *found = memalign(alignment, size);
    errno = before;
    if (found == NULL)
        return ENOMEM;
    *block = found;
    return 0;
}

INTERPOSED void free(void *block) {
    if (block != NULL)
        atomic_fetch_sub(&blocks, 1);
    __libc_free(block);
}

/* Finds the function that this library stands before. */
static void *find(void *_Atomic *known, const char *name) {
    if (atomic_load(known) == NULL)
        atomic_store(known, dlsym(RTLD_NEXT, name));
    return atomic_load(known);
}

#define INNER(name, parameters, ...)                                                           \
    INTERPOSED int name parameters {                                                           \
        static void *_Atomic known;                                                            \
        int(*real) parameters;                                                                 \
        *(void **)&real = find(&known, #name);                                                 \
        inner++;                                                                               \
        int result = real(__VA_ARGS__);                                                        \
        inner--;                                                                               \
        return result;                                                                         \
    }
INNER(hwloc_topology_init, (void *topology), topology)
INNER(hwloc_topology_load, (void *topology), topology)
INNER(hwloc_topology_restrict, (void *topology, const void *set, unsigned long flags), topology,
      set, flags)
INNER(hwloc_get_cpubind, (void *topology, void *set, int flags), topology, set, flags)
INNER(hwloc_set_cpubind, (void *topology, const void *set, int flags), topology, set, flags)

INTERPOSED void hwloc_topology_destroy(void *topology) {
    static void *_Atomic known;
    void (*real)(void *);
    *(void **)&real = find(&known, "hwloc_topology_destroy");
    inner++;
    real(topology);
    inner--;
}

/* hwloc unloads plugins. glibc 2.36 leaves the loader locked if an allocation fails then, so
 * that threads of later counts wait for ever. */
INTERPOSED int dlclose(void *handle) {
    static void *_Atomic known;
    int (*real)(void *);
    *(void **)&real = find(&known, "dlclose");
    exempt++;
    int result = real(handle);
    exempt--;
    return result;
}

/* The body of a parallel region, which is outside OpenMP again. */
struct body {
    void (*function)(void *);
    void *data;
};

static void run_outside(void *context) {
    const struct body *body = context;
    int before = inner;
    inner = 0;
    body->function(body->data);
    inner = before;
}

/* What gcc makes of `omp parallel`. */
INTERPOSED void GOMP_parallel(void (*function)(void *), void *data, unsigned threads,
                              unsigned flags) {
    static void *_Atomic known;
    void (*real)(void (*)(void *), void *, unsigned, unsigned);
    struct body body = {function, data};
    *(void **)&real = find(&known, "GOMP_parallel");
    inner++;
    real(run_outside, &body, threads, flags);
    inner--;
}
