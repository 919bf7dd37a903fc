/* Compares all matchers with a naive loop, and writes TAP. A plain program, since sanitizers do
 * not work with a test framework that forks.
 *
 * The matchers are compiled again for it: see meson.build. */
#include "implementations.h"
#include "signatures.h"
#include "tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

/* Memory full of rubbish, aligned to 64 bytes, and with no byte to spare, so that
 * AddressSanitizer sees an access beside it. */
static void *rubbish(size_t bytes) {
    void *memory = allocate(64, bytes > 0 ? bytes : 1);
    memset(memory, (int)random_below(&seed, 256), bytes);
    return memory;
}

static struct half_list copy_of(const uint64_t *signature, size_t count) {
    struct half_list list = {.count = count, .room = count};
    list.signature = rubbish((count + HALF_SLACK) * sizeof *signature);
    if (count > 0)
        memcpy(list.signature, signature, count * sizeof *signature);
    return list;
}

static uint64_t match(const struct matcher *matcher, const uint64_t *a, size_t a_count,
                      const uint64_t *b, size_t b_count, size_t room_count) {
    struct half_list one = copy_of(a, a_count), two = copy_of(b, b_count);
    uint64_t *room = rubbish(room_count * sizeof *room), pairs = 5;
    void *scratch = rubbish(matcher->scratch_bytes);
    EXPECT(matcher->match(half_span_of(&one), half_span_of(&two), room, room_count, scratch,
                          NULL, &pairs),
           "matcher %s stopped", matcher->impl.name);
    free(scratch);
    free(room);
    free(one.signature);
    free(two.signature);
    return pairs - 5;
}

enum { LONGEST = 9000 };
static uint64_t t[LONGEST], u[LONGEST];

static void compare(enum likeness likeness, size_t a, size_t b, size_t room) {
    make_up_signatures(likeness, &seed, 0, t, a);
    make_up_signatures(likeness, &seed, 1, u, b);
    uint64_t expected = match_naively(t, a, u, b);
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        uint64_t pairs = match(matcher, t, a, u, b, room);
        EXPECT(pairs == expected,
               "matcher %s, likeness %d, lists of %zu and %zu, room for %zu: %" PRIu64
               " pairs, not %" PRIu64,
               matcher->impl.name, (int)likeness, a, b, room, pairs, expected);
    }
}

static void short_lists(void) {
    static const size_t lengths[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 200, 257};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    for (int likeness = 0; likeness < LIKENESSES; likeness++)
        for (size_t i = 0; i < LENGTHS; i++)
            for (size_t j = 0; j < LENGTHS; j++)
                compare((enum likeness)likeness, lengths[i], lengths[j],
                        ample_room(lengths[i], lengths[j]));
    end_case("matchers find all pairs of short lists");
}

static void long_lists(void) {
    static const size_t lengths[][2] = {
        {511, 513}, {768, 1025}, {1024, 769}, {4097, 1023}, {700, 8193}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t a = lengths[i][0], b = lengths[i][1];
        for (int likeness = 0; likeness < LIKENESSES; likeness++)
            compare((enum likeness)likeness, a, b, ample_room(a, b));
        for (size_t room = 0; room < 3 * (a + b); room += 61 + room / 2)
            compare(LIGHT, a, b, room);
        compare(LIGHT, a, b, a + b + 2 * HALF_SLACK - 1);
        compare(LIGHT, a, b, a + b + 2 * HALF_SLACK);
    }
    end_case("matchers find all pairs of long lists, with room and without");
}

/* `bits` bits occur in both lists, and no others. */
static void common_bits(void) {
    for (int bits = 0; bits <= SIGNATURE_BITS; bits++) {
        uint64_t common = 0;
        while (__builtin_popcountll(common) < bits)
            common |= UINT64_C(1) << random_below(&seed, SIGNATURE_BITS);
        for (size_t i = 0; i < 1030; i++) {
            t[i] = random_eighths(&seed, 1) & common;
            u[i] = random_eighths(&seed, 2) & common;
        }
        uint64_t expected = match_naively(t, 1030, u, 333);
        const struct matcher *matcher;
        for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++)
            for (size_t room = 0; room <= 9000; room += 9000) {
                uint64_t pairs = match(matcher, t, 1030, u, 333, room);
                EXPECT(pairs == expected, "matcher %s, %d common bits: %" PRIu64,
                       matcher->impl.name, bits, pairs);
            }
    }
    end_case("matchers find all pairs for any number of common bits");
}

static void disjoint_signatures(void) {
    const struct matcher *matcher;
    for (size_t a = 0; a <= 20; a++)
        for (size_t b = 0; b <= 20; b++)
            for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
                make_up_signatures(LIGHT, &seed, 0, t, a);
                make_up_signatures(LIGHT, &seed, 1, u, b);
                struct half_list left = copy_of(t, a), right = copy_of(u, b);
                uint64_t *out = rubbish((a * b + HALF_SLACK) * sizeof *out), sum = 0;
                const uint32_t of_left[] = {0, (uint32_t)a}, of_right[] = {0, (uint32_t)b};
                size_t expected = 0,
                       count = matcher->listing.combine(
                           (struct stretches){left.signature, of_left},
                           (struct stretches){right.signature, of_right}, 0, 1, 0, out);
                for (size_t i = 0; i < a; i++)
                    for (size_t j = 0; j < b; j++)
                        if ((t[i] & u[j]) == 0) {
                            expected++;
                            sum += t[i] | u[j];
                        }
                for (size_t i = 0; i < count; i++)
                    sum -= out[i];
                EXPECT(count == expected && sum == 0, "fit of %s, %zu and %zu: %zu, not %zu",
                       matcher->impl.name, a, b, count, expected);
                free(out);
                free(left.signature);
                free(right.signature);
            }
    end_case("matchers combine disjoint signatures of two short lists");
}

static void excluded_diagonals(void) {
    const struct matcher *matcher;
    for (size_t count = 0; count <= 70; count++)
        for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
            make_up_signatures(LIGHT, &seed, 0, t, count);
            const uint64_t excluded = random_eighths(&seed, 1) & 0xffffff;
            struct half_list list = copy_of(t, count), copy = copy_of(u, count);
            size_t expected = 0, copied = matcher->listing.holding(list.signature, count,
                                                                   excluded, 0, copy.signature);
            bool right = true;
            for (size_t i = 0; i < count; i++)
                if ((t[i] & excluded) == 0)
                    right = right && copy.signature[expected++] == t[i];
            const uint32_t start[] = {0, (uint32_t)count / 3, (uint32_t)count};
            uint32_t remaining[3];
            matcher->listing.remaining((struct stretches){list.signature, start}, 2, excluded,
                                       copy.signature, remaining);
            right = right && remaining[0] == 0 && remaining[2] == expected &&
                    (remaining[1] == 0 || (copy.signature[remaining[1] - 1] & excluded) == 0);
            EXPECT(right && copied == expected, "holding of %s, %zu: %zu, not %zu",
                   matcher->impl.name, count, copied, expected);
            free(list.signature);
            free(copy.signature);
        }
    end_case("matchers copy signatures without excluded diagonals");
}

int main(void) {
    for (size_t m = 0; matcher_at(m) != NULL; m++)
        if (!matcher_runs(matcher_at(m)))
            printf("# matcher %s does not run here\n", matcher_at(m)->impl.name);
    short_lists();
    long_lists();
    common_bits();
    disjoint_signatures();
    excluded_diagonals();
    return end_cases();
}
