/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>

size_t fullest;

void check_vector(size_t at, size_t words, size_t room) {
    if (at + words > room) {
        printf("Bail out! a vector at word %zu of an array of %zu\n", at, room);
        fflush(stdout);
        abort();
    }
    if (100 * (at + words) >= (fullest + 1) * room) /* seldom: a division takes long */
        fullest = 100 * (at + words) / room;
}
