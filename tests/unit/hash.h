/* SPDX-License-Identifier: MIT */
/* FNV-1a, for numbers that tests pin. */
#ifndef UNIT_HASH_H
#define UNIT_HASH_H

#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Adds the bytes of a number to a hash, lowest first. */
static inline uint64_t hash_number(uint64_t hash, uint64_t number) {
    for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
