/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#ifndef CORE_ARRAY_H
#define CORE_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Makes room for one more element of an array that malloc has made; NULL: none yet. count: its
 * elements; *capacity: those that it has room for. Returns the array, which may have moved, or
 * NULL: memory ran out, and the array is as it was. */
static inline void *nqi_array_grow(void *array, size_t count, size_t *capacity,
                                   size_t element) {
    if (count < *capacity)
        return array;
    size_t more = 2 * count + 16, bytes;
    void *grown = __builtin_mul_overflow(more, element, &bytes) ? NULL : realloc(array, bytes);
    if (grown != NULL)
        *capacity = more;
    return grown;
}

#endif
