/* Matchers compared with a naive double loop. */
#include "half_search.h"
#include "matchers.h"
#include "oracle.h"
#include "signatures.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 270001 }; /* matchers move lists in chunks of 2^17 */
static uint64_t t[LONGEST], u[LONGEST];

/* Every matcher must find so many pairs of t[0..a-1] and u[0..b-1], given that room. */
static void expect_pairs(size_t a, size_t b, size_t room, uint64_t expected, const char *what) {
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        uint64_t pairs;
        cr_assert(try_matcher(matcher, t, a, u, b, room, NULL, &pairs),
                  "matcher %s stopped with no heartbeat to say so", matcher->impl.name);
        cr_expect_eq(pairs, expected,
                     "matcher %s, %s, lists of %zu and %zu, room for %zu: %" PRIu64
                     " pairs, not %" PRIu64,
                     matcher->impl.name, what, a, b, room, pairs, expected);
    }
}

static void compare(enum likeness likeness, size_t a, size_t b, size_t room) {
    uint64_t seed = a * 31 + b;
    char what[32];
    snprintf(what, sizeof what, "likeness %d", (int)likeness);
    make_up_signatures(likeness, &seed, 0, t, a);
    make_up_signatures(likeness, &seed, 1, u, b);
    expect_pairs(a, b, room, match_naively(t, a, u, b), what);
}

static const size_t short_lengths[] = {0, 1, 2, 8, 9, 63, 64, 65, 193, 257},
                    long_lengths[] = {511, 512, 513, 769, 1023, 1024, 1025, 4097, 8191};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

Test(matcher, finds_all_pairs_of_short_lists) {
    for (int likeness = 0; likeness < LIKENESSES; likeness++)
        for (size_t i = 0; i < LENGTH(short_lengths); i++)
            for (size_t j = 0; j < LENGTH(short_lengths); j++)
                compare((enum likeness)likeness, short_lengths[i], short_lengths[j],
                        ample_room(short_lengths[i], short_lengths[j]));
}

Test(matcher, finds_all_pairs_of_lists_of_any_short_length) {
    for (size_t a = 0; a <= 200; a++) {
        compare(LIGHT, a, 200 - a, ample_room(a, 200 - a));
        compare(MEDIUM, a, 77, ample_room(a, 77));
        compare(SPARSE, 300, a, ample_room(300, a));
        compare(UNEVEN, 600 + a, 700 - a, ample_room(600 + a, 700 - a));
    }
}

Test(matcher, finds_all_pairs_of_a_short_and_a_long_list) {
    int likeness = 0;
    for (size_t i = 0; i < LENGTH(short_lengths); i++)
        for (size_t j = 0; j < LENGTH(long_lengths); j++)
            for (int k = 0; k < 2; k++, likeness = (likeness + 1) % LIKENESSES) {
                size_t a = short_lengths[i], b = long_lengths[j];
                compare((enum likeness)likeness, a, b, ample_room(a, b));
                compare((enum likeness)likeness, b, a, ample_room(a, b));
            }
}

/* Each likeness occurs with each length, but not with each pair of lengths. */
Test(matcher, finds_all_pairs_of_long_lists) {
    int likeness = 0;
    for (size_t i = 0; i < LENGTH(long_lengths); i++)
        for (size_t j = i % 2; j < LENGTH(long_lengths); j += 2) {
            size_t a = long_lengths[i], b = long_lengths[j];
            compare((enum likeness)likeness, a, b, ample_room(a, b));
            likeness = (likeness + 1) % LIKENESSES;
        }
    for (likeness = 0; likeness < LIKENESSES; likeness++) {
        compare((enum likeness)likeness, 1025, 1023, ample_room(1025, 1023));
        compare((enum likeness)likeness, 4097, 769, ample_room(4097, 769));
        compare((enum likeness)likeness, 513, 4095, ample_room(513, 4095));
    }
}

Test(matcher, finds_all_pairs_of_very_long_lists) {
    compare(LIGHT, 30000, 3000, ample_room(30000, 3000));
    compare(MEDIUM, 3001, 24000, ample_room(3001, 24000));
    compare(UNEVEN, 10011, 10003, ample_room(10011, 10003));
    compare(SPARSE, 40000, 1000, ample_room(40000, 1000));
    compare(DENSE, 900, 40000, ample_room(900, 40000));
}

/* So long that a split moves them chunk by chunk. */
Test(matcher, finds_all_pairs_of_lists_split_in_chunks) {
    compare(LIGHT, LONGEST, 600, ample_room(LONGEST, 600));
    compare(MEDIUM, 600, LONGEST, ample_room(600, LONGEST));
}

Test(matcher, finds_all_pairs_with_little_room_or_none) {
    static const size_t pairs[][2] = {
        {513, 769}, {1025, 1024}, {4097, 1500}, {700, 8193}, {8193, 600}};
    for (size_t p = 0; p < LENGTH(pairs); p++) {
        size_t a = pairs[p][0], b = pairs[p][1], both = a + b;
        const size_t rooms[] = {0,
                                1,
                                8,
                                HALF_SLACK,
                                2 * HALF_SLACK,
                                a,
                                both,
                                both + HALF_SLACK,
                                both + 2 * HALF_SLACK - 1,
                                both + 2 * HALF_SLACK,
                                both + 2 * HALF_SLACK + 1,
                                both + 5 * HALF_SLACK,
                                3 * both / 2,
                                2 * both};
        for (size_t r = 0; r < LENGTH(rooms); r++) {
            compare(LIGHT, a, b, rooms[r]);
            compare(UNEVEN, b, a, rooms[r]);
        }
    }
}

/* Around the lengths of blocks, of parts that are not split and of those looked up at once;
 * with as many common bits as one word has or less, and with more. */
Test(matcher, finds_all_pairs_of_lists_about_as_long_as_blocks) {
    static const size_t lengths[] = {1, 16, 17, 31, 255, 256, 513, 528, 1025};
    uint64_t seed = 14;
    for (int bits = 31; bits <= 34; bits++) {
        uint64_t common = 0;
        while (__builtin_popcountll(common) < bits)
            common |= UINT64_C(1) << random_below(&seed, SIGNATURE_BITS);
        for (size_t i = 0; i < 1025; i++) {
            t[i] = random_eighths(&seed, 1) & common;
            u[i] = random_eighths(&seed, 1 + bits % 2) & common;
        }
        for (size_t i = 0; i < LENGTH(lengths); i++)
            for (size_t j = 0; j < LENGTH(lengths); j++) {
                const size_t a = lengths[i], b = lengths[j];
                const uint64_t expected = match_naively(t, a, u, b);
                expect_pairs(a, b, ample_room(a, b), expected, "about a block");
                expect_pairs(a, b, (a + b) / 2 + 16, expected, "about a block, little room");
                expect_pairs(a, b, 0, expected, "about a block, no room");
            }
    }
}

/* Whatever parts of the lists there is room for. */
Test(matcher, finds_all_pairs_with_any_room) {
    enum { A = 1900, B = 1700 };
    for (int likeness = LIGHT; likeness <= DENSE; likeness++) {
        uint64_t seed = 12;
        make_up_signatures((enum likeness)likeness, &seed, 0, t, A);
        make_up_signatures((enum likeness)likeness, &seed, 1, u, B);
        const uint64_t expected = match_naively(t, A, u, B);
        for (size_t room = 0; room <= ample_room(A, B); room += 307)
            expect_pairs(A, B, room, expected, "any room");
    }
}

/* The lists are split until hardly a common bit is left undecided. */
Test(matcher, splits_by_any_number_of_common_bits) {
    enum { A = 2500, B = 2000 };
    uint64_t seed = 13;
    for (int bits = 1; bits <= SIGNATURE_BITS; bits += bits < 13 ? 1 : 6) {
        uint64_t common = 0;
        while (__builtin_popcountll(common) < bits)
            common |= UINT64_C(1) << random_below(&seed, SIGNATURE_BITS);
        for (size_t i = 0; i < A; i++)
            t[i] = random_eighths(&seed, 3) & common;
        for (size_t i = 0; i < B; i++)
            u[i] = random_eighths(&seed, 2) & common;
        expect_pairs(A, B, ample_room(A, B), match_naively(t, A, u, B), "common bits");
    }
}

/* Matchers set nearly all of both lists apart, so that the room is just enough, or just too
 * little. */
Test(matcher, finds_all_pairs_with_room_that_hardly_suffices) {
    for (size_t a = 700; a < 706; a += 5)
        for (size_t b = 600; b < 609; b += 4) {
            for (size_t i = 0; i < a; i++)
                t[i] = 1 << 5;
            for (size_t i = 0; i < b; i++)
                u[i] = i == 0 ? 1 << 5 : 0;
            for (size_t room = a + b - 9; room <= a + b + 3 * HALF_SLACK; room += 1 + room % 3)
                expect_pairs(a, b, room, a * (b - 1), "one pair in many has the bit");
            /* As codes of six bits, two lists take (a + b) / 8 words, and a split as many. */
            for (size_t words = (a + b) / 8 - 4; words <= (a + b) / 4 + 40;
                 words += 1 + words % 7)
                expect_pairs(a, b, words, a * (b - 1), "little room for codes");
        }
}

/* Each bit in turn is set in all signatures of one list but one, and in a single signature of
 * the other list. */
Test(matcher, heeds_every_bit) {
    for (int bit = 0; bit < SIGNATURE_BITS; bit++) {
        uint64_t seed = (uint64_t)bit, own = UINT64_C(1) << bit;
        make_up_signatures(SPARSE, &seed, 0, t, 1300);
        make_up_signatures(SPARSE, &seed, 1, u, 900);
        for (size_t i = 0; i < 1300; i++)
            t[i] |= i == 1001 ? 0 : own;
        for (size_t i = 0; i < 900; i++)
            u[i] &= ~own;
        u[bit] |= own;
        expect_pairs(1300, 900, ample_room(1300, 900), match_naively(t, 1300, u, 900), "a bit");
        expect_pairs(1300, 900, 0, match_naively(t, 1300, u, 900), "a bit");
    }
}

/* `bits` bits, anywhere, occur in both lists; the others occur in one list only. */
Test(matcher, finds_all_pairs_for_any_number_of_common_bits) {
    uint64_t seed = 3;
    for (int bits = 0; bits <= SIGNATURE_BITS; bits++) {
        uint64_t common = 0, all = (UINT64_C(1) << SIGNATURE_BITS) - 1;
        while (__builtin_popcountll(common) < bits)
            common |= UINT64_C(1) << random_below(&seed, SIGNATURE_BITS);
        uint64_t of_t = random_64(&seed) & all & ~common, of_u = all & ~common & ~of_t;
        for (size_t i = 0; i < 1200; i++) {
            uint64_t few = random_eighths(&seed, 1);
            t[i] = (few & (bits > 12 ? all : random_64(&seed)) & common) |
                   (random_64(&seed) & of_t);
        }
        for (size_t i = 0; i < 333; i++)
            u[i] = (random_eighths(&seed, 2) & common) | (random_64(&seed) & of_u);
        static const size_t lengths[][2] = {{333, 333}, {129, 64}, {1200, 333}, {65, 321}};
        for (size_t l = 0; l < LENGTH(lengths); l++) {
            size_t a = lengths[l][0], b = lengths[l][1];
            uint64_t expected = match_naively(t, a, u, b);
            cr_assert(expected > 0 && (bits < 2 || expected < a * b));
            expect_pairs(a, b, ample_room(a, b), expected, "common bits");
            expect_pairs(a, b, 0, expected, "common bits, no room");
        }
    }
}

/* Of the 2^k subsets of k bits, 3^k pairs are disjoint. */
Test(matcher, finds_the_disjoint_pairs_of_all_subsets) {
    uint64_t expected = 1;
    for (int k = 0; k <= 14; k++, expected *= 3)
        for (int shift = 0; shift + 3 * k <= SIGNATURE_BITS + 2; shift += 7) {
            for (uint64_t i = 0; i < UINT64_C(1) << k; i++) {
                t[i] = 0;
                for (int bit = 0; bit < k; bit++) /* every third bit */
                    t[i] |= (i >> bit & 1) << (shift + 3 * bit);
                u[(i * 5 + 3) & ((UINT64_C(1) << k) - 1)] = t[i];
            }
            expect_pairs(1u << k, 1u << k, ample_room(1u << k, 1u << k), expected, "subsets");
        }
}

/* The halves on a set of columns, and those on the other columns. */
Test(matcher, finds_all_pairs_of_halves) {
    static const struct {
        int n;
        uint32_t columns;
    } sets[] = {{12, 0x2d3},  {14, 0x155a}, {14, 0x2aaa},  {15, 0x1a65},
                {16, 0xa5a5}, {16, 0x5aa6}, {18, 0x12dac}, {18, 0x15555}};
    for (size_t s = 0; s < LENGTH(sets); s++) {
        struct half_board board;
        nqi_half_board_init(&board, sets[s].n);
        struct half_list upper = {0}, lower = {0};
        uint32_t all = (UINT32_C(1) << sets[s].n) - 1, others = all & ~sets[s].columns;
        if (sets[s].n % 2 == 1)
            others &= others - 1;
        const struct half_choice of_upper = {.columns = sets[s].columns, .end = UINT32_MAX},
                                 of_lower = {
                                     .columns = others, .end = UINT32_MAX, .upside_down = true};
        search_halves(&board, &of_upper, &upper);
        search_halves(&board, &of_lower, &lower);
        size_t a = upper.count, b = lower.count;
        cr_assert(a > 0 && a <= LONGEST && b > 0 && b <= LONGEST, "%zu, %zu", a, b);
        for (size_t i = 0; i < a; i++)
            t[i] = upper.signature[i];
        for (size_t i = 0; i < b; i++)
            u[i] = lower.signature[i];
        nqi_half_list_free(&upper);
        nqi_half_list_free(&lower);
        if (a > 12000 || b > 12000) { /* too many for brute force */
            a = a < 12000 ? a : 12000;
            b = b < 12000 ? b : 12000;
        }
        expect_pairs(a, b, ample_room(a, b), match_naively(t, a, u, b), "halves");
    }
}

/* The lists are so long that every matcher calls the heartbeat several times. */
Test(matcher, stops_when_the_heartbeat_says_no) {
    const size_t a = 100000, b = a - 1;
    uint64_t seed = 5, expected = 0;
    make_up_signatures(MEDIUM, &seed, 0, t, a);
    make_up_signatures(MEDIUM, &seed, 1, u, b);
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        struct answers yes = {.most = (uint64_t)a * b};
        uint64_t pairs;
        cr_assert(try_matcher(matcher, t, a, u, b, ample_room(a, b),
                              &(struct heartbeat){.go_on = answer, .context = &yes}, &pairs));
        if (m == 0)
            expected = pairs;
        cr_expect_eq(pairs, expected, "matcher %s", matcher->impl.name);
        cr_expect_gt(yes.calls, 3, "matcher %s", matcher->impl.name);
        for (uint64_t at = 1; at <= yes.calls; at += at < 3 ? 1 : yes.calls / 3) {
            struct answers no = {.no_at = at, .most = (uint64_t)a * b};
            cr_expect_not(try_matcher(matcher, t, a, u, b, ample_room(a, b),
                                      &(struct heartbeat){.go_on = answer, .context = &no},
                                      &pairs));
            cr_expect_eq(no.calls, at, "matcher %s asked %" PRIu64 " times", matcher->impl.name,
                         no.calls);
        }
    }
}

/* Nearly all pairs fit, so each of them must be decided by itself. */
Test(matcher, reports_decided_pairs_to_the_heartbeat) {
    enum { COUNT = 60000, PART = NQ_MAX_N };
    static uint64_t twins[PART][PART];
    uint64_t seed = 7, expected = 0, pairs;
    for (size_t i = 0; i < COUNT; i++) { /* one bit of the lower part, one of the upper */
        int low = random_below(&seed, PART), high = random_below(&seed, PART);
        u[i] = UINT64_C(1) << low | UINT64_C(1) << (PART + high);
        twins[low][high]++;
    }
    for (size_t i = 0; i < COUNT; i++) {
        int low = random_below(&seed, PART), high = random_below(&seed, PART);
        t[i] = UINT64_C(1) << low | UINT64_C(1) << (PART + high);
        for (int a = 0; a < PART; a++)
            for (int b = 0; b < PART; b++)
                expected += a != low && b != high ? twins[a][b] : 0;
    }
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        struct answers yes = {.most = (uint64_t)COUNT * COUNT};
        cr_assert(try_matcher(matcher, t, COUNT, u, COUNT, ample_room(COUNT, COUNT),
                              &(struct heartbeat){.go_on = answer, .context = &yes}, &pairs));
        cr_expect_eq(pairs, expected, "matcher %s: %" PRIu64, matcher->impl.name, pairs);
        cr_expect_gt(yes.work, yes.most / 2, "matcher %s tells too little", matcher->impl.name);
    }
}

/* Short lists may end before the heartbeat is called. */
Test(matcher, heeds_the_heartbeat_on_short_lists) {
    const struct matcher *matcher;
    for (size_t a = 1; a < 3000; a += a)
        for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
            uint64_t seed = a, pairs;
            make_up_signatures(LIGHT, &seed, 0, t, a);
            make_up_signatures(LIGHT, &seed, 1, u, 1500);
            struct answers no = {.no_at = 1, .most = a * 1500};
            bool done =
                try_matcher(matcher, t, a, u, 1500, ample_room(a, 1500),
                            &(struct heartbeat){.go_on = answer, .context = &no}, &pairs);
            cr_expect_eq(done, no.calls == 0, "matcher %s", matcher->impl.name);
            if (done)
                cr_expect_eq(pairs, match_naively(t, a, u, 1500), "matcher %s",
                             matcher->impl.name);
        }
}

/* A short list and one of a large board: a single leaf, which looks at every pair. */
Test(matcher, calls_the_heartbeat_within_a_leaf) {
    enum { SHORT = 32, LONG = 1 << 20 };
    uint64_t *many = malloc(LONG * sizeof *many), seed = 3, expected = 0, pairs;
    cr_assert_not_null(many);
    make_up_signatures(MEDIUM, &seed, 0, t, SHORT);
    make_up_signatures(MEDIUM, &seed, 1, many, LONG);
    const uint64_t all = (uint64_t)SHORT * LONG, least = all >> 23; /* half of what is meant */
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        struct answers yes = {.most = all}, no = {.no_at = least, .most = all};
        cr_assert(try_matcher(matcher, t, SHORT, many, LONG, ample_room(SHORT, LONG),
                              &(struct heartbeat){.go_on = answer, .context = &yes}, &pairs));
        if (m == 0)
            expected = pairs;
        cr_expect_eq(pairs, expected, "matcher %s", matcher->impl.name);
        cr_expect_geq(yes.calls, least, "matcher %s", matcher->impl.name);
        cr_expect_not(try_matcher(matcher, t, SHORT, many, LONG, ample_room(SHORT, LONG),
                                  &(struct heartbeat){.go_on = answer, .context = &no},
                                  &pairs));
        cr_expect_eq(no.calls, least, "matcher %s", matcher->impl.name);
    }
    free(many);
}

/* The long list is split in several parts, between which the heartbeat is called. */
Test(matcher, splits_a_list_of_a_large_board) {
    enum { SHORT = 100, LONG = 270001 };
    uint64_t *many = malloc(LONG * sizeof *many), seed = 8, pairs;
    cr_assert_not_null(many);
    for (int likeness = MEDIUM % 2; likeness < LIKENESSES; likeness += 2) {
        make_up_signatures((enum likeness)likeness, &seed, 0, t, SHORT);
        make_up_signatures((enum likeness)likeness, &seed, 1, many, LONG);
        const uint64_t expected = match_naively(t, SHORT, many, LONG);
        const struct matcher *matcher;
        for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
            struct answers yes = {.most = (uint64_t)SHORT * LONG};
            cr_assert(try_matcher(matcher, t, SHORT, many, LONG, ample_room(SHORT, LONG),
                                  &(struct heartbeat){.go_on = answer, .context = &yes},
                                  &pairs));
            cr_expect_eq(pairs, expected, "matcher %s, likeness %d", matcher->impl.name,
                         likeness);
            for (uint64_t at = 1; at <= yes.calls; at += 1 + yes.calls / 2) {
                struct answers no = {.no_at = at, .most = (uint64_t)SHORT * LONG};
                cr_expect_not(
                    try_matcher(matcher, t, SHORT, many, LONG, ample_room(SHORT, LONG),
                                &(struct heartbeat){.go_on = answer, .context = &no}, &pairs));
                cr_expect_eq(no.calls, at, "matcher %s", matcher->impl.name);
            }
            if (likeness == MEDIUM)
                cr_expect_geq(yes.calls, LONG >> 17, "matcher %s", matcher->impl.name);
        }
    }
    free(many);
}

/* Combines t[0..a-1], in stretches up to `middle` and from there on, with u[0..b-1], likewise.
 * The result has room for all pairs, and a guard behind its slack. */
static void compare_unions(const struct matcher *matcher, size_t a, size_t b,
                           size_t complement) {
    const uint32_t left_start[] = {0, (uint32_t)a / 3, (uint32_t)a},
                   right_start[] = {0, (uint32_t)b / 2, (uint32_t)b};
    uint64_t expected[400];
    size_t count = 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = left_start[s]; i < left_start[s + 1]; i++)
            for (size_t j = right_start[s ^ complement]; j < right_start[(s ^ complement) + 1];
                 j++)
                if ((t[i] & u[j]) == 0)
                    expected[count++] = t[i] | u[j];
    uint64_t out[400 + HALF_SLACK + 1], left[20 + HALF_SLACK], right[20 + HALF_SLACK];
    const uint64_t rubbish = UINT64_C(0x8000000000000000);
    for (size_t i = 0; i < 20 + HALF_SLACK; i++) {
        left[i] = i < a ? t[i] : i % 3 * rubbish;
        right[i] = i < b ? u[i] : i % 5 * rubbish;
    }
    out[a * b + HALF_SLACK] = rubbish;
    const struct stretches of_left = {left, left_start}, of_right = {right, right_start};
    size_t unions = matcher->listing.combine(of_left, of_right, 0, 1, complement, out);
    unions += matcher->listing.combine(of_left, of_right, 1, 2, complement, out + unions);
    cr_assert_eq(out[a * b + HALF_SLACK], rubbish, "%s: beyond the slack", matcher->impl.name);
    cr_assert_eq(unions, count, "%s, %zu and %zu: %zu, not %zu", matcher->impl.name, a, b,
                 unions, count);
    cr_expect_eq(matcher->listing.combine(of_left, of_right, 0, 2, complement, out), count);
    for (size_t i = 0; i < count; i++) { /* in any order */
        size_t j = 0;
        while (j < unions && out[j] != expected[i])
            j++;
        cr_assert_lt(j, unions, "%s, %zu and %zu: one is missing", matcher->impl.name, a, b);
        out[j] = rubbish;
    }
    for (size_t i = 0; i < a; i++)
        cr_assert_eq(left[i], t[i], "%s changed a list", matcher->impl.name);
    for (size_t j = 0; j < b; j++)
        cr_assert_eq(right[j], u[j], "%s changed a list", matcher->impl.name);
}

Test(matcher, combines_disjoint_signatures) {
    const struct matcher *matcher;
    uint64_t seed = 9;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++)
        for (int likeness = 0; likeness < LIKENESSES; likeness++)
            for (size_t a = 0; a <= 20; a++)
                for (size_t b = 0; b <= 20; b++) {
                    make_up_signatures((enum likeness)likeness, &seed, 0, t, a);
                    make_up_signatures((enum likeness)likeness, &seed, 1, u, b);
                    compare_unions(matcher, a, b, (a + b) % 2);
                }
}

/* A matcher's needs come from the compiler's flags. No emulator has AVX-512 without these parts
 * of it. */
Test(matcher, needs_what_its_file_may_use) {
    static const struct {
        const char *name;
        uint32_t needs;
    } rows[] = {
        {"scalar64", 0},
        {"neon", 0},
        {"avx2", CPU_AVX2 | CPU_BMI2 | CPU_POPCNT},
        {"avx512bw", CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL | CPU_BMI2 | CPU_POPCNT},
        {"avx512", CPU_AVX512BW | CPU_AVX512VL | CPU_AVX512VBMI | CPU_AVX512VBMI2 |
                       CPU_AVX512BITALG | CPU_AVX512VPOPCNTDQ | CPU_GFNI | CPU_POPCNT},
    };
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_at(m)) != NULL; m++) {
        size_t i = 0;
        while (i < LENGTH(rows) && strcmp(matcher->impl.name, rows[i].name) != 0)
            i++;
        cr_assert_lt(i, LENGTH(rows), "matcher %s is new here", matcher->impl.name);
        cr_expect_eq(matcher->impl.needs & rows[i].needs, rows[i].needs,
                     "matcher %s: needs %" PRIx32, rows[i].name, matcher->impl.needs);
    }
}

/* holding on t[0..count-1], with a guard behind the copy's slack. */
static void compare_holding(const struct matcher *matcher, size_t count, uint64_t diagonals,
                            uint64_t held) {
    enum { MOST = 300 };
    static uint64_t expected[MOST], out[MOST + HALF_SLACK + 1];
    const uint64_t guard = UINT64_C(0x8000000000000000);
    size_t copied = 0;
    for (size_t i = 0; i < count; i++)
        if ((t[i] & diagonals) == held)
            expected[copied++] = t[i];
    out[copied + HALF_SLACK] = guard;
    cr_assert_eq(matcher->listing.holding(t, count, diagonals, held, out), copied);
    cr_assert_eq(out[copied + HALF_SLACK], guard, "%s writes beyond the slack",
                 matcher->impl.name);
    for (size_t i = 0; i < copied; i++)
        cr_assert_eq(out[i], expected[i], "%s, %zu signatures: number %zu", matcher->impl.name,
                     count, i);
}

/* remaining on t[0..count-1] in stretches of any length, also none. */
static void compare_remaining(const struct matcher *matcher, size_t count, uint64_t diagonals,
                              uint64_t *seed) {
    enum { STRETCHES = 20 };
    static uint64_t out[5000 + HALF_SLACK + 1];
    const uint64_t guard = UINT64_C(0x8123456789abcdef);
    uint32_t start[STRETCHES + 1] = {0}, remaining[STRETCHES + 2];
    for (size_t i = 1; i <= STRETCHES; i++)
        start[i] = i == STRETCHES
                       ? (uint32_t)count
                       : start[i - 1] +
                             (uint32_t)random_below(seed, (int)(count - start[i - 1]) / 4 + 1);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        kept += (t[i] & diagonals) == 0;
    out[kept + HALF_SLACK] = remaining[STRETCHES + 1] = guard & UINT32_MAX;
    matcher->listing.remaining((struct stretches){t, start}, STRETCHES, diagonals, out,
                               remaining);
    cr_assert(out[kept + HALF_SLACK] == (guard & UINT32_MAX) &&
              remaining[STRETCHES + 1] == (guard & UINT32_MAX));
    for (size_t s = 0, next = 0; s <= STRETCHES; s++) {
        cr_assert_eq(remaining[s], next, "%s, %zu signatures: stretch %zu", matcher->impl.name,
                     count, s);
        for (size_t i = start[s]; s < STRETCHES && i < start[s + 1]; i++)
            if ((t[i] & diagonals) == 0)
                cr_assert_eq(out[next++], t[i]);
    }
}

Test(matcher, finds_what_remains_of_stretches) {
    const struct matcher *matcher;
    uint64_t seed = 11;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++)
        for (int likeness = 0; likeness < LIKENESSES; likeness++)
            for (size_t count = 0; count <= 5000; count += count < 300 ? 1 : 811) {
                make_up_signatures((enum likeness)likeness, &seed, 0, t, count);
                compare_remaining(matcher, count, 0, &seed);
                for (int bits = 1; bits <= 3; bits++) {
                    uint64_t diagonals = 0;
                    for (int i = 0; i < bits; i++)
                        diagonals |= UINT64_C(1) << random_below(&seed, 56);
                    compare_remaining(matcher, count, diagonals, &seed);
                }
            }
}

Test(matcher, copies_signatures_by_the_diagonals_that_they_hold) {
    const struct matcher *matcher;
    uint64_t seed = 10;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++)
        for (int likeness = 0; likeness < LIKENESSES; likeness++)
            for (size_t count = 0; count <= 300; count += count < 20 ? 1 : 31) {
                make_up_signatures((enum likeness)likeness, &seed, 0, t, count);
                const uint64_t few = random_eighths(&seed, 1) >> 8,
                               one = UINT64_C(1) << random_below(&seed, 56),
                               two = one | UINT64_C(1) << random_below(&seed, 56);
                compare_holding(matcher, count, 0, 0);
                compare_holding(matcher, count, few, 0);
                compare_holding(matcher, count, few, count > 0 ? few & t[count / 2] : 0);
                compare_holding(matcher, count, one, 0);
                compare_holding(matcher, count, one, one);
                compare_holding(matcher, count, two, one);
                compare_holding(matcher, count, two, two);
            }
}
