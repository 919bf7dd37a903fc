/* SPDX-License-Identifier: MIT */
/* Plans: their families hold every solution the right number of times, and change only with the
 * plan's version. */
#include "hash.h"
#include "length.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

Test(plan, weighted_completions_add_up_to_the_total) {
    for (struct way way = {0}; next_way(&way);)
        for (int n = 0; n <= 11; n++) {
            uint64_t sum = 0;
            struct families families;
            cr_assert(way.plan->build(n, way.depth, &families));
            for (size_t i = 0; i < families.count; i++) {
                const struct family *f = &families.family[i];
                const struct state top = {.cols = f->cols};
                sum += f->weight * complete_naively(f, 0, top).solutions;
            }
            cr_expect_eq(sum, published[n], "plan %s, n = %d, depth %d: %" PRIu64,
                         way.plan->name, n, way.depth, sum);
            nqi_families_free(&families);
        }
}

/* The number of units, as plan.h defines them. */
static uint64_t count_units(const struct families *families) {
    const struct family *f = families->family;
    uint64_t units = 0, alike = 0; /* families with the weight of this one, so far */
    for (size_t i = 0; i < families->count; i++) {
        alike = i > 0 && f[i].weight == f[i - 1].weight ? alike : 0;
        if (families->families_per_unit < 2 || alike++ % families->families_per_unit == 0)
            units += f[i].parts;
    }
    return units;
}

/* A hash of all parts of families in order: the weight, and the start states as far as they lie
 * on the board; and of the number of families that share a unit. */
static uint64_t hash_units(const struct families *families) {
    uint64_t sum = hash_number(HASH_START, families->families_per_unit);
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        size_t all;
        struct state *states = states_of_part(f, f->expanded, 0, 1, &all);
        for (uint32_t part = 0; part < f->parts; part++) {
            size_t count = part < all ? (all - part - 1) / f->parts + 1 : 0;
            sum = hash_number(hash_number(sum, f->weight), count);
            for (size_t s = part; s < all; s += f->parts)
                sum = hash_number(
                    hash_number(hash_number(sum, states[s].cols), states[s].left & f->board),
                    states[s].right & f->board);
        }
        free(states);
    }
    return sum;
}

/* A hash of all families in order: the squares that they leave, and the weight. */
static uint64_t hash_families(const struct families *families) {
    uint64_t sum = HASH_START;
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        sum = hash_number(hash_number(hash_number(sum, f->weight), f->cols), (uint64_t)f->rows);
        for (int row = 0; row < f->rows; row++) /* no step leads on from the last row */
            sum = hash_number(hash_number(sum, f->open[row]),
                              row + 1 < f->rows ? f->step[row] : 0);
    }
    return sum;
}

/* Ledgers keep results under (plan, version, unit id). A change of the units must raise the
 * plan's version, or recorded results would be taken for those of other units. So these
 * constants change only together with the version beside them. */
static const struct {
    char plan[8];
    int version, n, depth;
    uint64_t units, hash_units, hash_families;
} pinned[] = {
    {"rows", 1, 1, 2, 1, UINT64_C(0xe0b2953a8f929264), UINT64_C(0x79e428b6287893c4)},
    {"rows", 1, 5, 2, 6, UINT64_C(0x27f6cf33d3ca7338), UINT64_C(0x32fab8063d427e7e)},
    {"rows", 1, 8, 2, 21, UINT64_C(0xec64d411e80c2a62), UINT64_C(0xc601c4f0c08d6c1e)},
    {"rows", 1, 8, 3, 70, UINT64_C(0x4889b67211c476a1), UINT64_C(0xc601c4f0c08d6c1e)},
    {"rows", 1, 13, 2, 66, UINT64_C(0xa1b2b894cb1c8390), UINT64_C(0xaf446710d6bee64f)},
    {"rows", 1, 13, 3, 515, UINT64_C(0x9b973b0ab1ea6509), UINT64_C(0xaf446710d6bee64f)},
    {"rows", 1, 18, 3, 1710, UINT64_C(0x786f706911d5895d), UINT64_C(0x814cec0fed674e71)},
    {"rows", 1, 28, 2, 351, UINT64_C(0xc4397a58e5115c92), UINT64_C(0x7a83d474158dae24)},
    {"rows", 1, 28, 3, 7850, UINT64_C(0x216fc6565f49d7af), UINT64_C(0x7a83d474158dae24)},
    {"cross", 2, 0, 0, 1, UINT64_C(0x075a3e764cfc7cc5), UINT64_C(0x5b2a969b42d238a4)},
    {"cross", 2, 1, 0, 1, UINT64_C(0xe0b2953a8f929264), UINT64_C(0xaa28ac6355e750e5)},
    {"cross", 2, 4, 0, 1, UINT64_C(0x4c73eebb97c58ac9), UINT64_C(0x1e1fa8168e251008)},
    {"cross", 2, 5, 0, 2, UINT64_C(0x427d2d724fb53aad), UINT64_C(0xc7314a045c365ba8)},
    {"cross", 2, 6, 0, 6, UINT64_C(0x0d3aebfc001f758e), UINT64_C(0x378f951dcc860c5d)},
    {"cross", 2, 7, 0, 4, UINT64_C(0xf331af2347019ba9), UINT64_C(0xae2ec3a44ed8e94e)},
    {"cross", 2, 8, 0, 4, UINT64_C(0xebfba39c8aebedda), UINT64_C(0x571d967cf3a49e6e)},
    {"cross", 2, 9, 0, 7, UINT64_C(0xced328217a950641), UINT64_C(0x858ed452c407fccc)},
    {"cross", 2, 12, 0, 23, UINT64_C(0xcc5d5af0e3975ba5), UINT64_C(0x5e89d04ab3d8f686)},
    {"cross", 2, 13, 0, 128, UINT64_C(0x1416c5371cd5bb5e), UINT64_C(0xebeedf4ff9dceeac)},
    {"cross", 2, 14, 0, 55, UINT64_C(0x14860c2543397068), UINT64_C(0x641c78eb5e1d238c)},
    {"cross", 2, 15, 0, 352, UINT64_C(0x51dd9c8fde772402), UINT64_C(0xf702cc953bce7620)},
    {"cross", 2, 16, 0, 115, UINT64_C(0x9034b9b8a03ab343), UINT64_C(0xee0e4a70aeea04cc)},
    {"cross", 2, 17, 0, 464, UINT64_C(0xdb5191910dbdef5e), UINT64_C(0xe83a9eb876e6576d)},
    {"cross", 2, 18, 0, 1733, UINT64_C(0x0ea4c93923bef484), UINT64_C(0x93b86bd44301997b)},
    {"cross", 2, 19, 0, 3720, UINT64_C(0x31b57e6eb9ea3a51), UINT64_C(0x33dab4c125c71406)},
    {"cross", 2, 20, 0, 6078, UINT64_C(0xbeb4d40796263766), UINT64_C(0x534f30b74745b936)},
    {"cross", 2, 21, 0, 37545, UINT64_C(0x5680423977196b6e), UINT64_C(0x970317ee185119f7)},
    {"cross", 2, 22, 0, 39908, UINT64_C(0xf33c2b9d1a12b4c8), UINT64_C(0xb9d960a0471695b3)},
    {"cross", 2, 25, 0, 1097728, UINT64_C(0x3587f59a8cd6aa55), UINT64_C(0x5568f3ae49cd2be2)},
    {"cross", 2, 28, 0, 4268800, UINT64_C(0x16b97a72575b3915), UINT64_C(0x5e5db50bb6c4bb45)},
};
enum { PINNED = LENGTH(pinned) };

Test(plan, units_change_only_with_the_version) {
    for (size_t p = 0, i; nqi_plan_at(p) != NULL; p++) {
        for (i = 0; i < PINNED && strcmp(pinned[i].plan, nqi_plan_at(p)->name) != 0; i++)
            continue;
        cr_expect_lt(i, (size_t)PINNED, "plan %s: not pinned", nqi_plan_at(p)->name);
    }
    for (size_t i = 0; i < PINNED; i++) {
        if (pinned[i].units > 10000 && getenv("NQUEENS_TEST_LARGE") == NULL)
            continue;
        const struct plan *plan = nqi_plan_by_name(pinned[i].plan, NULL);
        const int n = pinned[i].n, depth = pinned[i].depth;
        cr_assert_not_null(plan, "plan %s", pinned[i].plan);
        cr_expect_eq(plan->version, pinned[i].version, "plan %s", plan->name);
        struct families families;
        cr_assert(plan->build(n, depth, &families), "plan %s, n = %d", plan->name, n);
        uint64_t units = count_units(&families), all = hash_units(&families),
                 whole = hash_families(&families);
        cr_expect(units == pinned[i].units && all == pinned[i].hash_units &&
                      whole == pinned[i].hash_families,
                  "plan %s, n = %d, depth %d: %" PRIu64 " units, hashes 0x%016" PRIx64
                  ", 0x%016" PRIx64,
                  plan->name, n, depth, units, all, whole);
        nqi_families_free(&families);
    }
}
