/* SPDX-License-Identifier: MIT */
/* The length of arrays, and arrays that grow. */
#ifndef CORE_ARRAYS_H
#define CORE_ARRAYS_H

#include <stddef.h>
#include <stdlib.h>

/* The number of elements of an array. */
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Makes room for one more element. array: made by malloc, or NULL if it is empty. count: number
 * of its elements; *capacity: how many have room. Returns the array, which may have moved.
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
