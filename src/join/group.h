/* The groups of bits that leaves by tables look up: seven bits each, from the lowest on. */
#ifndef JOIN_GROUP_H
#define JOIN_GROUP_H

#include <nqueens/nqueens.h>

enum {
    GROUP_BITS = 7,
    CODES = 1 << GROUP_BITS,
    MOST_GROUPS = (2 * NQ_MAX_N + GROUP_BITS - 1) / GROUP_BITS
};
_Static_assert(MOST_GROUPS == 8, "a byte of a 64-bit number for every group");

/* Those in use. */
struct groups {
    int count, number[MOST_GROUPS];
};

#endif
