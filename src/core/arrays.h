/* SPDX-License-Identifier: MIT */
/* Helpers for arrays: their length, and arrays that grow as elements are appended. */
#ifndef CORE_ARRAYS_H
#define CORE_ARRAYS_H

#include <stddef.h>
#include <stdlib.h>

/* The number of elements of an array. */
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Makes room for one more element, if necessary by doubling the capacity. array: from malloc(),
 * or NULL while it is empty. count: number of elements in use. *capacity: number of elements
 * for which there is room. element: size of an element, in bytes. Returns the array, which may
 * have moved, or NULL if memory runs out; the array then stays as it was. */
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
