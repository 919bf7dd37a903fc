/* SPDX-License-Identifier: MIT */
#include "frontier_check.h"

#include <stdio.h>
#include <stdlib.h>

size_t frontier_fullest;

void frontier_check(size_t end, size_t room) {
    if (end > room) {
        printf("Bail out! a vector ends at word %zu of an array of %zu\n", end, room);
        fflush(stdout);
        abort();
    }
    const size_t full = 100 * end / room;
    frontier_fullest = full > frontier_fullest ? full : frontier_fullest;
}
