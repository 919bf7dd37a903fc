/* SPDX-License-Identifier: MIT */
/* Structs of callers that were compiled with another version of the header: shorter or longer
 * than the library's own. Their first member is their size. */
#ifndef LIBRARY_SIZED_H
#define LIBRARY_SIZED_H

#include "core/text.h"

/* The bytes of a struct up to the end of a member. */
#define SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))

/* The size of a struct that ends with this member: with the padding behind it. */
#define LEAST_SIZE(type, last)                                                                 \
    ((SIZE_TO(type, last) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

/* Reads a caller's options. given: NULL for the defaults. Members that the caller does not know
 * have their defaults. Returns NQ_OK, or NQ_BAD_OPTION with the reason in `failure`:
 * the size is too small, or an option that the library does not know is not zero. */
nq_status nqi_read_options(const nq_options *given, nq_options *own, struct failure *failure);

/* Options that a call may refuse. */
enum {
    REFUSE_METHOD = 1,
    REFUSE_PLAN = 2, /* and depth, board */
    REFUSE_LEDGER = 4,
    REFUSE_SHARD = 8
};

/* Returns NQ_OK, or NQ_BAD_OPTION if one of the options is given that `refused`, a sum of those
 * above, names. why: the rest of the sentence that begins with the option's name. */
nq_status nqi_refuse_options(const nq_options *options, int refused, const char *why,
                             struct failure *failure);

/* Checks the size of a caller's struct. least: that of version 1.0. initialiser: its name, for
 * the reason. Returns NQ_OK or NQ_BAD_OPTION, as nqi_read_options. */
nq_status nqi_check_size(size_t given, size_t least, const char *initialiser,
                         struct failure *failure);

/* Writes the first own_size bytes of a struct of the library's to a caller's, whose size has
 * been checked and stays: no more than the caller knows, and zeros behind what the library
 * knows. */
void nqi_write_sized(const void *own, size_t own_size, void *to);

#endif
