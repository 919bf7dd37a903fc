/* SPDX-License-Identifier: MIT */
/* Completers keep their arrays next to each other in their scratch memory, so neither a guard
 * nor a sanitizer notices a write past the end of one array into the next. Completers that are
 * compiled with `-include checks.h` check themselves that each vector lies within its array. */
#ifndef HELPERS_CHECKS_H
#define HELPERS_CHECKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FRONTIER_CHECK(at, room) check_vector(at, LANES, room)

/* The most that any array has been full so far, in percent. All files share this variable. */
__attribute__((common)) size_t fullest;

/* Ends the program if the vector of `words` words that begins at word `at` ends beyond an array
 * of `room` words. */
static inline void check_vector(size_t at, size_t words, size_t room) {
    if (at + words > room) {
        printf("Bail out! a vector at word %zu of an array of %zu\n", at, room);
        fflush(stdout);
        abort();
    }
    if (100 * (at + words) >= (fullest + 1) * room) /* seldom, because a division takes long */
        fullest = 100 * (at + words) / room;
}

#endif
