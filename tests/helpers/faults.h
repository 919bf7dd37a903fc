/* SPDX-License-Identifier: MIT */
/* Calls of the C library that fail when a test says so.
 *
 * What is linked with faults.c and `fault_wraps` of meson.build calls these in place of malloc,
 * write and so on. Shared libraries keep the real ones: hwloc and OpenMP would crash or exit
 * without memory. */
#ifndef HELPERS_FAULTS_H
#define HELPERS_FAULTS_H

#include <stddef.h>

enum fault {
    FAULT_NONE,
    FAULT_MEMORY, /* an allocation fails */
    FAULT_ERROR,  /* a write, or a synchronization, fails with EIO */
    FAULT_SHORT,  /* a write stores fewer bytes than it was given */
    FAULT_FULL,   /* a write and all later ones fail with ENOSPC */
    FAULT_KILL,   /* SIGKILL ends the process amid a write */
    FAULT_LOCKS   /* this lock of a file is not granted, and no later one: ENOLCK */
};

/* The at-th call of this kind fails, from 1. bytes: how many of its own the write that fails
 * stores before it does. Other threads must not be calling anything meanwhile. */
__attribute__((visibility("default"))) void fault_arm(enum fault kind, long at, size_t bytes);

void *__wrap_malloc(size_t size);

#endif
