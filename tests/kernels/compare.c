/* SPDX-License-Identifier: MIT */
/* Compares all kernels with each other, and writes TAP. A plain program, since sanitizers do
 * not work with a test framework that forks.
 *
 * Its sources, the kernels among them, are compiled again for it: see meson.build. */
#include "answers.h"
#include "engine/methods.h"
#include "fingerprints.h"
#include "implementations.h"
#include "made_up.h"
#include "room.h"
#include "search/plan.h"
#include "tap.h"

#include <inttypes.h>

#ifndef LARGEST
#define LARGEST 10
#endif
#ifndef RANDOM_FAMILIES
#define RANDOM_FAMILIES 40
#endif

/* Runs a kernel on its own copy of the states. */
static bool run(const struct kernel *kernel, const struct family *f, int row,
                const struct state *states, size_t count, const struct heartbeat *heartbeat,
                struct tally *tally) {
    struct room own = room_with(states, count * sizeof *states),
                scratch = room_new(kernel->scratch_bytes);
    *tally = (struct tally){0};
#ifdef CHECK /* by checks.h, if kernels are compiled again */
    checked_kernel = kernel;
    checked_scratch = (const uint32_t *)(void *)scratch.own;
#endif
    bool done = kernel->count(f, row, (const struct state *)(void *)own.own, count, scratch.own,
                              heartbeat, tally);
    EXPECT(room_end(&scratch), "kernel %s wrote outside its scratch memory", kernel->impl.name);
    EXPECT(room_end(&own), "kernel %s wrote beside the states", kernel->impl.name);
    return done;
}

/* Runs all kernels on the same states. Returns the tally of the first. */
static struct tally compare(const struct family *f, int row, const struct state *states,
                            size_t count, const char *what) {
    struct tally first = {0};
    for (const struct kernel *kernel = NULL; (kernel = kernel_after(kernel)) != NULL;) {
        struct tally tally;
        EXPECT(run(kernel, f, row, states, count, NULL, &tally), "%s: kernel %s stopped", what,
               kernel->impl.name);
        if (kernel == &nqi_kernel_scalar64)
            first = tally;
        EXPECT(tally.solutions == first.solutions && tally.nodes == first.nodes,
               "%s, %d rows, %zu states at row %d, kernel %s: %" PRIu64 " solutions, %" PRIu64
               " nodes; not %" PRIu64 ", %" PRIu64,
               what, f->rows, count, row, kernel->impl.name, tally.solutions, tally.nodes,
               first.solutions, first.nodes);
    }
    return first;
}

static struct tally compare_part(const struct family *f, uint32_t part, const char *what) {
    size_t count;
    struct state *states = states_of_part(f, f->expanded, part, f->parts, &count);
    const struct tally tally = compare(f, f->expanded, states, count, what);
    free(states);
    return tally;
}

static void compare_plan(int n, const char *plan, uint64_t nodes) {
    char what[64];
    snprintf(what, sizeof what, "n = %d, plan %s", n, plan);
    struct families families;
    EXPECT(nqi_plan_by_name(&nqi_method_search, plan, NULL)->build(n, &families), "%s", what);
    struct tally sum = {0};
    uint64_t total = 0;
    for (size_t i = 0; i < families.count; i++)
        for (uint32_t part = 0; part < families.family[i].parts; part++) {
            const struct tally tally = compare_part(&families.family[i], part, what);
            sum.solutions += families.family[i].weight * tally.solutions;
            sum.nodes += tally.nodes;
        }
    nq_known_total(n, &total);
    EXPECT(sum.solutions == total && sum.nodes == nodes,
           "%s: %" PRIu64 " solutions, %" PRIu64 " nodes", what, sum.solutions, sum.nodes);
    nqi_families_free(&families);
}

static void all_units(void) {
    for (int n = 0; n < (int)FINGERPRINTS && n <= LARGEST; n++)
        for (int plan = 0; plan < FINGERPRINT_PLANS; plan++)
            compare_plan(n, fingerprint_plans[plan], fingerprints[n][plan].nodes);
    end_case("kernels visit the pinned nodes of every plan");
}

static uint64_t seed = 1;

/* Of the largest boards that count in seconds here, some of the cheaper units. */
static void large_boards(void) {
    const int times = getenv("NQUEENS_TEST_LARGE") != NULL ? 4 : 1;
    static const struct plan *const plans[] = {&nqi_plan_cross, &nqi_plan_rows};
    for (int p = 0; p < 2; p++)
        for (int n = 15; n <= 20 - 2 * p; n++) {
            struct families families;
            EXPECT(plans[p]->build(n, &families), "n = %d", n);
            for (int unit = 0; unit < times * (n < 18 ? 12 : 3); unit++) {
                const struct family *f = families.family, *other;
                for (int i = 0; i < 8; i++) {
                    other = &families.family[random_below(&seed, (int)families.count)];
                    f = other->log_cost < f->log_cost || i == 0 ? other : f;
                }
                compare_part(f, (uint32_t)random_below(&seed, (int)f->parts), plans[p]->name);
            }
            nqi_families_free(&families);
        }
    end_case("kernels agree on units of n = 15 to 20");
}

static void random_families(void) {
    enum { MOST = 1500 };
    static struct state list[MOST];
    for (int i = 0; i < RANDOM_FAMILIES; i++) {
        int rows = 1 + random_below(&seed, 9),
            n = 20 + random_below(&seed, NQ_MAX_SEARCH_N - 19);
        struct family f = random_family(n, rows, &seed);
        int row = random_below(&seed, rows < 4 ? rows + 1 : 4);
        size_t count, length = 1 + (size_t)random_below(&seed, MOST);
        struct state *states = states_of_part(&f, row, 0, 1, &count);
        for (size_t s = 0; s < length && count > 0; s++)
            list[s] = states[(size_t)random_below(&seed, (int)count)];
        if (count > 0)
            compare(&f, row, list, length, "random family");
        free(states);
    }
    end_case("kernels agree on random states of random families, n = 20 to 28");
}

/* Nearly every state of a large empty board has many children, so the stack of every row gets
 * as full as it ever can. */
static void full_stacks(void) {
    enum { MOST = 5000, CALLS = 2 };
    static struct state list[MOST];
    for (int n = 20; n <= NQ_MAX_SEARCH_N; n += 4)
        for (int row = 0; row <= 2; row++)
            for (const struct kernel *kernel = NULL; (kernel = kernel_after(kernel)) != NULL;) {
                const struct family f = empty_board(n);
                struct answers no = {.no_at = CALLS};
                size_t count;
                struct state *states = states_of_part(&f, row, 0, 1, &count);
                for (size_t i = 0; i < MOST; i++)
                    list[i] = states[i % count];
                free(states);
                struct tally tally;
                bool done = run(kernel, &f, row, list, MOST, HEARTBEAT(&no), &tally);
                EXPECT(!done && no.calls == CALLS, "kernel %s, n = %d, row %d: %d calls",
                       kernel->impl.name, n, row, (int)no.calls);
            }
    end_case("kernels stop with full stacks when the heartbeat says no, n = 20 to 28");
}

int main(void) {
    print_missing(nqi_kernel_list);
    all_units();
    if (LARGEST > 10)
        large_boards();
    random_families();
    full_stacks();
    return end_cases();
}
