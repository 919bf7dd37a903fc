/* Expected costs of units, equal on every machine.
 *
 * Shards and the order of units depend on costs. So costs are whole numbers of 64 bits, made of
 * whole numbers alone: a compiler may round other arithmetic as it likes (x87, -ffast-math).
 */
#ifndef CORE_COST_H
#define CORE_COST_H

#include <stdint.h>

/* No power of 2 below exceeds 2 to the power of this and a half. */
enum { COST_GREATEST_POWER = 62 };

/* Returns 2 to the power of x / 2^16, within 0.4 %, rounded down, at least 1. x: at most
 * COST_GREATEST_POWER x 2^16. The fractional part f of the exponent contributes 1 + f (a + b
 * f), a = 43024 / 2^16, b = 22512 / 2^16: exact at f = 0 and at f = 1, since a + b = 1. */
static inline uint64_t cost_power_of_2(int32_t x) {
    if (x <= 0)
        return 1;
    const int32_t whole = x >> 16;
    const uint64_t f = (uint64_t)(x & 0xffff);
    const uint64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return whole >= 16 ? mantissa << (whole - 16) : mantissa >> (16 - whole);
}

#endif
