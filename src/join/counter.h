/* Counts the bits of many vectors by carry-save adders (Harley-Seal).
 *
 * A vector stands for the number of its bits. Digits add up vectors place by place, and only
 * what is carried out of the last digit is counted, so no digit overflows. The including file
 * defines, for its instruction set:
 *
 *   vec               type: a vector of lanes of 64 bits, with C's operators
 *   v_carry(d, a, b)  adds a and b to the digit *d, bit by bit, and returns the carries
 *   v_bits_in(v)      returns the number of bits that are set, as a sum of lanes
 */
#ifndef JOIN_COUNTER_H
#define JOIN_COUNTER_H

#include <stdint.h>
#include <string.h>

enum { ADDED = 8 }; /* vectors, by counter_add */

struct counter {
    vec one, two, four; /* digits */
    vec fours, eights;  /* numbers, in lanes */
};

/* Adds four vectors; returns the carries, which count four times. */
static inline __attribute__((always_inline)) vec counter_carry_4(struct counter *counter,
                                                                 const vec *v) {
    const vec a = v_carry(&counter->one, v[0], v[1]), b = v_carry(&counter->one, v[2], v[3]);
    return v_carry(&counter->two, a, b);
}

static inline __attribute__((always_inline)) void counter_add_4(struct counter *counter,
                                                                const vec *v) {
    counter->fours += v_bits_in(counter_carry_4(counter, v));
}

static inline __attribute__((always_inline)) void counter_add(struct counter *counter,
                                                              const vec *v) {
    const vec a = counter_carry_4(counter, v), b = counter_carry_4(counter, v + 4);
    counter->eights += v_bits_in(v_carry(&counter->four, a, b));
}

static inline uint64_t counter_total(const struct counter *counter) {
    vec lanes = counter->eights + counter->eights + v_bits_in(counter->four) + counter->fours;
    lanes = lanes + lanes + v_bits_in(counter->two);
    lanes = lanes + lanes + v_bits_in(counter->one);
    uint64_t lane[sizeof lanes / sizeof(uint64_t)], sum = 0;
    memcpy(lane, &lanes, sizeof lane);
    for (size_t i = 0; i < sizeof lane / sizeof *lane; i++)
        sum += lane[i];
    return sum;
}

#endif
