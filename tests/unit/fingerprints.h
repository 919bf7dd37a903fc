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

static const struct {
    char plan[8];
    int depth; /* 0: the plan has none */
} fingerprint_ways[] = {{"rows", 2}, {"rows", 3}, {"cross", 0}};
enum { FINGERPRINT_WAYS = 3 };

struct fingerprint {
    uint64_t units, nodes;
};

/* [n][way] */
/* clang-format off */
static const struct fingerprint fingerprints[][FINGERPRINT_WAYS] = {
    {{1, 0}, {1, 0}, {1, 0}},
    {{1, 0}, {1, 0}, {1, 0}},
    {{0, 0}, {0, 0}, {0, 0}},
    {{1, 0}, {0, 0}, {1, 0}},
    {{3, 0}, {2, 0}, {1, 0}},
    {{6, 0}, {7, 0}, {2, 0}},
    {{10, 15}, {18, 0}, {6, 0}},
    {{15, 77}, {38, 40}, {4, 8}},
    {{21, 335}, {70, 265}, {4, 0}},
    {{28, 1508}, {117, 1391}, {7, 462}},
    {{36, 6285}, {182, 6103}, {9, 482}},
    {{45, 28807}, {268, 28539}, {11, 9644}},
    {{55, 144204}, {378, 143826}, {23, 24958}},
    {{66, 774684}, {515, 774169}, {128, 246290}},
    {{78, 4430625}, {682, 4429943}, {55, 940733}},
    {{91, 27145833}, {882, 27144951}, {352, 8327187}},
};
/* clang-format on */
enum { FINGERPRINTS = sizeof fingerprints / sizeof *fingerprints };

/* NULL: it is not pinned. */
static inline const struct fingerprint *fingerprint_of(int n, const char *plan, int depth) {
    for (int way = 0; way < FINGERPRINT_WAYS && n < (int)FINGERPRINTS; way++)
        if (fingerprint_ways[way].depth == depth &&
            strcmp(fingerprint_ways[way].plan, plan) == 0)
            return &fingerprints[n][way];
    return NULL;
}

#endif
