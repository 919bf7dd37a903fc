/* Kernels compared with brute force on every unit of every plan: solutions and nodes. */
#include "implementations.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

/* What is compared, for messages. */
struct place {
    const struct plan *plan;
    int n, depth;
    size_t family;
    uint32_t part;
};

static void compare(const struct place *at, const struct family *f, int row,
                    const struct state *states, size_t count) {
    struct tally expected = {0};
    for (size_t i = 0; i < count; i++) {
        struct tally one = complete_naively(f, row, states[i]);
        expected.solutions += one.solutions;
        expected.nodes += one.nodes;
    }
    const struct kernel *kernel;
    for (size_t k = 0; (kernel = kernel_here(k)) != NULL; k++) {
        struct tally tally = run_kernel(kernel, f, row, states, count);
        cr_expect(tally.solutions == expected.solutions && tally.nodes == expected.nodes,
                  "kernel %s, plan %s, n = %d, depth %d, family %zu, part %u, row %d: %" PRIu64
                  " solutions, %" PRIu64 " nodes; not %" PRIu64 ", %" PRIu64,
                  kernel->impl.name, at->plan->name, at->n, at->depth, at->family, at->part,
                  row, tally.solutions, tally.nodes, expected.solutions, expected.nodes);
    }
}

/* Compares the kernels on part `part` of `parts` of the states at row `row`. */
static void compare_part(const struct place *at, const struct family *f, int row, uint32_t part,
                         uint32_t parts) {
    size_t count;
    struct state *states = states_of_part(f, row, part, parts, &count);
    compare(at, f, row, states, count);
    free(states);
}

static void each_family(int n, void (*check)(struct place *, const struct family *)) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++) {
            struct families families;
            cr_assert(plan->build(n, depth, &families), "plan %s, n = %d", plan->name, n);
            struct place at = {.plan = plan, .n = n, .depth = depth};
            for (at.family = 0; at.family < families.count; at.family++)
                check(&at, &families.family[at.family]);
            nqi_families_free(&families);
        }
    }
}

static void each_unit(struct place *at, const struct family *f) {
    for (at->part = 0; at->part < f->parts; at->part++)
        compare_part(at, f, f->expanded, at->part, f->parts);
}

#define UNITS(n)                                                                               \
    Test(kernel, every_unit_of_n_##n##_equals_brute_force) {                                   \
        each_family(n, each_unit);                                                             \
    }
UNITS(0)
UNITS(1)
UNITS(2)
UNITS(3)
UNITS(4)
UNITS(5)
UNITS(6)
UNITS(7)
UNITS(8)
UNITS(9)
UNITS(10)
UNITS(11)

/* Units start at a family's split, but a kernel takes the states of any row, all at once. */
static void each_row(struct place *at, const struct family *f) {
    for (int row = 0; row <= f->rows; row++)
        compare_part(at, f, row, 0, 1);
}

#define ROWS(n)                                                                                \
    Test(kernel, states_at_any_row_of_n_##n##_equal_brute_force) {                             \
        each_family(n, each_row);                                                              \
    }
ROWS(3)
ROWS(4)
ROWS(5)
ROWS(6)
ROWS(7)
ROWS(8)
ROWS(9)

/* For boards that are too large for brute force. */
static void compare_total(int n) {
    const struct kernel *kernel;
    for (size_t k = 0; (kernel = kernel_here(k)) != NULL; k++) {
        struct families families;
        cr_assert(nqi_plan_rows.build(n, 2, &families));
        uint64_t sum = 0;
        for (size_t i = 0; i < families.count; i++) {
            const struct family *f = &families.family[i];
            const struct state top = {.cols = f->cols};
            sum += f->weight * run_kernel(kernel, f, 0, &top, 1).solutions;
        }
        cr_expect_eq(sum, published[n], "kernel %s, n = %d: %" PRIu64, kernel->impl.name, n,
                     sum);
        nqi_families_free(&families);
    }
}

Test(kernel, larger_boards_have_the_published_totals) {
    for (int n = 12; n < PUBLISHED; n++)
        compare_total(n);
}
