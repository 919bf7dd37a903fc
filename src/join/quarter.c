#include "join/quarter.h"

#include "core/bits.h"

#include <stdlib.h>
#include <string.h>

/* [n]: placements of any number of non-attacking queens on a left quarter, h x h for n = 2h and
 * h x (h + 1) for n = 2h + 1. 0: too many to keep. */
static const uint32_t counts[NQ_MAX_N + 1] = {
    1,    1,    2,    3,     5,     9,      18,     37,     87,      185,     462,
    1039, 2635, 6335, 16870, 42807, 118969, 316395, 915442, 2524999, 7535369, 21637115,
};

/* Returns the number of columns on a side. */
static int width(int n, enum side side) {
    return side == LEFT ? (n + 1) / 2 : n / 2;
}

/* Returns the size of a quarter with so many placements of queens on `rows` rows. */
static uint64_t bytes_of(int rows, uint64_t count) {
    return sizeof(struct quarter) + (sizeof(struct stretch) << rows) +
           (count + 8 + HALF_SLACK) * sizeof(uint64_t);
}

uint64_t nqi_quarters_bytes(int n) {
    const uint64_t sets = (UINT64_C(1) << width(n, LEFT)) + (UINT64_C(1) << width(n, RIGHT));
    if (counts[n] == 0)
        return UINT64_MAX;
    return sets * bytes_of(n / 2, 0) +
           ((uint64_t)counts[n] + counts[n - n % 2]) * sizeof(uint64_t);
}

static void clear(struct quarter *quarter) {
    nqi_half_list_free(&quarter->list);
    free(quarter->taking);
    *quarter = (struct quarter){0};
}

bool nqi_quarters_init(const struct half_board *board, bool keep, struct quarters *quarters) {
    *quarters = (struct quarters){.board = board};
    for (enum side side = LEFT; side < SIDES && keep; side++) {
        quarters->kept[side] =
            calloc((size_t)1 << width(board->n, side), sizeof *quarters->kept[side]);
        if (quarters->kept[side] == NULL) {
            nqi_quarters_free(quarters);
            return false;
        }
    }
    return true;
}

void nqi_quarters_free(struct quarters *quarters) {
    for (enum side side = LEFT; side < SIDES; side++) {
        const size_t sets =
            quarters->kept[side] == NULL ? 0 : (size_t)1 << width(quarters->board->n, side);
        for (size_t set = 0; set < sets; set++) {
            struct quarter *quarter = atomic_load(&quarters->kept[side][set]);
            if (quarter != NULL)
                clear(quarter);
            free(quarter);
        }
        free(quarters->kept[side]);
    }
    *quarters = (struct quarters){0};
}

/* Removes all queens: one placement is left. */
static void without_queens(struct quarter *quarter) {
    quarter->columns = 0;
    quarter->list.signature[0] = 0;
    quarter->list.count = 1;
    quarter->taking[0] = (struct stretch){0, 1};
}

static bool init(const struct half_board *board, struct quarter *quarter) {
    quarter->taking = calloc((size_t)1 << board->rows, sizeof *quarter->taking);
    if (quarter->taking == NULL || nqi_half_list_reserve(&quarter->list, 1, NULL) != NQ_OK)
        return false;
    without_queens(quarter);
    return true;
}

bool nqi_own_quarters_init(const struct half_board *board, struct own_quarters *own) {
    *own = (struct own_quarters){0};
    own->listed = calloc((size_t)1 << board->rows, sizeof *own->listed);
    bool done = own->listed != NULL && init(board, &own->made) && init(board, &own->smaller);
    for (enum side side = LEFT; side < SIDES; side++)
        for (int turned = 0; turned < 2; turned++)
            done = done && init(board, &own->latest[side][turned]);
    for (enum side side = LEFT; side < SIDES; side++)
        done = done && init(board, &own->filtered[side].left);
    return done;
}

void nqi_own_quarters_free(struct own_quarters *own) {
    for (enum side side = LEFT; side < SIDES; side++)
        for (int turned = 0; turned < 2; turned++)
            clear(&own->latest[side][turned]);
    for (enum side side = LEFT; side < SIDES; side++)
        clear(&own->filtered[side].left);
    clear(&own->made);
    clear(&own->smaller);
    nqi_half_list_free(&own->chosen);
    free(own->listed);
}

/* A thread that makes or joins quarters. */
struct maker {
    const struct half_board *board;
    const struct listing *functions;
    const struct heartbeat *heartbeat;
    size_t unheard; /* steps since the last heartbeat */
};

/* Returns whether to go on. */
static bool pass(struct maker *maker, size_t steps) {
    maker->unheard += steps;
    if (maker->unheard < STEPS_PER_BEAT)
        return true;
    maker->unheard = 0;
    return heartbeat_go_on(maker->heartbeat, 0);
}

/* Returns a queen's bits while a quarter is made: those of its signature, and for a diagonal
 * that leaves the board at the side, before it meets the half's lower edge, a bit of its own,
 * as if it went on at the other side. Diagonals of a quarter differ in these bits, too. */
static uint64_t all_bits(const struct half_board *board, int row, int col) {
    const int n = board->n, down = board->rows - row, even = 1 - n % 2;
    return board->queen[row][col] | UINT64_C(1) << (col - down + n) % n |
           UINT64_C(1) << (n + (col + down) % n - even);
}

/* Returns the bits of the diagonals that leave the board at that side. */
static uint64_t leaving_bits(const struct half_board *board, enum side side) {
    const int n = board->n, even = 1 - n % 2;
    return (uint64_t)low_bits(board->rows) << (side == LEFT ? n - board->rows : n - even);
}

/* A column that a quarter grows by. */
struct column {
    uint64_t queen[NQ_MAX_N / 2]; /* [row] */
    uint64_t keep; /* bits of the placements: of the last column, no leaving ones */
};

/* Makes the placements that take `rows`: a queen on a row of the column and those that do not
 * attack it, of placements without that column that take the other rows. */
static nq_status make_stretch(struct maker *maker, const struct quarter *smaller,
                              const struct column *column, uint32_t rows,
                              struct quarter *quarter) {
    struct half_list *list = &quarter->list;
    const size_t first = list->count;
    size_t most = 0;
    for (uint32_t rest = rows; rest != 0; rest &= rest - 1)
        most += smaller->taking[rows ^ (rest & -rest)].count;
    nq_status status = nqi_half_list_reserve(list, first + most, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    if (!pass(maker, most))
        return NQ_CANCELLED;
    for (uint32_t rest = rows; rest != 0; rest &= rest - 1) {
        const struct stretch *others = &smaller->taking[rows ^ (rest & -rest)];
        list->count += maker->functions->combine_disjoint(
            &column->queen[__builtin_ctz(rest)], 1, smaller->list.signature + others->first,
            others->count, list->signature + list->count);
    }
    for (size_t i = first; i < list->count && column->keep != UINT64_MAX; i++)
        list->signature[i] &= column->keep;
    quarter->taking[rows] = (struct stretch){(uint32_t)first, (uint32_t)(list->count - first)};
    return NQ_OK;
}

static void swap(struct quarter *a, struct quarter *b) {
    struct quarter other = *a;
    *a = *b;
    *b = other;
}

/* Makes own->made, one column after the other. */
static nq_status make(struct maker *maker, struct own_quarters *own, enum side side,
                      uint32_t columns) {
    const struct half_board *board = maker->board;
    const uint64_t leaving = leaving_bits(board, side);
    struct quarter *made = &own->made, *smaller = &own->smaller;
    nq_status status = NQ_OK;
    without_queens(made);
    for (uint32_t rest = columns; rest != 0 && status == NQ_OK; rest &= rest - 1) {
        struct column column = {.keep = (rest & (rest - 1)) != 0 ? UINT64_MAX : ~leaving};
        swap(made, smaller);
        made->columns = smaller->columns | (rest & -rest);
        made->list.count = 0;
        for (int row = 0; row < board->rows; row++)
            column.queen[row] = all_bits(board, row, __builtin_ctz(rest));
        const uint32_t first = low_bits(__builtin_popcount(made->columns));
        for (uint32_t rows = first; rows <= low_bits(board->rows) && status == NQ_OK;
             rows = next_subset(rows))
            status = make_stretch(maker, smaller, &column, rows, made);
    }
    return status;
}

static bool copy(const struct half_board *board, const struct quarter *from,
                 struct quarter *to) {
    const size_t sets = (size_t)1 << board->rows, count = from->list.count;
    to->taking = malloc(sets * sizeof *to->taking);
    if (to->taking == NULL || nqi_half_list_reserve(&to->list, count + 1, NULL) != NQ_OK)
        return false;
    memcpy(to->taking, from->taking, sets * sizeof *to->taking);
    memcpy(to->list.signature, from->list.signature, count * sizeof *to->list.signature);
    to->list.count = count;
    to->columns = from->columns;
    return true;
}

/* Shares a copy of a quarter, unless another thread was first. Returns the one that is shared;
 * NULL: out of memory. */
static const struct quarter *keep(const struct half_board *board,
                                  _Atomic(struct quarter *) *kept, const struct quarter *made) {
    struct quarter *own = calloc(1, sizeof *own), *other = NULL;
    const bool copied = own != NULL && copy(board, made, own);
    if (copied && atomic_compare_exchange_strong(kept, &other, own))
        return own;
    if (own != NULL)
        clear(own);
    free(own);
    return other;
}

/* Returns where a quarter is kept; NULL: nowhere. */
static _Atomic(struct quarter *) *kept_at(const struct quarters *quarters, enum side side,
                                          uint32_t columns) {
    const int first = side == LEFT ? 0 : width(quarters->board->n, LEFT);
    return quarters->kept[side] == NULL ? NULL : &quarters->kept[side][columns >> first];
}

/* Copies a quarter, upside down. */
static nq_status turn(struct maker *maker, const struct quarter *from, struct quarter *to) {
    const size_t count = from->list.count;
    nq_status status = nqi_half_list_reserve(&to->list, count, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    for (size_t begin = 0; begin < count; begin += STEPS_PER_BEAT) {
        const size_t end = count - begin < STEPS_PER_BEAT ? count : begin + STEPS_PER_BEAT;
        for (size_t i = begin; i < end; i++)
            to->list.signature[i] = half_flip(maker->board, from->list.signature[i]);
        if (!pass(maker, end - begin)) {
            without_queens(to);
            return NQ_CANCELLED;
        }
    }
    memcpy(to->taking, from->taking, sizeof *to->taking << maker->board->rows);
    to->list.count = count;
    to->columns = from->columns;
    return NQ_OK;
}

/* Finds a quarter, or makes it. */
static nq_status find(struct maker *maker, const struct quarters *quarters,
                      struct own_quarters *own, enum side side, uint32_t columns,
                      bool upside_down, const struct quarter **found) {
    struct quarter *latest = &own->latest[side][upside_down];
    *found = latest;
    if (latest->columns == columns)
        return NQ_OK;
    _Atomic(struct quarter *) *at = kept_at(quarters, side, columns);
    const struct quarter *kept = at == NULL ? NULL : atomic_load(at);
    if (kept == NULL) {
        nq_status status = make(maker, own, side, columns);
        if (status != NQ_OK)
            return status;
        if (at != NULL && (kept = keep(maker->board, at, &own->made)) == NULL)
            return NQ_NO_MEMORY;
    }
    if (upside_down)
        return turn(maker, kept != NULL ? kept : &own->made, latest);
    if (kept != NULL)
        *found = kept;
    else
        swap(&own->made, latest);
    return NQ_OK;
}

nq_status nqi_quarters_make_all(const struct quarters *quarters,
                                const struct listing *functions,
                                const struct heartbeat *heartbeat) {
    const struct half_board *board = quarters->board;
    const int left = width(board->n, LEFT), right = width(board->n, RIGHT);
    struct own_quarters own;
    struct maker maker = {.board = board, .functions = functions, .heartbeat = heartbeat};
    if (quarters->kept[LEFT] == NULL)
        return NQ_OK;
    nq_status status = nqi_own_quarters_init(board, &own) ? NQ_OK : NQ_NO_MEMORY;
#pragma omp for schedule(dynamic, 1)
    for (uint32_t set = 0; set < (UINT32_C(1) << left) + (UINT32_C(1) << right); set++) {
        const enum side side = set >> left == 0 ? LEFT : RIGHT;
        const uint32_t columns = side == LEFT ? set : (set ^ UINT32_C(1) << left) << left;
        const struct quarter *ignored;
        if (status == NQ_OK && !heartbeat_go_on(heartbeat, 0))
            status = NQ_CANCELLED;
        if (status == NQ_OK)
            status = find(&maker, quarters, &own, side, columns, false, &ignored);
    }
    nqi_own_quarters_free(&own);
    return status;
}

static struct half_list stretch_of(const struct quarter *quarter, uint32_t rows) {
    const struct stretch *taking = &quarter->taking[rows];
    return (struct half_list){.signature = quarter->list.signature + taking->first,
                              .count = taking->count};
}

/* A list that grows by the unions of stretches. */
struct growing {
    struct maker maker;
    struct half_list *list;
};

/* Appends the unions of each signature of a and each of b that have no bit in common. */
static nq_status append(struct growing *growing, const struct half_list *a,
                        const struct half_list *b) {
    struct half_list *list = growing->list;
    const struct half_list *shorter = a->count <= b->count ? a : b,
                           *longer = shorter == a ? b : a;
    if (shorter->count == 0)
        return NQ_OK;
    nq_status status = nqi_half_list_reserve(list, list->count + a->count * b->count,
                                             growing->maker.heartbeat);
    if (status != NQ_OK)
        return status;
    if (!pass(&growing->maker, a->count * b->count))
        return NQ_CANCELLED;
    list->count += growing->maker.functions->combine_disjoint(
        shorter->signature, shorter->count, longer->signature, longer->count,
        list->signature + list->count);
    return NQ_OK;
}

/* The same for those unions that hold of these diagonals the `held` ones and no others. Each of
 * them is held by one signature of the two: `chosen` has copies of the others. */
static nq_status append_holding(struct growing *growing, const struct half_list *a,
                                const struct half_list *b, uint64_t diagonals, uint64_t held,
                                struct half_list *chosen) {
    const struct listing *functions = growing->maker.functions;
    nq_status status = nqi_half_list_reserve(chosen, a->count + b->count + HALF_SLACK,
                                             growing->maker.heartbeat);
    if (status != NQ_OK)
        return status;
    struct half_list of_a = {.signature = chosen->signature},
                     of_b = {.signature = chosen->signature + a->count + HALF_SLACK};
    uint64_t by_a = held; /* every subset of `held` */
    do {
        if (!pass(&growing->maker, a->count + b->count))
            return NQ_CANCELLED;
        of_a.count =
            functions->holding(a->signature, a->count, diagonals, by_a, of_a.signature);
        if (of_a.count > 0) {
            of_b.count = functions->holding(b->signature, b->count, diagonals, held ^ by_a,
                                            of_b.signature);
            status = append(growing, &of_a, &of_b);
        }
        by_a = (by_a - 1) & held;
    } while (by_a != held && status == NQ_OK);
    return status;
}

/* Returns how many queens are on the left side. */
static int rows_on_left(const struct half_board *board, const struct half_choice *choice) {
    return __builtin_popcount(choice->columns & low_bits(width(board->n, LEFT)));
}

/* The quarters of the halves on some columns. */
struct sides {
    const struct quarter *left, *right;
};

/* Finds the quarters, or makes them. The board has enough rows for each side's queens. */
static nq_status find_sides(struct maker *maker, const struct quarters *quarters,
                            struct own_quarters *own, const struct half_choice *choice,
                            struct sides *sides) {
    const uint32_t left = choice->columns & low_bits(width(maker->board->n, LEFT));
    nq_status status =
        find(maker, quarters, own, LEFT, left, choice->upside_down, &sides->left);
    if (status == NQ_OK)
        status = find(maker, quarters, own, RIGHT, choice->columns ^ left, choice->upside_down,
                      &sides->right);
    return status;
}

/* Returns how many of the placements before placement i hold none of the diagonals. */
static uint32_t left_before(const struct filtered *filtered, uint32_t i) {
    const uint64_t earlier = (UINT64_C(1) << i % 64) - 1;
    return filtered->before[i / 64] +
           (uint32_t)__builtin_popcountll(filtered->lacks[i / 64] & earlier);
}

/* Finds the stretches of the placements that are left. They follow each other in order of
 * their rows, as those of the quarter do (make_stretch). */
static void find_stretches(const struct half_board *board, struct filtered *filtered) {
    const uint32_t all = low_bits(board->rows);
    for (uint32_t word = 0, before = 0; word <= filtered->of->list.count / 64; word++) {
        filtered->before[word] = before;
        before += (uint32_t)__builtin_popcountll(filtered->lacks[word]);
    }
    uint32_t first = 0;
    for (uint32_t rows = low_bits(__builtin_popcount(filtered->columns)); rows <= all;
         rows = rows == 0 ? all + 1 : next_subset(rows)) {
        const struct stretch *taking = &filtered->of->taking[rows];
        const uint32_t end = left_before(filtered, taking->first + taking->count);
        filtered->left.taking[rows] = (struct stretch){first, end - first};
        first = end;
    }
}

/* Filters a quarter, unless that was the last one to be filtered so. */
static nq_status filter(struct maker *maker, const struct quarter *quarter, uint64_t diagonals,
                        struct filtered *filtered) {
    const size_t count = quarter->list.count;
    struct half_list *list = &filtered->left.list;
    if (filtered->of == quarter && filtered->columns == quarter->columns &&
        filtered->diagonals == diagonals)
        return NQ_OK;
    filtered->of = NULL;
    nq_status status = nqi_half_list_reserve(list, count + 1, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    if (!pass(maker, count))
        return NQ_CANCELLED;
    maker->functions->lacking(quarter->list.signature, count, diagonals, filtered->lacks);
    list->count = maker->functions->holding(quarter->list.signature, count, diagonals, 0,
                                            list->signature);
    filtered->of = quarter;
    filtered->columns = quarter->columns;
    filtered->diagonals = diagonals;
    find_stretches(maker->board, filtered);
    return NQ_OK;
}

/* If only halves that hold none of some diagonals are chosen, replaces quarters that are not
 * too large by what is left of them: all halves made of these are chosen. */
static nq_status filter_sides(struct maker *maker, struct own_quarters *own,
                              struct half_choice *choice, struct sides *sides) {
    if (choice->diagonals == 0 || choice->held != 0 ||
        sides->left->list.count > MOST_FILTERED || sides->right->list.count > MOST_FILTERED)
        return NQ_OK;
    nq_status status = filter(maker, sides->left, choice->diagonals, &own->filtered[LEFT]);
    if (status == NQ_OK)
        status = filter(maker, sides->right, choice->diagonals, &own->filtered[RIGHT]);
    *sides = (struct sides){&own->filtered[LEFT].left, &own->filtered[RIGHT].left};
    choice->diagonals = 0;
    return status;
}

/* Appends the chosen halves made of placements of the left quarter and those of the right one
 * that take the other rows. */
static nq_status append_chosen(struct growing *growing, const struct half_choice *choice,
                               const struct half_list *of_left, const struct quarter *right,
                               uint32_t rows, struct half_list *chosen) {
    const struct half_list of_right =
        stretch_of(right, low_bits(growing->maker.board->rows) & ~rows);
    return choice->diagonals == 0 ? append(growing, of_left, &of_right)
                                  : append_holding(growing, of_left, &of_right,
                                                   choice->diagonals, choice->held, chosen);
}

nq_status nqi_quarters_list(const struct quarters *quarters, struct own_quarters *own,
                            const struct listing *functions, const struct half_choice *choice,
                            size_t enough, const struct heartbeat *heartbeat,
                            struct half_list *list, uint32_t *next) {
    const struct half_board *board = quarters->board;
    const struct subsets *subsets = &board->rows_on_left;
    const int taken = rows_on_left(board, choice);
    struct growing growing = {
        .maker = {.board = board, .functions = functions, .heartbeat = heartbeat},
        .list = list};
    struct half_choice unfiltered = *choice;
    struct sides sides;
    nq_status status = nqi_half_list_reserve(list, list->count + 1, heartbeat);
    *next = choice->end;
    if (taken > board->rows || status != NQ_OK)
        return status;
    status = find_sides(&growing.maker, quarters, own, choice, &sides);
    if (status == NQ_OK)
        status = filter_sides(&growing.maker, own, &unfiltered, &sides);
    /* For each set of as many rows as the left quarter has queens. Two sets may have one key.
     */
    const size_t first = nqi_subsets_from(subsets, taken, choice->least),
                 end = nqi_subsets_from(subsets, taken, choice->end);
    for (size_t i = first; i < end && status == NQ_OK; i++) {
        const uint32_t rows = subsets->by_key[i];
        if (i > first && list->count >= enough &&
            subsets->key[rows] != subsets->key[subsets->by_key[i - 1]]) {
            *next = subsets->key[rows];
            break;
        }
        const struct half_list of_left = stretch_of(sides.left, rows);
        status =
            append_chosen(&growing, &unfiltered, &of_left, sides.right, rows, &own->chosen);
    }
    return status;
}

/* Returns the signatures of a stretch from *begin on that have this row, and moves *begin
 * behind them. A stretch of the left side is in order of rows, since its last column is the
 * middle one (make_stretch). */
static struct half_list next_with_row(const struct half_list *stretch, int row,
                                      uint32_t *begin) {
    const uint64_t *first = stretch->signature + *begin;
    while (*begin < stretch->count &&
           stretch->signature[*begin] >> HALF_ROW_SHIFT == (uint64_t)row)
        (*begin)++;
    return (struct half_list){.signature = (uint64_t *)first,
                              .count = (size_t)(stretch->signature + *begin - first)};
}

nq_status nqi_quarters_list_by_row(const struct quarters *quarters, struct own_quarters *own,
                                   const struct listing *functions,
                                   const struct half_choice *choice,
                                   const struct heartbeat *heartbeat, struct half_list *list,
                                   size_t *start) {
    const struct half_board *board = quarters->board;
    const struct subsets *subsets = &board->rows_on_left;
    const int taken = rows_on_left(board, choice);
    struct growing growing = {
        .maker = {.board = board, .functions = functions, .heartbeat = heartbeat},
        .list = list};
    struct sides sides;
    nq_status status = nqi_half_list_reserve(list, list->count + 1, heartbeat);
    for (int row = 0; row <= board->rows; row++)
        start[row] = list->count;
    if (taken > board->rows || status != NQ_OK)
        return status;
    status = find_sides(&growing.maker, quarters, own, choice, &sides);
    const size_t first = nqi_subsets_from(subsets, taken, choice->least),
                 end = nqi_subsets_from(subsets, taken, choice->end);
    memset(own->listed, 0, sizeof *own->listed << board->rows);
    for (int row = 0; row < board->rows && status == NQ_OK; row++) {
        start[row] = list->count;
        for (size_t i = first; i < end && status == NQ_OK; i++) {
            const uint32_t rows = subsets->by_key[i];
            if ((rows >> row & 1) == 0)
                continue;
            const struct half_list stretch = stretch_of(sides.left, rows),
                                   of_left = next_with_row(&stretch, row, &own->listed[rows]);
            status = append_chosen(&growing, choice, &of_left, sides.right, rows, &own->chosen);
        }
    }
    start[board->rows] = list->count;
    return status;
}
