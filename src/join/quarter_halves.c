/* Halves, combined from a left and a right quarter whose placements take the other rows. */
#include "join/quarter_maker.h"

/* Crossings are combined by one call for as many as have no more unions than this, so that
 * lists hardly grow beyond what they need, or one by one. */
enum { MOST_UNIONS = 1 << 14 };

/* A list of halves that grows. */
struct growing {
    struct maker maker;
    const struct half_choice *choice;
    struct half_list *list;
    struct half_list *chosen; /* for copies of stretches */
};

/* Appends the unions of stretches, see struct listing. They have at most so many. */
static nq_status halves_append(struct growing *growing, struct stretches left,
                               struct stretches right, size_t first, size_t end,
                               size_t complement, size_t unions) {
    struct half_list *list = growing->list;
    nq_status status =
        nqi_half_list_reserve(list, list->count + unions, growing->maker.heartbeat);
    if (status != NQ_OK)
        return status;
    if (!maker_goes_on(&growing->maker, unions))
        return NQ_CANCELLED;
    list->count += growing->maker.functions->combine(left, right, first, end, complement,
                                                     list->signature + list->count);
    return NQ_OK;
}

/* Appends the unions of one stretch on the left and one on the right that hold, of the chosen
 * diagonals, the `held` ones and no others. Each of them is held by one signature of the two:
 * growing->chosen has copies of the others. */
static nq_status halves_append_holding(struct growing *growing, struct half_span left,
                                       struct half_span right) {
    const struct listing *functions = growing->maker.functions;
    const uint64_t diagonals = growing->choice->diagonals, held = growing->choice->held;
    nq_status status = nqi_half_list_reserve(
        growing->chosen, left.count + right.count + HALF_SLACK, growing->maker.heartbeat);
    if (status != NQ_OK)
        return status;
    uint64_t *of_left = growing->chosen->signature,
             *of_right = of_left + left.count + HALF_SLACK;
    uint64_t by_left = held; /* every subset of `held` */
    do {
        if (!maker_goes_on(&growing->maker, left.count + right.count))
            return NQ_CANCELLED;
        const size_t lefts =
            functions->holding(left.signature, left.count, diagonals, by_left, of_left);
        const size_t rights = lefts == 0
                                  ? 0
                                  : functions->holding(right.signature, right.count, diagonals,
                                                       held ^ by_left, of_right);
        if (rights > 0)
            status = halves_append(
                growing, (struct stretches){of_left, (uint32_t[]){0, (uint32_t)lefts}},
                (struct stretches){of_right, (uint32_t[]){0, (uint32_t)rights}}, 0, 1, 0,
                lefts * rights);
        by_left = (by_left - 1) & held;
    } while (by_left != held && status == NQ_OK);
    return status;
}

/* The stretches of which halves are combined. */
struct combining {
    int on_left;          /* rows */
    const uint16_t *sets; /* [stretch]: those rows */
    struct stretches left, right;
    size_t complement; /* see struct listing */
    size_t next, end;  /* the first stretch to be combined, and behind the last one */
};

/* Appends the chosen halves of the next stretches: those of one key at least. */
static nq_status halves_append_next(struct growing *growing, struct combining *of) {
    const size_t first = of->next;
    const bool one_by_one = growing->choice->held != 0;
    size_t unions = 0;
    do {
        const uint32_t *left = &of->left.start[of->next],
                       *right = &of->right.start[of->next ^ of->complement];
        const size_t lefts = left[1] - left[0], rights = right[1] - right[0];
        nq_status status = NQ_OK;
        unions += lefts * rights;
        if (one_by_one)
            status = halves_append_holding(
                growing, (struct half_span){of->left.signature + left[0], lefts},
                (struct half_span){of->right.signature + right[0], rights});
        if (status != NQ_OK)
            return status;
        of->next++;
    } while (of->next < of->end && (unions < MOST_UNIONS || (of->next & of->complement) != 0));
    return one_by_one ? NQ_OK
                      : halves_append(growing, of->left, of->right, first, of->next,
                                      of->complement, unions);
}

/* Starts to list halves. Returns what is to be combined of their quarters, in *of; nothing, if
 * the board has fewer rows than the left side has queens. */
static nq_status halves_start(struct growing *growing, const struct quarters *quarters,
                              struct own_quarters *own, struct combining *of) {
    const struct half_choice *choice = growing->choice;
    const struct half_board *board = growing->maker.board;
    const struct subsets *subsets = &board->rows_on_left;
    const int on_left =
        __builtin_popcount(choice->columns & low_bits(side_width(board->n, LEFT)));
    struct sides sides;
    *of = (struct combining){.next = 0};
    nq_status status = nqi_half_list_reserve(growing->list, growing->list->count + 1,
                                             growing->maker.heartbeat);
    if (on_left > board->rows || status != NQ_OK)
        return status;
    status = nqi_quarters_find(&growing->maker, quarters, own, choice, &sides);
    if (status != NQ_OK)
        return status;
    const size_t first = subsets->first[on_left];
    *of = (struct combining){.on_left = on_left,
                             .sets = &subsets->by_key[first],
                             .left = {sides.left->list.signature, sides.left->start},
                             .right = {sides.right->list.signature, sides.right->start},
                             .complement = subsets_complement(board->rows, on_left),
                             .next = nqi_subsets_from(subsets, on_left, choice->least) - first,
                             .end = nqi_subsets_from(subsets, on_left, choice->end) - first};
    return NQ_OK;
}

/* Returns the first of the stretches from of->next to end - 1 with that key or a greater one;
 * `end` if there is none. */
static size_t combining_from(const struct combining *of, const struct subsets *subsets,
                             uint32_t key, size_t end) {
    const size_t from =
        nqi_subsets_from(subsets, of->on_left, key) - subsets->first[of->on_left];
    return from < of->next ? of->next : from < end ? from : end;
}

nq_status nqi_quarters_list(const struct quarters *quarters, struct own_quarters *own,
                            const struct listing *functions, const struct half_choice *choice,
                            size_t enough, const struct heartbeat *heartbeat,
                            struct half_list *list, const struct key_starts *starts,
                            uint32_t *next) {
    const struct subsets *subsets = &quarters->board->rows_on_left;
    struct growing growing = {
        .maker = {.board = quarters->board, .functions = functions, .heartbeat = heartbeat},
        .choice = choice,
        .list = list,
        .chosen = &own->chosen};
    struct combining of;
    nq_status status = halves_start(&growing, quarters, own, &of);
    const size_t begin = of.next, end = of.end;
    const int keys = starts != NULL ? starts->count : 0;
    for (int i = 0; i <= keys; i++) {
        of.end = i < keys ? combining_from(&of, subsets, starts->key[i], end) : end;
        while (of.next < of.end && (of.next == begin || list->count < enough) &&
               status == NQ_OK)
            status = halves_append_next(&growing, &of);
        if (i < keys)
            starts->start[i] = list->count;
    }
    *next = of.next < end ? subsets->key[of.sets[of.next]] : choice->end;
    return status;
}

nq_status nqi_quarters_list_by_row(const struct quarters *quarters, struct own_quarters *own,
                                   const struct listing *functions,
                                   const struct half_choice *choice,
                                   const struct heartbeat *heartbeat, struct half_list *list,
                                   size_t *start) {
    const int rows = quarters->board->rows;
    struct growing growing = {
        .maker = {.board = quarters->board, .functions = functions, .heartbeat = heartbeat},
        .choice = choice,
        .list = list,
        .chosen = &own->chosen};
    struct combining of;
    nq_status status = halves_start(&growing, quarters, own, &of);
    for (int row = 0; row < rows; row++, of.left.start += of.end) {
        start[row] = list->count;
        for (of.next = 0; of.next < of.end && status == NQ_OK;)
            status = halves_append_next(&growing, &of);
    }
    start[rows] = list->count;
    return status;
}
