/* SPDX-License-Identifier: MIT */
/* Reads and writes public structs that may grow. The first member of such a struct is its size.
 * A caller that was compiled with another version of the header has a struct that is shorter or
 * longer than the library's own, so these functions use only the part that both versions have.
 * A new member must be appended after the end of its struct, padding included. */
#ifndef CORE_SIZED_H
#define CORE_SIZED_H

#include "core/failure.h"

/* Copies a caller's options to `own`. Options that the caller lacks get their defaults; if
 * `given` is NULL, all options do. Returns NQ_OK, or NQ_BAD_OPTION if the size is too small, or
 * if an option that the library lacks is not zero; `failure` then says so. */
nq_status nqi_read_options(const nq_options *given, nq_options *own, struct failure *failure);

/* Checks the size of a caller's struct. least: the struct's size in version 1.0; this is its
 * sizeof until a later version appends a member. initialiser: name of the struct's initialiser,
 * for the message. Returns NQ_OK, or NQ_BAD_OPTION, which `failure` explains. */
nq_status nqi_check_size(size_t given, size_t least, const char *initialiser,
                         struct failure *failure);

/* Copies a struct of the library to a caller's struct, whose size has been checked. Members
 * that the caller lacks are not written, members that the library lacks become zero, and the
 * caller's `size` stays as it is. own_size: size of the library's struct. */
void nqi_write_sized(const void *own, size_t own_size, void *to);

#endif
