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

static const char *const fingerprint_plans[] = {"rows", "cross"};
enum { FINGERPRINT_PLANS = 2 };

struct fingerprint {
    uint64_t units, nodes;
};

/* [n][plan] */
/* clang-format off */
static const struct fingerprint fingerprints[][FINGERPRINT_PLANS] = {
    {{1, 0}, {1, 0}},
    {{1, 0}, {1, 0}},
    {{0, 0}, {0, 0}},
    {{1, 0}, {1, 0}},
    {{3, 0}, {1, 0}},
    {{6, 0}, {2, 0}},
    {{10, 15}, {6, 0}},
    {{15, 77}, {4, 8}},
    {{21, 335}, {4, 0}},
    {{28, 1508}, {7, 462}},
    {{36, 6285}, {9, 482}},
    {{45, 28807}, {11, 9644}},
    {{55, 144204}, {23, 24958}},
    {{66, 774684}, {128, 246290}},
    {{78, 4430625}, {55, 940733}},
    {{91, 27145833}, {352, 8327187}},
};
/* clang-format on */
enum { FINGERPRINTS = sizeof fingerprints / sizeof *fingerprints };

/* NULL: it is not pinned. */
static inline const struct fingerprint *fingerprint_of(int n, const char *plan) {
    for (int i = 0; i < FINGERPRINT_PLANS && n < (int)FINGERPRINTS; i++)
        if (strcmp(fingerprint_plans[i], plan) == 0)
            return &fingerprints[n][i];
    return NULL;
}

#endif
