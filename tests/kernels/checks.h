/* SPDX-License-Identifier: MIT */
/* The arrays of completers are neighbours in their scratch memory, so that no guard
 * and no sanitizer sees a write past the end of one into the next. What is compiled with this
 * header before its own checks that each vector lies within its array. */
#ifndef KERNELS_CHECKS_H
#define KERNELS_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#define FRONTIER_CHECK(at, room) check_vector(at, LANES, room)

/* Checks a vector of so many words at word `at` of an array of `room`. */
void check_vector(size_t at, size_t words, size_t room);

extern size_t fullest; /* percents of an array's words, reached so far */

#endif
