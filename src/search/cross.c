/* SPDX-License-Identifier: MIT */
/* Plan `cross`: places the queens of the board's central lines first, up to symmetry.
 *
 * The central lines are the two middle rows and columns for even n, and the middle row and
 * column, or the middle three, for odd n. All eight symmetries of the square map the set of
 * central lines to itself, and every line holds exactly one queen of any solution. So the
 * placements of these queens (stems) fall into orbits under the symmetries. All stems of an
 * orbit have equally many completions, since a symmetry that maps one stem to another maps
 * their completions, too. One stem of each orbit is searched, and its completions count as
 * often as the orbit has stems.
 *
 * No solution is found twice, and none is tested for symmetry. docs/algorithm.md has the proof,
 * and says why the middle is better than the border.
 */
#include "search/plan.h"

#include <stdlib.h>

enum { MAX_QUEENS = 6, SYMMETRIES = 8 };

/* A square of the board in one number: its row and its column, 5 bits each. */
enum { SQUARES = 32 * 32, NO_SQUARE = SQUARES - 1 };
_Static_assert(NQ_MAX_SEARCH_N < 32, "5 bits for a row or a column, and one square to spare");

static int square_row(int square) {
    return square >> 5;
}
static int square_col(int square) {
    return square & 31;
}
static int square_at(int row, int col) {
    return row << 5 | col;
}

/* Queens on central lines: a stem, or the first ones of a stem. */
struct stem {
    int queens;
    int edge; /* column of the queen in the first central row */
    int square[MAX_QUEENS];
};

/* What all stems of a board share. */
struct cross {
    int n;
    int first, lines; /* the central rows are first..first+lines-1, and so are the columns */
    struct families *out;
    uint16_t image[SYMMETRIES][SQUARES]; /* [symmetry][square]: the square's image */
    uint32_t attacked[SQUARES]
                     [NQ_MAX_SEARCH_N]; /* [square][row]: columns that a queen attacks */
};

/* Returns a square's image. symmetry: 0..7, a sum of: mirror in the main diagonal (1), then
 * left to right (2), then top to bottom (4). */
static int square_image(int square, int symmetry, int n) {
    int row = square_row(square), col = square_col(square);
    if ((symmetry & 1) != 0) {
        row = square_col(square);
        col = square_row(square);
    }
    if ((symmetry & 2) != 0)
        col = n - 1 - col;
    if ((symmetry & 4) != 0)
        row = n - 1 - row;
    return square_at(row, col);
}

/* Returns the columns of a row that a queen attacks; all columns in its own row. */
static uint32_t square_attacks(int row, int queen, int n) {
    uint32_t col = UINT32_C(1) << square_col(queen);
    int distance = abs(row - square_row(queen));
    return distance == 0 ? low_bits(n)
                         : (col | col << distance | col >> distance) & low_bits(n);
}

static void cross_fill_tables(struct cross *cross) {
    const int n = cross->n;
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++) {
            int square = square_at(row, col);
            for (int i = 0; i < SYMMETRIES; i++)
                cross->image[i][square] = (uint16_t)square_image(square, i, n);
            for (int to = 0; to < n; to++)
                cross->attacked[square][to] = square_attacks(to, square, n);
        }
}

/* Returns whether no queen of the stem attacks the square. */
static bool stem_may_add(const struct cross *cross, const struct stem *stem, int square) {
    for (int i = 0; i < stem->queens; i++)
        if ((cross->attacked[stem->square[i]][square_row(square)] >> square_col(square) & 1) !=
            0)
            return false;
    return true;
}

/* Sorts a stem's squares, so that the queens are in order of rows. */
static void stem_sort_squares(int *square, int queens) {
    for (int i = 1; i < queens; i++)
        for (int j = i; j > 0; j--) { /* no early exit: its branch would be mispredicted */
            int a = square[j - 1], b = square[j];
            square[j - 1] = a < b ? a : b;
            square[j] = a < b ? b : a;
        }
}

/* Returns a number for an image of a stem: 4 bits for its edge, then 10 for each square, 64
 * bits in all. Equal images have equal numbers, and the image with the smaller edge has the
 * smaller number. Edges from 15 on share a code: no orbit's first image has such an edge. */
static uint64_t stem_key(const struct cross *cross, const struct stem *stem, int symmetry) {
    int square[MAX_QUEENS], edge = 0;
    for (int i = 0; i < stem->queens; i++) {
        square[i] = cross->image[symmetry][stem->square[i]];
        edge = square_row(square[i]) == cross->first ? square_col(square[i]) : edge;
    }
    stem_sort_squares(square, stem->queens);
    _Static_assert((NQ_MAX_SEARCH_N - 1) / 2 < 15, "4 bits for an edge in the left half");
    uint64_t key = edge < 15 ? (uint64_t)edge : 15;
    for (int i = 0; i < MAX_QUEENS; i++)
        key = key << 10 | (uint64_t)(i < stem->queens ? square[i] : NO_SQUARE);
    return key;
}

/* Finds the squares of every row that the queens do not attack; none in their own rows. */
static void cross_free_squares(const struct cross *cross, const int *square, int queens,
                               uint32_t *free) {
    const int n = cross->n;
    for (int row = 0; row < n; row++)
        free[row] = low_bits(n);
    for (int i = 0; i < queens; i++) {
        const uint32_t *attacked = cross->attacked[square[i]];
        for (int row = 0; row < n; row++)
            free[row] &= ~attacked[row];
    }
}

/* Returns the family of all completions of a stem, given by its sorted squares. */
static struct family stem_family(const struct cross *cross, const int *square, int queens) {
    struct family f = {.board = low_bits(cross->n)};
    uint32_t free[NQ_MAX_SEARCH_N];
    cross_free_squares(cross, square, queens, free);
    int next = 0; /* index of the stem's first queen on this row or below */
    for (int row = 0; row < cross->n; row++) {
        const int before = row - next; /* rows to fill above this one */
        if (next < queens && square_row(square[next]) == row) {
            f.cols |= UINT32_C(1) << square_col(square[next++]);
            if (before > 0)
                f.step[before - 1]++;
            continue;
        }
        f.open[before] = free[row];
        f.step[before] = 1;
    }
    f.rows = cross->n - next;
    return f;
}

/* Scores the eight images of a stem; a higher score estimates a larger search. The score is the
 * number of free squares, where a square counts more the earlier its row, since more of the
 * search is below it. Mirroring left to right changes no score, so four sums are enough: by
 * rows and by columns, each from both ends. Scores are whole numbers, so that every machine
 * picks the same image. */
static void stem_score_images(const struct cross *cross, const struct stem *stem,
                              uint32_t *score) {
    uint32_t sum[2][2] = {{0}};
    for (int turned = 0; turned < 2; turned++) {
        int square[MAX_QUEENS];
        uint32_t free[NQ_MAX_SEARCH_N];
        for (int i = 0; i < stem->queens; i++)
            square[i] = cross->image[turned][stem->square[i]];
        cross_free_squares(cross, square, stem->queens, free);
        for (uint32_t row = 0; row < (uint32_t)cross->n; row++) {
            uint32_t squares = (uint32_t)__builtin_popcount(free[row]);
            sum[turned][0] += squares * ((uint32_t)cross->n - row);
            sum[turned][1] += squares * (row + 1);
        }
    }
    for (int i = 0; i < SYMMETRIES; i++)
        score[i] = sum[i & 1][i >> 2];
}

/* [n]: how families become units. Families that are few (odd n) or long (large n) have some
 * rows expanded and are divided into parts; of families that are many and short, several make a
 * unit. Up to n = 24 a unit takes well under a second, and from n = 16 on hundreds of times as
 * long as recording it. A change raises the plan's version. */
static const struct {
    uint8_t expanded;
    uint16_t parts, families_per_unit; /* 0: 2 rows, 1 part, 1 family per unit */
} divisions[NQ_MAX_SEARCH_N + 1] = {
    [8] = {.families_per_unit = 16},        [10] = {.families_per_unit = 16},
    [12] = {.families_per_unit = 16},       [13] = {.expanded = 2, .parts = 8},
    [14] = {.families_per_unit = 16},       [15] = {.expanded = 3, .parts = 16},
    [16] = {.families_per_unit = 16},       [17] = {.expanded = 3, .parts = 16},
    [18] = {.families_per_unit = 2},        [19] = {.families_per_unit = 64},
    [21] = {.families_per_unit = 16},       [22] = {.expanded = 2, .parts = 4},
    [23] = {.families_per_unit = 4},        [24] = {.expanded = 3, .parts = 32},
    [25] = {.expanded = 4, .parts = 16384}, [26] = {.expanded = 3, .parts = 128},
    [27] = {.expanded = 4, .parts = 32768}, [28] = {.expanded = 3, .parts = 128},
};

/* [x]: round(2^16 log2(x)) for x squares; 0 squares count as half a square. */
static const int32_t log2_of[NQ_MAX_SEARCH_N + 1] = {
    -65536, 0,      65536,  103872, 131072, 152170, 169408, 183983, 196608, 207744,
    217706, 226717, 234944, 242512, 249519, 256042, 262144, 267876, 273280, 278392,
    283242, 287855, 292253, 296456, 300480, 304340, 308048, 311616, 315055,
};

/* Divides a family, and estimates the cost of its parts: the product of the numbers of free
 * squares of all rows, each to a power that falls in equal steps from 1 for the first row to 0
 * for a row below the last. The standard error against nodes is 15 % at n = 16
 * (docs/tried.md). All families have equally many `parts`. */
static void cross_divide_family(int n, struct family *f) {
    int expanded = divisions[n].expanded != 0 ? divisions[n].expanded : 2;
    f->expanded = expanded < f->rows ? expanded : f->rows;
    f->parts = divisions[n].parts != 0 ? divisions[n].parts : 1;
    int32_t log_cost = 0;
    for (int row = 0; row < f->rows; row++)
        log_cost += log2_of[__builtin_popcount(f->open[row])] * (f->rows - row);
    f->log_cost = log_cost > 0 ? log_cost / f->rows : 0;
}

/* Adds a family for a stem's orbit if this stem is the orbit's first. The family's own stem is
 * the one with the lowest score, or the first of several such. False: out of memory. */
static bool cross_add_orbit(const struct cross *cross, const struct stem *stem) {
    uint64_t key[SYMMETRIES];
    uint32_t score[SYMMETRIES], same = 0;
    for (int i = 0; i < SYMMETRIES; i++) {
        key[i] = stem_key(cross, stem, i);
        if (key[i] < key[0])
            return true;
        same += key[i] == key[0];
    }
    stem_score_images(cross, stem, score);
    int best = 0, square[MAX_QUEENS];
    for (int i = 1; i < SYMMETRIES; i++)
        if (score[i] < score[best] || (score[i] == score[best] && key[i] < key[best]))
            best = i;
    for (int i = 0; i < stem->queens; i++)
        square[i] = cross->image[best][stem->square[i]];
    stem_sort_squares(square, stem->queens);
    struct family family = stem_family(cross, square, stem->queens);
    family.weight = SYMMETRIES / same; /* orbit-stabiliser: `same` symmetries fix the stem */
    cross_divide_family(cross->n, &family);
    return nqi_families_add(cross->out, &family);
}

/* Returns whether a queen at this position of a central line is no nearer to an end of its line
 * than the edge queen to the left end of its own. A nearer queen is the edge queen of some
 * image, and that image comes earlier in the orbit. Of three lines side by side, the middle one
 * has no image in the first central row. */
static bool stem_far_enough(const struct cross *cross, const struct stem *stem, int line,
                            int position) {
    if (cross->lines == 3 && line == cross->first + 1)
        return true;
    return position >= stem->edge && position <= cross->n - 1 - stem->edge;
}

/* Puts a queen on each central line that has none, from number `line` on, and adds the orbits
 * of the resulting stems. Lines are the central rows, then the central columns. False: out of
 * memory. */
static bool cross_fill(const struct cross *cross, const struct stem *stem, int line) {
    if (line == 2 * cross->lines)
        return cross_add_orbit(cross, stem);
    const bool is_row = line < cross->lines;
    const int fixed = cross->first + line % cross->lines;
    for (int i = 0; i < stem->queens && !is_row; i++)
        if (square_col(stem->square[i]) == fixed)
            return cross_fill(cross, stem, line + 1);
    for (int position = 0; position < cross->n; position++) {
        const int square = is_row ? square_at(fixed, position) : square_at(position, fixed);
        if (!stem_far_enough(cross, stem, fixed, position) ||
            !stem_may_add(cross, stem, square))
            continue;
        struct stem grown = *stem;
        grown.square[grown.queens++] = square;
        if (line == 0)
            grown.edge = position;
        if (!cross_fill(cross, &grown, line + 1))
            return false;
    }
    return true;
}

/* Returns the number of central rows, which is that of central columns. For odd n, three leave
 * a quarter fewer nodes than one, in thousands of times as many families: for small n listing
 * them takes too long, for large n they need too much memory (n = 23: 1.4 million, up to 370
 * MB). */
static int cross_central_lines(int n) {
    if (n % 2 == 0)
        return n == 0 ? 0 : 2;
    return n >= 19 && n <= 23 ? 3 : 1;
}

/* Sorts the families by weight, the heaviest first, if a unit has several: families of one unit
 * have one weight. Families of one weight keep their order. False: out of memory. */
static bool cross_sort_by_weight(int n, struct families *list) {
    if (divisions[n].families_per_unit == 0)
        return true;
    struct family *sorted = malloc((list->count + 1) * sizeof *sorted);
    if (sorted == NULL)
        return false;
    size_t next = 0;
    for (uint32_t weight = SYMMETRIES; weight >= 1; weight /= 2)
        for (size_t i = 0; i < list->count; i++)
            if (list->family[i].weight == weight)
                sorted[next++] = list->family[i];
    free(list->family);
    list->family = sorted;
    list->families_per_unit = divisions[n].families_per_unit;
    return true;
}

static bool cross_build(int n, struct families *out) {
    *out = (struct families){0};
    struct cross *cross = calloc(1, sizeof *cross);
    if (cross == NULL)
        return false;
    cross->n = n;
    cross->lines = cross_central_lines(n);
    cross->first = (n - cross->lines) / 2;
    cross->out = out;
    cross_fill_tables(cross);
    struct stem empty = {0};
    bool built = cross_fill(cross, &empty, 0);
    free(cross);
    if (!built || !cross_sort_by_weight(n, out)) {
        nqi_families_free(out);
        return false;
    }
    return true;
}

const struct plan nqi_plan_cross = {.name = "cross", .version = 2, .build = cross_build};
