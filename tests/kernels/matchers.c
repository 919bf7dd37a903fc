/* Compares all matchers with naive loops, and writes TAP. A plain program, since sanitizers do
 * not work with a test framework that forks.
 *
 * The matchers are the library's, or compiled again: see meson.build. */
#include "answers.h"
#include "implementations.h"
#include "length.h"
#include "room.h"
#include "signatures.h"
#include "tap.h"

#include <inttypes.h>

/* With sanitizers, which take much time, one list in three. */
#ifndef LARGEST
#define LARGEST 10
#endif
enum { THOROUGH = LARGEST > 10, STRIDE = THOROUGH ? 1 : 3 };

enum { LONGEST = 1 << 20 }; /* matchers move lists in chunks of 2^17 */
static uint64_t t[LONGEST], u[LONGEST], seed = 1;

/* Runs a matcher on copies of t[0..a-1] and u[0..b-1]. It must add to the pairs, and keep to
 * the lists with their slack, the room and the scratch memory. False: it stopped. */
static bool match(const struct matcher *matcher, size_t a, size_t b, size_t words,
                  struct answers *answers, uint64_t *pairs) {
    struct room one = room_with(t, a * sizeof *t, HALF_SLACK * sizeof *t),
                two = room_with(u, b * sizeof *u, HALF_SLACK * sizeof *u),
                room = room_new(words * sizeof *t), scratch = room_new(matcher->scratch_bytes);
    *pairs = 1000003;
    const bool done = matcher->match((struct half_span){(uint64_t *)(void *)one.own, a},
                                     (struct half_span){(uint64_t *)(void *)two.own, b},
                                     (uint64_t *)(void *)room.own, words, scratch.own,
                                     answers != NULL ? HEARTBEAT(answers) : NULL, pairs);
    *pairs -= 1000003;
    EXPECT(memcmp(one.own, t, a * sizeof *t) == 0 && memcmp(two.own, u, b * sizeof *u) == 0,
           "%s changed a list", matcher->impl.name);
    const bool kept[] = {room_end(&one), room_end(&two), room_end(&room), room_end(&scratch)};
    for (size_t i = 0; i < LENGTH(kept); i++)
        EXPECT(kept[i], "%s wrote beside its memory %zu", matcher->impl.name, i);
    return done;
}

/* Every matcher must find all pairs of t[0..a-1] and u[0..b-1], given that room. */
static void expect_pairs(size_t a, size_t b, size_t words, uint64_t expected) {
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;) {
        uint64_t pairs;
        EXPECT(match(matcher, a, b, words, NULL, &pairs), "%s stopped", matcher->impl.name);
        EXPECT(pairs == expected,
               "%s, lists of %zu and %zu, room for %zu: %" PRIu64 " pairs, not %" PRIu64,
               matcher->impl.name, a, b, words, pairs, expected);
    }
}

static void make_up(int likeness, size_t a, size_t b) {
    make_up_signatures((enum likeness)likeness, &seed, 0, t, a);
    make_up_signatures((enum likeness)likeness, &seed, 1, u, b);
}

static void compare(int likeness, size_t a, size_t b) {
    make_up(likeness, a, b);
    expect_pairs(a, b, ample_room(a, b), match_naively(t, a, u, b));
}

static void short_lists(void) {
    static const size_t lengths[] = {0, 1, 2, 8, 9, 63, 64, 65, 193, 257};
    for (int likeness = 0; likeness < LIKENESSES; likeness++)
        for (size_t i = 0; i < LENGTH(lengths); i++)
            for (size_t j = i % STRIDE; j < LENGTH(lengths); j += STRIDE)
                compare(likeness, lengths[i], lengths[j]);
    for (size_t a = 0; a <= 200; a += STRIDE) {
        compare(LIGHT, a, 200 - a);
        compare(SPARSE, 300, a);
        compare(UNEVEN, 600 + a, 700 - a);
    }
    end_case("matchers find all pairs of short lists");
}

/* Around the lengths of blocks, of parts that are not split and of those looked up at once. */
static void long_lists(void) {
    static const size_t lengths[] = {1,   16,  17,  31,   255,  256,  511,
                                     513, 528, 769, 1023, 1025, 4097, 8191};
    int likeness = 0;
    for (size_t i = 0; i < LENGTH(lengths); i++)
        for (size_t j = i % STRIDE; j < LENGTH(lengths);
             j += STRIDE, likeness = (likeness + 1) % LIKENESSES)
            compare(likeness, lengths[i], lengths[j]);
    for (likeness = 0; likeness < LIKENESSES; likeness++) {
        compare(likeness, 1025, 1023);
        compare(likeness, 4097, 769);
        compare(likeness, 513, 4095);
    }
    if (THOROUGH) {
        compare(LIGHT, 30000, 3000);
        compare(MEDIUM, 3001, 24000);
        compare(SPARSE, 40000, 1000);
        compare(DENSE, 900, 40000);
    }
    end_case("matchers find all pairs of long lists");
}

/* So long that a split moves them chunk by chunk. */
static void chunks(void) {
    compare(LIGHT, 270001, 600);
    compare(MEDIUM, 600, 270001);
    end_case("matchers find all pairs of lists split in chunks");
}

#ifdef SHORTER
enum { DIVIDED = 1 << SHORTER };
#else
enum { DIVIDED = 1 };
#endif

/* T so long that it is scattered, by up to six splits, at once or, for want of room, in several
 * rounds; some U so long that they are matched piece by piece. Few builds have the time for
 * lists that are not shortened. */
static void scattered(void) {
    static const struct {
        size_t a, b;
        int every; /* so many likenesses one */
    } lists[] = {{600001, 700, 5},     {530000, 1025, 11},  {9000000, 80000, 6},
                 {4500000, 150000, 4}, {1100000, 70000, 2}, {530000, 200000, 1}};
    for (size_t i = DIVIDED == 1 ? 0 : 2; i < (DIVIDED == 1 ? THOROUGH ? 2 : 0 : LENGTH(lists));
         i++)
        for (int likeness = 0; likeness < LIKENESSES; likeness += lists[i].every) {
            const size_t a = lists[i].a / DIVIDED, b = lists[i].b / DIVIDED;
            make_up(likeness, a, b);
            const uint64_t expected = match_naively(t, a, u, b);
            for (size_t part = 1; part <= 8; part *= 2)
                expect_pairs(a, b, ample_room(a, b) / part, expected);
            for (size_t words = 2 * a; words > a / 4; words -= words / 3 + 64)
                expect_pairs(a, b, words, expected);
        }
    end_case("matchers find all pairs of lists that are scattered");
}

/* Whatever parts of the lists there is room for. */
static void any_room(void) {
    static const size_t lengths[][2] = {{513, 769}, {1900, 1700}, {4097, 1500}, {700, 8193}};
    for (size_t i = 0; i < LENGTH(lengths); i += STRIDE) {
        const size_t a = lengths[i][0], b = lengths[i][1], both = a + b;
        const size_t edge[] = {0,
                               1,
                               8,
                               HALF_SLACK,
                               a,
                               both,
                               both + 2 * HALF_SLACK - 1,
                               both + 2 * HALF_SLACK,
                               both + 2 * HALF_SLACK + 1};
        for (int likeness = LIGHT; likeness <= UNEVEN; likeness += 2) {
            make_up(likeness, a, b);
            const uint64_t expected = match_naively(t, a, u, b);
            for (size_t r = 0; r < LENGTH(edge); r++)
                expect_pairs(a, b, edge[r], expected);
            for (size_t words = 16; words <= 2 * both; words += 61 + words / 2)
                expect_pairs(a, b, words, expected);
        }
    }
    end_case("matchers find all pairs with any room");
}

/* Matchers set nearly all of both lists apart, so that the room is just enough, or just too
 * little. As codes of six bits, two lists take (a + b) / 8 words, and a split as many. */
static void scarce_room(void) {
    for (size_t a = 700; a < 706; a += 5)
        for (size_t b = 600; b < 609; b += 4) {
            for (size_t i = 0; i < a; i++)
                t[i] = 1 << 5;
            for (size_t i = 0; i < b; i++)
                u[i] = i == 0 ? 1 << 5 : 0;
            for (size_t room = a + b - 9; room <= a + b + 3 * HALF_SLACK; room += 1 + room % 3)
                expect_pairs(a, b, room, a * (b - 1));
            for (size_t room = (a + b) / 8 - 4; room <= (a + b) / 4 + 40; room += 1 + room % 7)
                expect_pairs(a, b, room, a * (b - 1));
        }
    end_case("matchers find all pairs with room that hardly suffices");
}

/* `bits` bits occur in both lists, the others in one list or none. */
static void common_bits(void) {
    static const size_t lengths[][2] = {{333, 333}, {129, 64}, {1200, 333}, {2500, 2000}};
    const uint64_t all = (UINT64_C(1) << SIGNATURE_BITS) - 1;
    for (int bits = 0; bits <= SIGNATURE_BITS; bits += STRIDE) {
        uint64_t common = 0;
        while (__builtin_popcountll(common) < bits)
            common |= UINT64_C(1) << random_below(&seed, SIGNATURE_BITS);
        const uint64_t of_t = bits % 2 == 0 ? random_64(&seed) & all & ~common : 0,
                       of_u = bits % 2 == 0 ? all & ~common & ~of_t : 0;
        for (size_t i = 0; i < 2500; i++) {
            t[i] =
                (random_eighths(&seed, bits > 12 ? 1 : 3) & common) | (random_64(&seed) & of_t);
            u[i] = (random_eighths(&seed, 2) & common) | (random_64(&seed) & of_u);
        }
        for (size_t l = 0; l < LENGTH(lengths); l++) {
            const size_t a = lengths[l][0], b = lengths[l][1];
            const uint64_t expected = match_naively(t, a, u, b);
            EXPECT(expected > 0 && (bits < 2 || expected < a * b), "%d bits", bits);
            expect_pairs(a, b, ample_room(a, b), expected);
            expect_pairs(a, b, l == 3 ? (a + b) / 2 + 16 : 0, expected);
        }
    }
    end_case("matchers find all pairs for any number of common bits");
}

/* Each bit in turn is set in all signatures of one list but one, and in a single signature of
 * the other list. */
static void every_bit(void) {
    for (int bit = 0; bit < SIGNATURE_BITS; bit += STRIDE) {
        const uint64_t own = UINT64_C(1) << bit;
        make_up(SPARSE, 1300, 900);
        for (size_t i = 0; i < 1300; i++)
            t[i] |= i == 1001 ? 0 : own;
        for (size_t i = 0; i < 900; i++)
            u[i] &= ~own;
        u[bit] |= own;
        const uint64_t expected = match_naively(t, 1300, u, 900);
        expect_pairs(1300, 900, ample_room(1300, 900), expected);
        expect_pairs(1300, 900, 0, expected);
    }
    end_case("matchers heed every bit");
}

/* The third and the sixth of these lists are scattered, the third in builds that shorten lists.
 * The last ones are those of large boards: a single leaf, which looks at every pair, and a list
 * that is split in parts. */
static void heartbeats(void) {
    static const struct {
        size_t a, b;
        int likeness;
        uint64_t least; /* calls */
    } lists[] = {{1, 1500, LIGHT, 0},       {2048, 1500, LIGHT, 0},
                 {12003, 1000, MEDIUM, 1},  {100000, 99999, MEDIUM, 4},
                 {60000, 60000, SPARSE, 4}, {600001, 2000, MEDIUM, 4},
                 {32, LONGEST, MEDIUM, 4},  {100, 270001, MEDIUM, 270001 >> 17},
                 {100, 270001, TOP_BIT, 0}};
    for (size_t i = 0; i < (THOROUGH ? LENGTH(lists) : 3); i++) {
        const size_t a = lists[i].a, b = lists[i].b, words = ample_room(a, b);
        uint64_t expected = 0, pairs;
        make_up(lists[i].likeness, a, b);
        for (const struct matcher *m = NULL; (m = matcher_after(m)) != NULL;) {
            const char *name = m->impl.name;
            struct answers yes = {0};
            EXPECT(match(m, a, b, words, &yes, &pairs), "%s stopped", name);
            expected = m == &nqi_matcher_scalar64 ? pairs : expected;
            EXPECT(pairs == expected && yes.calls >= lists[i].least && yes.work <= a * b &&
                       !yes.backwards,
                   "%s, lists %zu: %" PRIu64 " calls", name, i, yes.calls);
            EXPECT(lists[i].least == 0 || yes.work > a * b / 2,
                   "%s, lists %zu: tells too little: %" PRIu64, name, i, yes.work);
            for (uint64_t at = 1; at <= yes.calls; at += 1 + yes.calls / 3) {
                struct answers no = {.no_at = at};
                EXPECT(!match(m, a, b, words, &no, &pairs) && no.calls == at,
                       "%s, lists %zu: %" PRIu64 " calls, not %" PRIu64, name, i, no.calls, at);
            }
        }
    }
    end_case("matchers stop when the heartbeat says no");
}

static bool contains(const uint64_t *list, size_t count, uint64_t signature) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == signature)
            return true;
    return false;
}

/* Combines t[0..a-1] in two stretches with u[0..b-1] likewise. */
static void combine(const struct matcher *matcher, size_t a, size_t b, size_t complement) {
    const uint32_t of_t[] = {0, (uint32_t)a / 3, (uint32_t)a},
                   of_u[] = {0, (uint32_t)b / 2, (uint32_t)b};
    struct room one = room_with(t, a * sizeof *t, HALF_SLACK * sizeof *t),
                two = room_with(u, b * sizeof *u, HALF_SLACK * sizeof *u),
                room = room_new((a * b + HALF_SLACK) * sizeof *t);
    const struct stretches left = {(uint64_t *)(void *)one.own, of_t},
                           right = {(uint64_t *)(void *)two.own, of_u};
    uint64_t *out = (uint64_t *)(void *)room.own, sum = 0;
    size_t count = matcher->listing.combine(left, right, 0, 1, complement, out), expected = 0;
    count += matcher->listing.combine(left, right, 1, 2, complement, out + count);
    for (size_t i = 0; i < count; i++)
        sum -= out[i];
    bool found = true;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = of_t[s]; i < of_t[s + 1]; i++)
            for (size_t j = of_u[s ^ complement]; j < of_u[(s ^ complement) + 1]; j++)
                if ((t[i] & u[j]) == 0) {
                    expected++;
                    sum += t[i] | u[j];
                    found = found && contains(out, count, t[i] | u[j]);
                }
    EXPECT(count == expected && sum == 0 && found, "%s combines %zu and %zu: %zu, not %zu",
           matcher->impl.name, a, b, count, expected);
    EXPECT(matcher->listing.combine(left, right, 0, 2, complement, out) == count, "at once");
    const bool kept[] = {room_end(&one), room_end(&two), room_end(&room)};
    EXPECT(kept[0] && kept[1] && kept[2], "%s wrote beside its memory", matcher->impl.name);
}

static void disjoint_signatures(void) {
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;)
        for (int likeness = 0; likeness < LIKENESSES; likeness += STRIDE)
            for (size_t a = 0; a <= 20; a++)
                for (size_t b = 0; b <= 20; b++) {
                    make_up(likeness, a, b);
                    combine(matcher, a, b, (a + b) % 2);
                }
    end_case("matchers combine disjoint signatures of two short lists");
}

/* holding on t[0..count-1]. */
static void copy_holding(const struct matcher *matcher, size_t count, uint64_t diagonals,
                         uint64_t held) {
    struct room list = room_with(t, count * sizeof *t, HALF_SLACK * sizeof *t),
                room = room_new((count + HALF_SLACK) * sizeof *t);
    uint64_t *out = (uint64_t *)(void *)room.own;
    size_t expected = 0;
    bool right = true;
    const size_t copied =
        matcher->listing.holding((uint64_t *)(void *)list.own, count, diagonals, held, out);
    for (size_t i = 0; i < count; i++)
        if ((t[i] & diagonals) == held)
            right = right && out[expected++] == t[i];
    EXPECT(right && copied == expected, "holding of %s, %zu: %zu, not %zu", matcher->impl.name,
           count, copied, expected);
    const bool kept[] = {room_end(&list), room_end(&room)};
    EXPECT(kept[0] && kept[1], "%s wrote beside its memory", matcher->impl.name);
}

/* remaining on t[0..count-1] in stretches of any length, also none. */
static void copy_remaining(const struct matcher *matcher, size_t count, uint64_t diagonals) {
    enum { STRETCHES = 20 };
    uint32_t start[STRETCHES + 1] = {0};
    for (size_t i = 1; i < STRETCHES; i++)
        start[i] =
            start[i - 1] + (uint32_t)random_below(&seed, (int)(count - start[i - 1]) / 4 + 1);
    start[STRETCHES] = (uint32_t)count;
    struct room list = room_with(t, count * sizeof *t, HALF_SLACK * sizeof *t),
                room = room_new((count + HALF_SLACK) * sizeof *t),
                counts = room_new((STRETCHES + 1) * sizeof *start);
    uint64_t *out = (uint64_t *)(void *)room.own;
    const uint32_t *remaining = (uint32_t *)(void *)counts.own;
    matcher->listing.remaining((struct stretches){(uint64_t *)(void *)list.own, start},
                               STRETCHES, diagonals, out, (uint32_t *)(void *)counts.own);
    bool right = true;
    size_t next = 0;
    for (size_t s = 0; s <= STRETCHES; s++) {
        right = right && remaining[s] == next;
        for (size_t i = start[s]; s < STRETCHES && i < start[s + 1]; i++)
            if ((t[i] & diagonals) == 0)
                right = right && out[next++] == t[i];
    }
    EXPECT(right, "remaining of %s, %zu signatures", matcher->impl.name, count);
    const bool kept[] = {room_end(&list), room_end(&room), room_end(&counts)};
    EXPECT(kept[0] && kept[1] && kept[2], "%s wrote beside its memory", matcher->impl.name);
}

static void excluded_diagonals(void) {
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;)
        for (int likeness = 0; likeness < LIKENESSES; likeness += STRIDE)
            for (size_t count = 0; count <= 5000; count += count < 150 ? 1 + count / 20 : 811) {
                make_up_signatures((enum likeness)likeness, &seed, 0, t, count);
                const uint64_t few = random_eighths(&seed, 1) >> 8,
                               one = UINT64_C(1) << random_below(&seed, SIGNATURE_BITS),
                               two = one | UINT64_C(1) << random_below(&seed, SIGNATURE_BITS);
                const uint64_t choices[][2] = {
                    {0, 0},     {few, 0},   {few, few & t[count / 2]},
                    {one, 0},   {one, one}, {two, one},
                    {two, two}, {two, 0}};
                for (size_t i = 0; i < LENGTH(choices); i++) {
                    copy_holding(matcher, count, choices[i][0], choices[i][1]);
                    if (choices[i][1] == 0)
                        copy_remaining(matcher, count, choices[i][0]);
                }
            }
    end_case("matchers copy signatures by the diagonals that they hold");
}

int main(void) {
    print_missing(nqi_matcher_list);
    short_lists();
    long_lists();
    any_room();
    scarce_room();
    common_bits();
    every_bit();
    heartbeats();
    disjoint_signatures();
    excluded_diagonals();
    if (THOROUGH)
        chunks();
    scattered();
    return end_cases();
}
