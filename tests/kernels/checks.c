/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include "search/kernel.h"

#include <stdio.h>
#include <stdlib.h>

enum { ARRAYS = 4 * NQ_MAX_SEARCH_N }; /* of the wavefront */

const struct kernel *checked_kernel;
const uint32_t *checked_scratch;
size_t fullest;

void check_vector(size_t at, size_t words, size_t room) {
    if (at + words > room) {
        printf("Bail out! a vector at word %zu of an array of %zu\n", at, room);
        fflush(stdout);
        abort();
    }
    const size_t full = 100 * (at + words) / room;
    fullest = full > fullest ? full : fullest;
}

void check_wavefront(const uint32_t *at, size_t bytes) {
    if (checked_kernel == NULL)
        return;
    const size_t room = checked_kernel->scratch_bytes / sizeof *at / ARRAYS,
                 offset = (size_t)(at - checked_scratch);
    check_vector(offset < ARRAYS * room ? offset % room : offset, bytes / sizeof *at, room);
}
