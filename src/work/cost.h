/* Expected costs of units, alike on every machine.
 *
 * Shards and the order of units depend on them. So each is made of whole numbers and a shift
 * (ldexp), not of a mathematical library's functions, which may differ in their last digit from
 * one system to the next; and sums of them are made in one order, which IEEE arithmetic rounds
 * alike everywhere. Not to be compiled with -ffast-math.
 */
#ifndef WORK_COST_H
#define WORK_COST_H

#include <math.h>
#include <stdint.h>

/* 2 to the power of x / 2^16, within 0.3 %. */
static inline double cost_power_of_2(int32_t x) {
    int32_t whole = x >> 16; /* rounds down */
    int64_t f = x & 0xffff;
    int64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return ldexp((double)mantissa, whole - 16);
}

#endif
