/* Loaded into the program by LD_PRELOAD: the FAULT_AT-th allocation fails. At the end the
 * number of allocations is written to the file FAULT_CALLS. Those of hwloc and OpenMP are not
 * among them: these libraries crash or exit without memory. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define INTERPOSED __attribute__((visibility("default")))

/* The C library's own names for its functions: to look them up would allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fault_at;
static _Thread_local int spared; /* this thread is inside a library that does not survive it */

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

static int fails(void) {
    if (spared > 0 || atomic_fetch_add(&calls, 1) + 1 != fault_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

INTERPOSED void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

INTERPOSED void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

INTERPOSED void *realloc(void *block, size_t size) {
    return fails() ? NULL : __libc_realloc(block, size);
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}

INTERPOSED int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = fails() ? NULL : __libc_memalign(alignment, size);
    return *block != NULL ? 0 : ENOMEM;
}

/* The function that this library stands before. */
static void *next(const char *name) {
    spared++;
    void *function = dlsym(RTLD_NEXT, name);
    spared--;
    return function;
}

#define SPARED(name, parameters, ...)                                                          \
    INTERPOSED int name parameters {                                                           \
        int(*real) parameters;                                                                 \
        *(void **)&real = next(#name);                                                         \
        spared++;                                                                              \
        int result = real(__VA_ARGS__);                                                        \
        spared--;                                                                              \
        return result;                                                                         \
    }
SPARED(hwloc_topology_init, (void *topology), topology)
SPARED(hwloc_topology_load, (void *topology), topology)
SPARED(hwloc_topology_restrict, (void *topology, const void *set, unsigned long flags),
       topology, set, flags)
SPARED(hwloc_get_cpubind, (void *topology, void *set, int flags), topology, set, flags)
SPARED(hwloc_set_cpubind, (void *topology, const void *set, int flags), topology, set, flags)
/* hwloc unloads plugins; glibc 2.36 leaves the loader locked if an allocation fails then. */
SPARED(dlclose, (void *handle), handle)

struct body {
    void (*function)(void *);
    void *data;
};

/* The body of a parallel region, which is outside OpenMP again. */
static void run_body(void *context) {
    const struct body *body = context;
    int before = spared;
    spared = 0;
    body->function(body->data);
    spared = before;
}

/* What gcc makes of `omp parallel`. */
INTERPOSED void GOMP_parallel(void (*function)(void *), void *data, unsigned threads,
                              unsigned flags) {
    void (*real)(void (*)(void *), void *, unsigned, unsigned);
    struct body body = {function, data};
    *(void **)&real = next("GOMP_parallel");
    spared++;
    real(run_body, &body, threads, flags);
    spared--;
}
