/* SPDX-License-Identifier: MIT */
/* Fingerprints of the search: units and nodes of every board up to 15 x 15. Totals show whether
 * the search is right; these numbers show whether a change altered which states are visited. A
 * change that is meant to alter them, or a plan's units, comes with new numbers.
 *
 * The oracle finds the same nodes for n = 0..11 by brute force. */
#ifndef UNIT_FINGERPRINTS_H
#define UNIT_FINGERPRINTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fingerprint {
    int n;
    char plan[8];
    int depth; /* 0: the plan has none */
    uint64_t units, nodes;
};

/* clang-format off */
static const struct fingerprint fingerprints[] = {
    {0, "rows", 2, 1, 0},
    {0, "rows", 3, 1, 0},
    {0, "cross", 0, 1, 0},
    {1, "rows", 2, 1, 0},
    {1, "rows", 3, 1, 0},
    {1, "cross", 0, 1, 0},
    {2, "rows", 2, 0, 0},
    {2, "rows", 3, 0, 0},
    {2, "cross", 0, 0, 0},
    {3, "rows", 2, 1, 0},
    {3, "rows", 3, 0, 0},
    {3, "cross", 0, 1, 0},
    {4, "rows", 2, 3, 0},
    {4, "rows", 3, 2, 0},
    {4, "cross", 0, 1, 0},
    {5, "rows", 2, 6, 0},
    {5, "rows", 3, 7, 0},
    {5, "cross", 0, 2, 0},
    {6, "rows", 2, 10, 15},
    {6, "rows", 3, 18, 0},
    {6, "cross", 0, 6, 0},
    {7, "rows", 2, 15, 77},
    {7, "rows", 3, 38, 40},
    {7, "cross", 0, 4, 8},
    {8, "rows", 2, 21, 335},
    {8, "rows", 3, 70, 265},
    {8, "cross", 0, 4, 0},
    {9, "rows", 2, 28, 1508},
    {9, "rows", 3, 117, 1391},
    {9, "cross", 0, 7, 462},
    {10, "rows", 2, 36, 6285},
    {10, "rows", 3, 182, 6103},
    {10, "cross", 0, 9, 482},
    {11, "rows", 2, 45, 28807},
    {11, "rows", 3, 268, 28539},
    {11, "cross", 0, 11, 9644},
    {12, "rows", 2, 55, 144204},
    {12, "rows", 3, 378, 143826},
    {12, "cross", 0, 23, 24958},
    {13, "rows", 2, 66, 774684},
    {13, "rows", 3, 515, 774169},
    {13, "cross", 0, 128, 246290},
    {14, "rows", 2, 78, 4430625},
    {14, "rows", 3, 682, 4429943},
    {14, "cross", 0, 55, 940733},
    {15, "rows", 2, 91, 27145833},
    {15, "rows", 3, 882, 27144951},
    {15, "cross", 0, 352, 8327187},
};
/* clang-format on */
enum { FINGERPRINTS = sizeof fingerprints / sizeof *fingerprints };

/* NULL: it is not pinned. */
static inline const struct fingerprint *fingerprint_of(int n, const char *plan, int depth) {
    for (size_t i = 0; i < FINGERPRINTS; i++)
        if (fingerprints[i].n == n && fingerprints[i].depth == depth &&
            strcmp(fingerprints[i].plan, plan) == 0)
            return &fingerprints[i];
    return NULL;
}

#endif
