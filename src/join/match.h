/* A matcher: two lists are copied, split, and their pairs counted. The last header that a
 * matcher's file includes.
 *
 * The including file has included a format and leaves for it (join/split.h), and has defined:
 *
 *   FASTER_FROM, AKIN        enumerators: of struct matcher and struct implementation
 *   combine_stretches, stretches_remaining, halves_holding
 *                            see struct listing in join/quarter.h
 *   MATCHER_NAME, MATCHER_SYMBOL
 *                            macros: the matcher's name, and the struct matcher defined here
 */
#if !defined MATCHER_NAME || !defined MATCHER_SYMBOL
#error "define MATCHER_NAME and MATCHER_SYMBOL before including join/match.h"
#endif

#include "join/scatter.h"

/* Returns the bits that are set in any signature of a list. */
static uint64_t match_bits_of(struct matching *matching, struct half_span list) {
    uint64_t bits = 0;
    for (size_t begin = 0, end; (end = split_chunk_end(matching, begin, list.count)) > begin;
         begin = end)
        for (size_t i = begin; i < end; i++)
            bits |= list.signature[i];
    return bits;
}

/* Matches up to so many signatures of T and U at a time. memory: for copies of them, and more
 * for splitting. */
static void match_pieces(struct matching *matching, const struct format *format,
                         struct half_span t, size_t most_t, struct half_span u, size_t most_u,
                         uint8_t *memory, size_t bytes) {
    for (size_t i = 0; i < t.count; i += most_t)
        for (size_t j = 0; j < u.count && !matching->stopped; j += most_u) {
            struct sublists lists = {.planes = format->planes, .live = format->live};
            lists.t = split_copy_of(matching, lists.planes, format,
                                    half_span_from(t, i, most_t), memory);
            lists.u =
                split_copy_of(matching, lists.planes, format, half_span_from(u, j, most_u),
                              list_end(lists.planes, &lists.t));
            uint8_t *rest = list_end(lists.planes, &lists.u);
            split_lists(matching, &lists, rest, bytes - (size_t)(rest - memory));
        }
}

static bool match_lists(struct half_span t, struct half_span u, uint64_t *room,
                        size_t room_count, void *scratch, const struct heartbeat *heartbeat,
                        uint64_t *pairs) {
    struct matching matching = {.scratch = scratch, .heartbeat = heartbeat};
    const uint64_t bits = match_bits_of(&matching, u);
    const struct format format = format_of(bits);
    const int planes = format.planes;
    const size_t most_t = u.count <= SHORT_U && t.count > SHORT_T ? SHORT_T : t.count,
                 bytes = room_count * sizeof *room;
    uint8_t *memory = (uint8_t *)room;
    if (bits == 0)
        matching.pairs = t.count * u.count;
    else if (most_t > LONG_T && scatter_has_room(planes, t.count, u.count, bytes))
        scatter_match(&matching, &format, t, u, memory, bytes);
    else if (bytes >= list_bytes(planes, most_t) + list_bytes(planes, u.count))
        match_pieces(&matching, &format, t, most_t, u, u.count, memory, bytes);
    else /* for want of room */
        match_pieces(&matching, &format, t, MOST_T, u, LEAST_U, matching.scratch->copies,
                     sizeof matching.scratch->copies);
    *pairs += matching.pairs;
    return !matching.stopped;
}

/* Here, since a compiler uses the matcher's vectors for it. */
static void halves_turned(const struct half_board *board, const uint64_t *list, size_t count,
                          uint64_t *out) {
    for (size_t i = 0; i < count; i++)
        out[i] = half_flip(board, list[i]);
}

const struct matcher MATCHER_SYMBOL = {
    .impl = {.name = MATCHER_NAME, .needs = CPU_FEATURES_COMPILED_FOR, .akin = AKIN},
    .faster_from = FASTER_FROM,
    .listing = {combine_stretches, stretches_remaining, halves_turned, halves_holding},
    .scratch_bytes = sizeof(struct scratch),
    .match = match_lists};
