/* Plans: their families hold every solution the right number of times, and stay as they are. */
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 12 };

Test(plan, by_name) {
    cr_assert_not_null(plan_by_name(NULL));
    cr_expect_eq(plan_by_name(NULL), plan_by_name("auto"));
    cr_expect_eq(plan_by_name("rows"), &plan_rows);
    const char *const none[] = {"", "row", "rowss", "Rows", " rows", "no such plan"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_expect_null(plan_by_name(none[i]), "plan '%s'", none[i]);
}

Test(plan, default_depth_is_within_range) {
    for (size_t p = 0; plan_under_test(p) != NULL; p++) {
        const struct plan *plan = plan_under_test(p);
        for (int n = 0; n <= NQ_MAX_N; n++) {
            int depth = plan->max_depth > 0 ? plan->default_depth(n) : 0;
            cr_expect(depth >= plan->min_depth && depth <= plan->max_depth,
                      "plan %s, n = %d: depth %d", plan->name, n, depth);
        }
    }
}

/* Calls `check` for the families of every plan, n and depth. */
static void each_build(int largest, void (*check)(const struct plan *, int n, int depth,
                                                  const struct families *)) {
    for (size_t p = 0; plan_under_test(p) != NULL; p++) {
        const struct plan *plan = plan_under_test(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= largest; n++) {
                struct families families;
                cr_assert(plan->build(n, depth, &families), "plan %s, n = %d", plan->name, n);
                check(plan, n, depth, &families);
                families_free(&families);
            }
    }
}

static void check_sum(const struct plan *plan, int n, int depth,
                      const struct families *families) {
    uint64_t sum = 0;
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        sum += f->weight * complete_naively(f, 0, (struct state){.cols = f->cols}).solutions;
    }
    cr_expect_eq(sum, published[n], "plan %s, n = %d, depth %d: %" PRIu64, plan->name, n, depth,
                 sum);
}

Test(plan, weighted_completions_add_up_to_the_total) {
    each_build(LARGEST, check_sum);
}

static void check_shape(const struct plan *plan, int n, int depth,
                        const struct families *families) {
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        const char *const name = plan->name;
        cr_expect(f->weight >= 1 && f->weight <= 8, "plan %s, n = %d", name, n);
        cr_expect_eq(f->board, low_bits(n), "plan %s, n = %d", name, n);
        cr_expect_eq(f->cols & ~f->board, 0, "plan %s, n = %d", name, n);
        cr_expect_eq(__builtin_popcount(f->cols), n - f->rows, "plan %s, n = %d", name, n);
        cr_expect(f->split >= 0 && f->split <= f->rows, "plan %s, n = %d", name, n);
        cr_expect(f->parts >= 1, "plan %s, n = %d", name, n);
        cr_expect(f->unit_cost > 0, "plan %s, n = %d, depth %d", name, n, depth);
        int height = 1; /* of the rows to fill, with the stem rows between them */
        for (int row = 0; row < f->rows; row++) {
            cr_expect_eq(f->open[row] & ~f->board, 0, "plan %s, n = %d, row %d", name, n, row);
            cr_expect(f->step[row] >= 1, "plan %s, n = %d, row %d", name, n, row);
            height += row + 1 < f->rows ? f->step[row] : 0;
        }
        cr_expect(f->rows == 0 || height <= n, "plan %s, n = %d: rows beyond the board", name,
                  n);
    }
}

Test(plan, families_are_well_formed) {
    each_build(16, check_shape);
}

/* Units of `rows`: no placement of two or more rows is its own mirror image, and of each pair
 * of images one is a unit. */
Test(rows, units_are_half_of_all_prefixes) {
    for (int depth = plan_rows.min_depth; depth <= plan_rows.max_depth; depth++)
        for (int n = 0; n <= 14; n++) {
            struct families families;
            cr_assert(plan_rows.build(n, depth, &families), "n = %d", n);
            uint64_t units = 0;
            for (size_t i = 0; i < families.count; i++)
                units += families.family[i].parts;
            uint64_t prefixes = each_placement(n, depth < n ? depth : n, NULL, NULL);
            cr_expect_eq(units, n < 2 ? 1 : prefixes / 2, "n = %d, depth %d: %" PRIu64 " units",
                         n, depth, units);
            families_free(&families);
        }
}

/* FNV-1a over the bytes of a number, lowest first. */
static uint64_t hash(uint64_t hash, uint64_t number) {
    for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

/* Over all units in order: weight and start states, as far as they lie on the board. */
static uint64_t hash_units(const struct families *families, uint64_t *units) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    *units = 0;
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        size_t all;
        struct state *states = states_of_part(f, f->split, 0, 1, &all);
        for (uint32_t part = 0; part < f->parts; part++, ++*units) {
            size_t count = part < all ? (all - part - 1) / f->parts + 1 : 0;
            sum = hash(hash(sum, f->weight), count);
            for (size_t s = part; s < all; s += f->parts)
                sum = hash(hash(hash(sum, states[s].cols), states[s].left & f->board),
                           states[s].right & f->board);
        }
        free(states);
    }
    return sum;
}

/* Over all families in order: what they leave of the board, and what a completion is worth. */
static uint64_t hash_families(const struct families *families) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < families->count; i++) {
        const struct family *f = &families->family[i];
        sum = hash(hash(hash(sum, f->weight), f->cols), (uint64_t)f->rows);
        for (int row = 0; row < f->rows; row++) /* no step leads on from the last row */
            sum = hash(hash(sum, f->open[row]), row + 1 < f->rows ? f->step[row] : 0);
    }
    return sum;
}

/* Results are kept under (plan, version, unit id). Whoever changes what a unit is must raise
 * plan.version with it, or kept results would be taken for those of other units: these
 * constants change only together with the version beside them. */
static const struct {
    char plan[8];
    int version, n, depth;
    uint64_t units, hash_units, hash_families;
} pinned[] = {
    {"rows", 1, 1, 2, 1, UINT64_C(0x80eb9eed63b017c4), UINT64_C(0x79e428b6287893c4)},
    {"rows", 1, 5, 2, 6, UINT64_C(0x28db93d725528498), UINT64_C(0x32fab8063d427e7e)},
    {"rows", 1, 8, 2, 21, UINT64_C(0xed2c5c53185f14c2), UINT64_C(0xc601c4f0c08d6c1e)},
    {"rows", 1, 8, 3, 70, UINT64_C(0x09b9b112e08fd101), UINT64_C(0xc601c4f0c08d6c1e)},
    {"rows", 1, 13, 2, 66, UINT64_C(0x1d0ba9803b4d87b0), UINT64_C(0xaf446710d6bee64f)},
    {"rows", 1, 13, 3, 515, UINT64_C(0x67dd177e41859e29), UINT64_C(0xaf446710d6bee64f)},
    {"rows", 1, 18, 3, 1710, UINT64_C(0x5c00c5a5095d4f3d), UINT64_C(0x814cec0fed674e71)},
    {"rows", 1, 28, 2, 351, UINT64_C(0xbdd844b394a3ccf2), UINT64_C(0x7a83d474158dae24)},
    {"rows", 1, 28, 3, 7850, UINT64_C(0x2d846f6e78d66dcf), UINT64_C(0x7a83d474158dae24)},
    {"cross", 1, 0, 0, 1, UINT64_C(0xa7934829211a0225), UINT64_C(0x5b2a969b42d238a4)},
    {"cross", 1, 1, 0, 1, UINT64_C(0x80eb9eed63b017c4), UINT64_C(0xaa28ac6355e750e5)},
    {"cross", 1, 4, 0, 1, UINT64_C(0xecacf86e6be31029), UINT64_C(0x1e1fa8168e251008)},
    {"cross", 1, 5, 0, 2, UINT64_C(0x2ab62a5ad1e0200d), UINT64_C(0xc7314a045c365ba8)},
    {"cross", 1, 6, 0, 6, UINT64_C(0x866f0d291d8e626e), UINT64_C(0x378f951dcc860c5d)},
    {"cross", 1, 7, 0, 4, UINT64_C(0x8d72030fc0886389), UINT64_C(0xae2ec3a44ed8e94e)},
    {"cross", 1, 8, 0, 30, UINT64_C(0xd469e774c91d17ca), UINT64_C(0x05167d8b987f194e)},
    {"cross", 1, 9, 0, 7, UINT64_C(0x136f2e936ac78121), UINT64_C(0x858ed452c407fccc)},
    {"cross", 1, 12, 0, 342, UINT64_C(0x92389ce1a096fff1), UINT64_C(0x24e5ea4b1dc9cb92)},
    {"cross", 1, 13, 0, 128, UINT64_C(0xaadaec14d91e5bbe), UINT64_C(0xebeedf4ff9dceeac)},
    {"cross", 1, 14, 0, 849, UINT64_C(0xa692be8dece8f08c), UINT64_C(0x7718e39da332916c)},
    {"cross", 1, 15, 0, 352, UINT64_C(0x0e46deed8a771922), UINT64_C(0xf702cc953bce7620)},
    {"cross", 1, 16, 0, 1814, UINT64_C(0x21fd7f9deb5d84af), UINT64_C(0xdcb91808e70ba928)},
    {"cross", 1, 17, 0, 1856, UINT64_C(0xf4f2a8dc5f80bd18), UINT64_C(0xe83a9eb876e6576d)},
    {"cross", 1, 18, 0, 3465, UINT64_C(0xf60ea2f84d58f622), UINT64_C(0xbc918737d184e303)},
    {"cross", 1, 19, 0, 237995, UINT64_C(0xe6ca8d36e12b85c5), UINT64_C(0x1001d79ff2df2fde)},
    {"cross", 1, 20, 0, 6078, UINT64_C(0xd543868b2a70fc86), UINT64_C(0x534f30b74745b936)},
    {"cross", 1, 21, 0, 600695, UINT64_C(0xe6f2f1b3af97cb36), UINT64_C(0xaa99c430b56c334b)},
    {"cross", 1, 22, 0, 39908, UINT64_C(0x9e73ba7b8cd1e0e8), UINT64_C(0xb9d960a0471695b3)},
    {"cross", 1, 25, 0, 1097728, UINT64_C(0xd217001d683ba9f5), UINT64_C(0x5568f3ae49cd2be2)},
    {"cross", 1, 28, 0, 4268800, UINT64_C(0x92685e291bff1cb5), UINT64_C(0x5e5db50bb6c4bb45)},
};

Test(plan, units_stay_as_they_are) {
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        const struct plan *plan = plan_by_name(pinned[i].plan);
        const int n = pinned[i].n, depth = pinned[i].depth;
        cr_assert_not_null(plan, "plan %s", pinned[i].plan);
        cr_expect_eq(plan->version, pinned[i].version, "plan %s", plan->name);
        struct families families;
        cr_assert(plan->build(n, depth, &families), "plan %s, n = %d", plan->name, n);
        uint64_t units, all = hash_units(&families, &units), whole = hash_families(&families);
        cr_expect(units == pinned[i].units && all == pinned[i].hash_units &&
                      whole == pinned[i].hash_families,
                  "plan %s, n = %d, depth %d: %" PRIu64 " units, hashes 0x%016" PRIx64
                  ", 0x%016" PRIx64,
                  plan->name, n, depth, units, all, whole);
        families_free(&families);
    }
}

Test(families, add_keeps_order_and_free_empties) {
    struct families list = {0};
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert(families_add(&list, &(struct family){.weight = i}));
    cr_assert_eq(list.count, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(list.family[i].weight, i);
    families_free(&list);
    cr_expect_eq(list.count, 0);
    cr_expect_null(list.family);
    families_free(&list); /* an empty list may be released */
}
