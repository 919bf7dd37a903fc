/* SPDX-License-Identifier: MIT */
/* Calls of the C library that fail when a test says so.
 *
 * A program that is linked with faults.c and `fault_wraps` of meson.build calls the functions
 * of faults.c in place of malloc, write and so on. Shared libraries still call the real
 * functions, because hwloc and OpenMP would crash or exit if they got no memory. */
#ifndef HELPERS_FAULTS_H
#define HELPERS_FAULTS_H

#include <stddef.h>

enum fault {
    FAULT_NONE,
    FAULT_MEMORY, /* an allocation fails */
    FAULT_ERROR,  /* a write, or a synchronization, fails with EIO */
    FAULT_SHORT,  /* a write stores fewer bytes than it was given */
    FAULT_FULL,   /* a write or synchronization and all later ones fail with ENOSPC */
    FAULT_KILL,   /* SIGKILL ends the process amid a write or synchronization */
    FAULT_LOCKS   /* a lock of a file and all later ones fail with ENOLCK */
};

/* Lets the at-th call of this kind fail. The next call is number 1. bytes: the first write that
 * fails has stored this many bytes of its data before it fails. While this function runs, no
 * other thread may call a function that can fail. */
__attribute__((visibility("default"))) void fault_arm(enum fault kind, long at, size_t bytes);

void *__wrap_malloc(size_t size);

#endif
