#include "matchers.h"

#include "signatures.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Memory with guards around it, aligned to 64 bytes and not to more. */
enum { GUARD = 64 };
struct guarded {
    unsigned char *memory, *own;
    size_t bytes, room;
};

static struct guarded guarded(size_t bytes) {
    static uint64_t seed = 1;
    const uint64_t rubbish = random_64(&seed);
    struct guarded g = {.bytes = bytes, .room = (GUARD + bytes + GUARD + 127) / 128 * 128};
    g.memory = aligned_alloc(128, g.room);
    cr_assert_not_null(g.memory);
    g.own = g.memory + GUARD;
    for (size_t i = 0; i < g.room; i += sizeof rubbish) { /* not the same everywhere */
        const uint64_t word = rubbish * (i + 1);
        memcpy(g.memory + i, &word, sizeof word);
    }
    memset(g.memory, 0xa5, GUARD);
    memset(g.own + bytes, 0xa5, g.room - GUARD - bytes);
    return g;
}

static void release(struct guarded *g, const struct matcher *matcher, const char *what) {
    for (size_t i = 0; i < GUARD; i++)
        cr_assert_eq(g->memory[i], 0xa5, "matcher %s wrote before its %s", matcher->impl.name,
                     what);
    for (size_t i = GUARD + g->bytes; i < g->room; i++)
        cr_assert_eq(g->memory[i], 0xa5, "matcher %s wrote behind its %s", matcher->impl.name,
                     what);
    free(g->memory);
}

static struct half_span as_span(const struct guarded *g, const uint64_t *signature,
                                size_t count) {
    if (count > 0)
        memcpy(g->own, signature, count * sizeof *signature);
    return (struct half_span){(const uint64_t *)g->own, count};
}

bool answer(void *context, uint64_t work) {
    struct answers *answers = context;
    cr_expect_geq(work, answers->work, "the work goes back");
    cr_expect_leq(work, answers->most, "more work than there is");
    answers->work = work;
    return ++answers->calls != answers->no_at;
}

bool try_matcher(const struct matcher *matcher, const uint64_t *a, size_t a_count,
                 const uint64_t *b, size_t b_count, size_t room_count,
                 const struct heartbeat *heartbeat, uint64_t *pairs) {
    struct guarded first = guarded((a_count + HALF_SLACK) * sizeof *a),
                   second = guarded((b_count + HALF_SLACK) * sizeof *b),
                   room = guarded(room_count * sizeof *a),
                   scratch = guarded(matcher->scratch_bytes);
    const struct half_span one = as_span(&first, a, a_count),
                           two = as_span(&second, b, b_count);
    const uint64_t before = 1000003;
    uint64_t after = before;
    bool done = matcher->match(one, two, (uint64_t *)room.own, room_count, scratch.own,
                               heartbeat, &after);
    cr_assert(a_count == 0 || memcmp(first.own, a, a_count * sizeof *a) == 0,
              "matcher %s changed the first list", matcher->impl.name);
    cr_assert(b_count == 0 || memcmp(second.own, b, b_count * sizeof *b) == 0,
              "matcher %s changed the second list", matcher->impl.name);
    release(&first, matcher, "first list");
    release(&second, matcher, "second list");
    release(&room, matcher, "room");
    release(&scratch, matcher, "scratch memory");
    *pairs = after - before;
    return done;
}
