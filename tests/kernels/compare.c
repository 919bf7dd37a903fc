/* Compares all kernels with each other, and writes TAP. A plain program, since sanitizers do
 * not work with a test framework that forks.
 *
 * Its sources, the kernels among them, are compiled again for it: see meson.build. */
#include "checked.h"
#include "fingerprints.h"
#include "implementations.h"
#include "made_up.h"
#include "search/plan.h"
#include "tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernels to compare, by index: those that run here, then the checked one. */
static const struct kernel *compared(size_t index) {
    size_t here = 0;
    while (kernel_here(here) != NULL)
        here++;
    return index == here ? &kernel_checked : kernel_here(index);
}

enum { LARGEST = 10, GUARD = 64, RUBBISH = 0xA5 };

static bool is_untouched(const unsigned char *guard) {
    for (size_t i = 0; i < GUARD; i++)
        if (guard[i] != RUBBISH)
            return false;
    return true;
}

/* Runs a kernel on its own copy of the states, which has no byte to spare. In every other run
 * the scratch memory has none to spare either, so that AddressSanitizer sees an access beside
 * it; else it has guards around it, and is aligned to 64 bytes and not to more. */
static bool run(const struct kernel *kernel, const struct family *f, int row,
                const struct state *states, size_t count, const struct heartbeat *heartbeat,
                struct tally *tally) {
    static unsigned runs;
    const bool guarded = runs++ % 2 == 0;
    const size_t bytes = kernel->scratch_bytes;
    unsigned char *memory = guarded ? allocate(128, bytes + 2 * GUARD) : allocate(64, bytes);
    unsigned char *scratch = guarded ? memory + GUARD : memory;
    memset(memory, RUBBISH, guarded ? bytes + 2 * GUARD : bytes);
    struct state *own = malloc(count * sizeof *own);
    if (count > 0 && own != NULL)
        memcpy(own, states, count * sizeof *own);
    *tally = (struct tally){0};
    bool done = kernel->count(f, row, own, count, scratch, heartbeat, tally);
    if (guarded)
        EXPECT(is_untouched(memory) && is_untouched(scratch + bytes),
               "kernel %s wrote outside its scratch memory", kernel->impl.name);
    free(own);
    free(memory);
    return done;
}

/* Runs all kernels on the same states. Returns the tally of the first. */
static struct tally compare(const struct family *f, int row, const struct state *states,
                            size_t count, const char *what) {
    struct tally first = {0};
    const struct kernel *kernel;
    for (size_t k = 0; (kernel = compared(k)) != NULL; k++) {
        struct tally tally;
        EXPECT(run(kernel, f, row, states, count, NULL, &tally), "%s: kernel %s stopped", what,
               kernel->impl.name);
        if (k == 0)
            first = tally;
        EXPECT(tally.solutions == first.solutions && tally.nodes == first.nodes,
               "%s, %d rows, %zu states at row %d, kernel %s: %" PRIu64 " solutions, %" PRIu64
               " nodes; not %" PRIu64 ", %" PRIu64,
               what, f->rows, count, row, kernel->impl.name, tally.solutions, tally.nodes,
               first.solutions, first.nodes);
    }
    return first;
}

static struct state *expand(const struct family *f, int row, size_t *count) {
    *count = nqi_family_expand(f, row, NULL);
    struct state *states = allocate(64, (*count + 1) * sizeof *states);
    nqi_family_expand(f, row, states);
    return states;
}

/* Compares the kernels on each unit of a family, and adds the units to the sum. */
static void compare_units(const struct family *f, const char *what, struct tally *sum) {
    size_t count;
    struct state *states = expand(f, f->expanded, &count);
    struct state *part = allocate(64, (count + 1) * sizeof *part);
    for (uint32_t unit = 0; unit < f->parts; unit++) {
        size_t own = 0;
        for (size_t i = unit; i < count; i += f->parts)
            part[own++] = states[i];
        struct tally tally = compare(f, f->expanded, part, own, what);
        sum->solutions += f->weight * tally.solutions;
        sum->nodes += tally.nodes;
    }
    free(part);
    free(states);
}

static void all_units(void) {
    for (size_t i = 0; i < FINGERPRINTS; i++) {
        const struct fingerprint *p = &fingerprints[i];
        if (p->n > LARGEST)
            continue;
        char what[64];
        snprintf(what, sizeof what, "n = %d, plan %s, depth %d", p->n, p->plan, p->depth);
        struct families families;
        EXPECT(nqi_plan_by_name(p->plan, NULL)->build(p->n, p->depth, &families), "%s", what);
        struct tally sum = {0};
        uint64_t total = 0;
        for (size_t family = 0; family < families.count; family++)
            compare_units(&families.family[family], what, &sum);
        nq_known_total(p->n, &total);
        EXPECT(sum.solutions == total && sum.nodes == p->nodes,
               "%s: %" PRIu64 " solutions, %" PRIu64 " nodes", what, sum.solutions, sum.nodes);
        nqi_families_free(&families);
    }
    end_case("kernels agree on every unit of every plan, n = 0 to 10");
}

static void long_lists(void) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++)
        for (int n = 8; n <= 10; n++) {
            struct families families;
            EXPECT(nqi_plan_at(p)->build(n, nqi_plan_at(p)->max_depth, &families), "n = %d", n);
            for (size_t i = 0; i < families.count; i++)
                for (int row = 0; row <= families.family[i].rows; row++) {
                    size_t count;
                    struct state *states = expand(&families.family[i], row, &count);
                    compare(&families.family[i], row, states, count, nqi_plan_at(p)->name);
                    free(states);
                }
            nqi_families_free(&families);
        }
    end_case("kernels agree on all states of a row at once, n = 8 to 10");
}

static uint64_t seed = 1;

/* A family with random rows, steps and squares. There need not be a stem that leads to it. */
static struct family random_family(int n, int rows) {
    struct family f = {.weight = 1, .rows = rows, .board = low_bits(n), .parts = 1};
    for (int taken = 0; taken < n - rows;) {
        uint32_t column = UINT32_C(1) << random_below(&seed, n);
        taken += (f.cols & column) == 0;
        f.cols |= column;
    }
    int spare = n - rows; /* rows of the stem, some of them between the rows to fill */
    for (int row = 0; row < rows; row++) {
        int skip = random_below(&seed, 3) == 0 ? random_below(&seed, spare + 1) : 0;
        spare -= skip;
        f.step[row] = (uint8_t)(1 + skip);
        f.open[row] = (random_bits(&seed) | random_bits(&seed)) & f.board;
    }
    return f;
}

#ifndef RANDOM_FAMILIES
#define RANDOM_FAMILIES 40
#endif

static void random_families(void) {
    enum { MOST = 1500 };
    static struct state list[MOST];
    for (int i = 0; i < RANDOM_FAMILIES; i++) {
        int rows = 1 + random_below(&seed, 9), n = 20 + random_below(&seed, NQ_MAX_N - 19);
        struct family f = random_family(n, rows);
        int row = random_below(&seed, rows < 4 ? rows + 1 : 4);
        size_t count, length = 1 + (size_t)random_below(&seed, MOST);
        struct state *states = expand(&f, row, &count);
        for (size_t s = 0; s < length && count > 0; s++)
            list[s] = states[(size_t)random_below(&seed, (int)count)];
        if (count > 0)
            compare(&f, row, list, length, "random family");
        free(states);
    }
    end_case("kernels agree on random states of random families, n = 20 to 28");
}

struct asked {
    int calls, say_no_at;
};

static bool go_on(void *context, uint64_t work) {
    (void)work;
    struct asked *asked = context;
    return ++asked->calls != asked->say_no_at;
}

/* Nearly every state of a large empty board has many children, so the stack of every row gets
 * as full as it ever can. */
static void full_stacks(void) {
    enum { MOST = 5000, CALLS = 2 };
    static struct state list[MOST];
    const struct kernel *kernel;
    for (int n = 20; n <= NQ_MAX_N; n += 4)
        for (int row = 0; row <= 2; row++)
            for (size_t k = 0; (kernel = compared(k)) != NULL; k++) {
                const struct family f = empty_board(n);
                struct asked asked = {.say_no_at = CALLS};
                const struct heartbeat heartbeat = {.go_on = go_on, .context = &asked};
                size_t count;
                struct state *states = expand(&f, row, &count);
                for (size_t i = 0; i < MOST; i++)
                    list[i] = states[i % count];
                free(states);
                struct tally tally;
                bool done = run(kernel, &f, row, list, MOST, &heartbeat, &tally);
                EXPECT(!done && asked.calls == CALLS, "kernel %s, n = %d, row %d: %d calls",
                       kernel->impl.name, n, row, asked.calls);
            }
    end_case("kernels stop with full stacks when the heartbeat says no, n = 20 to 28");
}

static void heartbeats_that_say_yes(void) {
    const struct family f = empty_board(13);
    const struct state top = {0};
    uint64_t total = 0;
    nq_known_total(13, &total);
    const struct kernel *kernel;
    for (size_t k = 0; (kernel = compared(k)) != NULL; k++) {
        struct asked asked = {.say_no_at = 0};
        const struct heartbeat heartbeat = {.go_on = go_on, .context = &asked};
        struct tally tally;
        bool done = run(kernel, &f, 0, &top, 1, &heartbeat, &tally);
        EXPECT(done && tally.solutions == total && asked.calls > 0,
               "kernel %s: %" PRIu64 " solutions, %d calls", kernel->impl.name, tally.solutions,
               asked.calls);
    }
    end_case("kernels count a whole board while the heartbeat says yes, n = 13");
}

int main(void) {
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        if (!kernel_runs(kernel_at(k)))
            printf("# kernel %s does not run here\n", kernel_at(k)->impl.name);
    all_units();
    long_lists();
    random_families();
    full_stacks();
    heartbeats_that_say_yes();
    return end_cases();
}
