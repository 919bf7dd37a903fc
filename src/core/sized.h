/* SPDX-License-Identifier: MIT */
/* Structs of callers that were compiled with another version of the header are shorter or
 * longer than the library's own. Their first member is their size. A new member goes behind the
 * end of its struct, padding included. */
#ifndef CORE_SIZED_H
#define CORE_SIZED_H

#include "core/failure.h"

/* Reads a caller's options. given: NULL for the defaults. Members that the caller does not know
 * have their defaults. Returns NQ_OK, or NQ_BAD_OPTION with the reason in `failure`:
 * the size is too small, or an option that the library does not know is not zero. */
nq_status nqi_read_options(const nq_options *given, nq_options *own, struct failure *failure);

/* Checks the size of a caller's struct. least: that of version 1.0. initialiser: its name, for
 * the reason. Returns NQ_OK or NQ_BAD_OPTION, as nqi_read_options. */
nq_status nqi_check_size(size_t given, size_t least, const char *initialiser,
                         struct failure *failure);

/* Writes the first own_size bytes of a struct of the library's to a caller's, whose size has
 * been checked and stays: no more than the caller knows, and zeros behind what the library
 * knows. */
void nqi_write_sized(const void *own, size_t own_size, void *to);

#endif
