/* Marks signatures without vectors (join/quarter.h, struct listing). */
#ifndef JOIN_LACKING_H
#define JOIN_LACKING_H

#include <stddef.h>
#include <stdint.h>

static void halves_lacking(const uint64_t *list, size_t count, uint64_t diagonals,
                           uint64_t *lacks) {
    for (size_t i = 0; i < count; i += 64) {
        const size_t end = count - i < 64 ? count : i + 64;
        uint64_t bits = 0;
        for (size_t j = i; j < end; j++)
            bits |= (uint64_t)((list[j] & diagonals) == 0) << (j - i);
        lacks[i / 64] = bits;
    }
}

#endif
