/* Expected costs of units, equal on every machine.
 *
 * Shards and the order of units depend on costs. So a cost is computed in whole numbers and
 * scaled by a power of two (ldexp): other functions of a mathematical library may differ in the
 * last digit between systems. Costs are added in a fixed order, and IEEE arithmetic rounds such
 * a sum and a product alike everywhere, as long as they are not fused: meson.build says
 * -ffp-contract=off. Do not compile with -ffast-math.
 */
#ifndef WORK_COST_H
#define WORK_COST_H

#include <math.h>
#include <stdint.h>

/* Returns 2 to the power of x / 2^16, within 0.4 %. The fractional part f of the exponent
 * contributes 1 + f (a + b f), a = 43024 / 2^16, b = 22512 / 2^16: exact at f = 0 and at f = 1,
 * since a + b = 1. */
static inline double cost_power_of_2(int32_t x) {
    int32_t whole = x >> 16; /* rounds down */
    int64_t f = x & 0xffff;
    int64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return ldexp((double)mantissa, whole - 16);
}

#endif
