/* SPDX-License-Identifier: MIT */
/* The frontier's arrays are neighbours in its scratch memory, so that no guard and no sanitizer
 * sees a write past the end of one into the next. Completers that are compiled with this header
 * before their own check that each vector lies within its array. */
#ifndef KERNELS_FRONTIER_CHECK_H
#define KERNELS_FRONTIER_CHECK_H

#include <stddef.h>

#define FRONTIER_CHECK(at, room) frontier_check((at) + sizeof(vec) / sizeof(word), room)

/* end: of a vector in an array of `room` words. */
void frontier_check(size_t end, size_t room);

extern size_t frontier_fullest; /* percents of an array's words, reached so far */

#endif
