/* SPDX-License-Identifier: MIT */
/* The arrays of completers are neighbours in their scratch memory, so that no guard
 * and no sanitizer sees a write past the end of one into the next. What is compiled with this
 * header before its own checks that each vector lies within its array. */
#ifndef HELPERS_CHECKS_H
#define HELPERS_CHECKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FRONTIER_CHECK(at, room) check_vector(at, LANES, room)

/* Percents of an array's words, reached so far: one variable of all files. */
__attribute__((common)) size_t fullest;

/* Checks a vector of so many words at word `at` of an array of `room`. */
static inline void check_vector(size_t at, size_t words, size_t room) {
    if (at + words > room) {
        printf("Bail out! a vector at word %zu of an array of %zu\n", at, room);
        fflush(stdout);
        abort();
    }
    if (100 * (at + words) >= (fullest + 1) * room) /* seldom: a division takes long */
        fullest = 100 * (at + words) / room;
}

#endif
