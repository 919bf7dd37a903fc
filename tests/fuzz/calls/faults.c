/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <errno.h>
#include <nqueens.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static enum fault fault_kind;
static atomic_int fault_left; /* calls until it happens */

static bool fault_is_due(void) {
    const int left = atomic_fetch_sub(&fault_left, 1);
    return left == 1 || (left < 1 && fault_kind == FAULT_FULL);
}

static void fault_handle(int signal) {
    (void)signal;
}

void fault_arm(enum fault kind, int left) {
    const struct sigaction action = {.sa_handler = fault_handle};
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {0};
    const bool had_signals = fault_kind == FAULT_SIGNALS;
    fault_kind = kind;
    atomic_store(&fault_left, left);
    if (kind == FAULT_SIGNALS) {
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
    } else if (had_signals) {
        setitimer(ITIMER_REAL, &never, NULL);
    }
}

void fault_disarm(void) {
    fault_arm(FAULT_NONE, 0);
}

const char *fault_name(void) {
    static const char *const names[] = {"none",          "no memory", "a write fails",
                                        "a short write", "disk full", "signals"};
    return names[fault_kind];
}

unsigned fault_statuses(void) {
    switch (fault_kind) {
    case FAULT_MEMORY:
        return 1U << NQ_NO_MEMORY | 1U << NQ_NO_TOPOLOGY | 1U << NQ_LEDGER_IO;
    case FAULT_WRITE:
    case FAULT_FULL:
        return 1U << NQ_LEDGER_IO;
    default:
        return 0;
    }
}

#define ALLOCATION(name, parameters, arguments)                                                \
    void *__real_##name parameters;                                                            \
    void *__wrap_##name parameters;                                                            \
    void *__wrap_##name parameters {                                                           \
        if (fault_kind != FAULT_MEMORY || !fault_is_due())                                     \
            return __real_##name arguments;                                                    \
        errno = ENOMEM;                                                                        \
        return NULL;                                                                           \
    }
ALLOCATION(malloc, (size_t size), (size))
ALLOCATION(calloc, (size_t count, size_t size), (count, size))
ALLOCATION(realloc, (void *block, size_t size), (block, size))
ALLOCATION(aligned_alloc, (size_t alignment, size_t size), (alignment, size))

/* Returns what the write of so many bytes is to return, or how many to write. */
static bool write_fails(size_t *size) {
    if (fault_kind < FAULT_WRITE || fault_kind == FAULT_SIGNALS || !fault_is_due())
        return false;
    if (fault_kind == FAULT_KILL)
        kill(getpid(), SIGKILL);
    errno = fault_kind == FAULT_FULL ? ENOSPC : EIO;
    *size = *size > 1 ? *size / 2 : *size;
    return fault_kind != FAULT_SHORT;
}

#define WRITE(name, number, parameters, arguments)                                             \
    ssize_t name parameters;                                                                   \
    ssize_t name parameters {                                                                  \
        return write_fails(&size) ? -1 : syscall(number, arguments);                           \
    }
#define SYNC(name)                                                                             \
    int name(int file);                                                                        \
    int name(int file) {                                                                       \
        size_t size = 1;                                                                       \
        return write_fails(&size) ? -1 : (int)syscall(SYS_##name, file);                       \
    }
#define COMMA ,
WRITE(pwrite, SYS_pwrite64, (int file, const void *from, size_t size, off_t at),
      file COMMA from COMMA size COMMA at)
WRITE(pwrite64, SYS_pwrite64, (int file, const void *from, size_t size, off_t at),
      file COMMA from COMMA size COMMA at)
SYNC(fsync)
SYNC(fdatasync)

/* No other process has the ledgers: nobody is to be waited for. */
void __wrap_nqi_pause_for(double seconds);
void __wrap_nqi_pause_for(double seconds) {
    (void)seconds;
}
