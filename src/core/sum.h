/* Sums of the work of units. A whole count of a large board may do more work than 64 bits
 * hold. Such a sum must not wrap, which would look like little work, nor fail: no total
 * depends on it. So it stays at the most that 64 bits hold. */
#ifndef CORE_SUM_H
#define CORE_SUM_H

#include <stdint.h>

/* Work of units is kept with 63 bits, those of SQLite's numbers. Returns what is kept of it;
 * INT64_MAX: that or more. */
static inline uint64_t work_kept(uint64_t work) {
    return work < INT64_MAX ? work : INT64_MAX;
}

/* Returns a + b; UINT64_MAX: that or more. */
static inline uint64_t work_sum(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

#endif
