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
        size_t most = family_expand(f, f->split, 0, f->parts, NULL);
        struct state *states = malloc((most + 1) * sizeof *states);
        cr_assert_not_null(states);
        for (uint32_t part = 0; part < f->parts; part++, ++*units) {
            size_t count = family_expand(f, f->split, part, f->parts, states);
            sum = hash(hash(sum, f->weight), count);
            for (size_t s = 0; s < count; s++)
                sum = hash(hash(hash(sum, states[s].cols), states[s].left & f->board),
                           states[s].right & f->board);
        }
        free(states);
    }
    return sum;
}

/* Results are kept under (plan, version, unit id). Whoever changes what a unit is must raise
 * plan.version with it, or kept results would be taken for those of other units: these
 * constants change only together with the version beside them. */
static const struct {
    char plan[8];
    int version, n, depth;
    uint64_t units, hash;
} pinned[] = {
    {"rows", 1, 1, 2, 1, UINT64_C(0x80eb9eed63b017c4)},
    {"rows", 1, 5, 2, 6, UINT64_C(0x28db93d725528498)},
    {"rows", 1, 8, 2, 21, UINT64_C(0xed2c5c53185f14c2)},
    {"rows", 1, 8, 3, 70, UINT64_C(0x09b9b112e08fd101)},
    {"rows", 1, 13, 2, 66, UINT64_C(0x1d0ba9803b4d87b0)},
    {"rows", 1, 13, 3, 515, UINT64_C(0x67dd177e41859e29)},
    {"rows", 1, 18, 3, 1710, UINT64_C(0x5c00c5a5095d4f3d)},
    {"rows", 1, 28, 2, 351, UINT64_C(0xbdd844b394a3ccf2)},
    {"rows", 1, 28, 3, 7850, UINT64_C(0x2d846f6e78d66dcf)},
};

Test(plan, units_stay_as_they_are) {
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        const struct plan *plan = plan_by_name(pinned[i].plan);
        const int n = pinned[i].n, depth = pinned[i].depth;
        cr_assert_not_null(plan, "plan %s", pinned[i].plan);
        cr_expect_eq(plan->version, pinned[i].version, "plan %s", plan->name);
        struct families families;
        cr_assert(plan->build(n, depth, &families), "plan %s, n = %d", plan->name, n);
        uint64_t units, sum = hash_units(&families, &units);
        cr_expect(units == pinned[i].units && sum == pinned[i].hash,
                  "plan %s, n = %d, depth %d: %" PRIu64 " units, hash 0x%016" PRIx64,
                  plan->name, n, depth, units, sum);
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
