/* Groups of bits of a signature, seven each from the lowest on: the keys of a leaf's tables. */
#ifndef JOIN_GROUP_H
#define JOIN_GROUP_H

#include <nqueens/nqueens.h>

enum {
    GROUP_BITS = 7,
    CODES = 1 << GROUP_BITS, /* values that the bits of a group can take */
    MOST_GROUPS = (2 * NQ_MAX_N + GROUP_BITS - 1) / GROUP_BITS
};
_Static_assert(MOST_GROUPS == 8, "a byte of a 64-bit word for every group");

/* The groups that a leaf uses, by rising numbers. */
struct groups {
    int count, number[MOST_GROUPS];
};

#endif
