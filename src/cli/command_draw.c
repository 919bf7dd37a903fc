/* SPDX-License-Identifier: MIT */
/* `nqueens draw N | -`: solutions, or the placements on stdin, as text or as a picture. */
#include "cli/output.h"
#include "cli/placement_file.h"
#include "solutions/placement.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* MAX_ROWS: of a board. MAX_BOARDS: at a time. */
enum { MAX_ROWS = 1000, MAX_BOARDS = 400 };

/* A placement to draw. */
struct board {
    int n, columns[MAX_ROWS];
    bool attacked[MAX_ROWS]; /* the queens that attack another one, to be marked */
    uint64_t pairs;          /* of them; a few pairs have lines between them */
};

/* More lines between queens would hide the board. */
enum { MAX_LINES = 32 };

#define LIGHT "#f0e6cf"
#define DARK  "#b08a65"
#define FRAME "#493422"
#define BLACK "#231f1c"
#define RED   "#c81e1e"

/* In a square of side 1: a crown with five points, each with a pearl, on a base; and what is
 * still seen where squares are too small for a crown. */
static const char shapes[] =
    "<g id=\"queen\"><path d=\"M.27 .72L.13 .33 .315 .545 .305 .225 .435 .515 .5 .19 .565 .515 "
    ".695 .225 .685 .545 .87 .33 .73 .72C.6 .685 .4 .685 .27 .72zM.265 .755C.4 .72 .6 .72 "
    ".735 .755L.765 .855C.6 .885 .4 .885 .235 .855z\"/>"
    "<circle cx=\".13\" cy=\".31\" r=\".048\"/><circle cx=\".305\" cy=\".205\" r=\".048\"/>"
    "<circle cx=\".5\" cy=\".17\" r=\".048\"/><circle cx=\".695\" cy=\".205\" r=\".048\"/>"
    "<circle cx=\".87\" cy=\".31\" r=\".048\"/></g>\n"
    "<circle id=\"dot\" cx=\".5\" cy=\".5\" r=\".4\"/>\n";

/* Dark squares are where the odd columns and the odd rows of the board, both filled, do not
 * cross. */
static void picture_write_squares(int n, FILE *stream) {
    fprintf(stream, "<path fill=\"" LIGHT "\" d=\"M0 0h%dv%dh-%dz\"/>\n", n, n, n);
    fputs("<path fill=\"" DARK "\" fill-rule=\"evenodd\" d=\"", stream);
    for (int i = 1; i < n; i += 2)
        fprintf(stream, "M%d 0h1v%dh-1zM0 %dh%dv1h-%dz", i, n, i, n, n);
    fputs("\"/>\n", stream);
}

/* A line between the queens of each pair. */
static void picture_write_attacks(const struct board *board, FILE *stream) {
    const int *columns = board->columns;
    fputs("<path stroke=\"" RED "\" stroke-width=\".083\" stroke-linecap=\"round\" d=\"",
          stream);
    for (int row = 0; row < board->n; row++)
        for (int below = row + 1; board->attacked[row] && below < board->n; below++) {
            int distance = abs(columns[below] - columns[row]);
            if (distance == 0 || distance == below - row)
                fprintf(stream, "M%d.5 %d.5L%d.5 %d.5", columns[row] - 1, row,
                        columns[below] - 1, below);
        }
    fputs("\"/>\n", stream);
}

/* Writes a board at (x, y), `side` pixels wide: its frame, and in units of its squares what
 * stands on it. */
static void picture_write_board(const struct board *board, int side, int frame, int x, int y,
                                FILE *stream) {
    int n = board->n, framed = side + 2 * frame;
    const char *shape = side / n < 12 ? "dot" : "queen";
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"" FRAME "\"/>\n",
            x - frame, y - frame, framed, framed);
    fprintf(stream,
            "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", x, y,
            side, side, n, n);
    picture_write_squares(n, stream);
    if (board->pairs > 0 && board->pairs <= MAX_LINES)
        picture_write_attacks(board, stream);
    for (int row = 0; row < n; row++)
        fprintf(stream, "<use href=\"#%s\" x=\"%d\" y=\"%d\"%s/>\n", shape,
                board->columns[row] - 1, row, board->attacked[row] ? " fill=\"" RED "\"" : "");
    fputs("</svg>\n", stream);
}

/* Writes a picture of boards, count >= 1. Several are numbered, in a grid. One board is 720
 * pixels wide, several are 180 each, whatever their n, as long as squares are neither huge nor
 * too small to see. */
static void picture_write(const struct board *boards, int count, FILE *stream) {
    const int wide = count == 1 ? 720 : 180, margin = 24, number = count == 1 ? 0 : 20;
    int n = 1, columns = 1;
    for (int i = 0; i < count; i++)
        if (boards[i].n > n)
            n = boards[i].n;
    while (columns * columns < count)
        columns++;
    const int square = wide / n > 90 ? 90 : wide / n < 4 ? 4 : wide / n;
    const int side = n * square, frame = count == 1 ? 4 : 1;
    const int across = side + margin, down = across + number;
    const int width = columns * across + margin,
              height = (count + columns - 1) / columns * down + margin;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" fill=\"" BLACK "\" font-family=\"sans-serif\" "
            "font-size=\"14\" text-anchor=\"middle\">\n<defs>\n%s</defs>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height, shapes);
    for (int i = 0; i < count; i++) {
        const int x = margin + i % columns * across, y = margin + i / columns * down;
        picture_write_board(&boards[i], side, frame, x, y, stream);
        if (count > 1)
            fprintf(stream, "<text x=\"%d\" y=\"%d\">%d</text>\n", x + side / 2,
                    y + side + number, i + 1);
    }
    fputs("</svg>\n", stream);
}

struct drawing {
    struct board board[MAX_BOARDS];
    int count;
};

static bool draw_ends_in(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcasecmp(name + length - tail, end) == 0;
}

/* Refuses what has no effect. */
static int draw_check_options(const struct call *call, bool from_stdin) {
    static const enum option_id choosing[] = {OPTION_solution, OPTION_limit, OPTION_fundamental,
                                              OPTION_board};
    for (size_t i = 0; from_stdin && i < sizeof choosing / sizeof *choosing; i++)
        if (is_given(call, choosing[i]))
            return usage_error("'--%s' does not go with placements from stdin",
                               option_rows[choosing[i]].long_name);
    if (is_given(call, OPTION_limit) && call->number[OPTION_limit] > MAX_BOARDS)
        return usage_error("--limit: '%.60s': expected a whole number from 1 to %d",
                           call->value[OPTION_limit], MAX_BOARDS);
    const char *file = call->value[OPTION_output];
    if (file != NULL && !draw_ends_in(file, ".svg") && !draw_ends_in(file, ".txt"))
        return usage_error("--output: '%.60s': expected a name that ends in .svg, of which "
                           "rsvg-convert makes a PNG or PDF, or in .txt",
                           file);
    return EXIT_DONE;
}

/* Adds a board, and finds the queens on it that attack others. */
static int draw_add(struct drawing *drawing, int n, const int *columns) {
    if (drawing->count == MAX_BOARDS)
        return usage_error("draw: n = %d: more than %d boards: expected 1 to %d, as --limit "
                           "takes of a list",
                           n, MAX_BOARDS, MAX_BOARDS);
    struct board *board = &drawing->board[drawing->count++];
    board->n = n;
    memcpy(board->columns, columns, (size_t)n * sizeof *columns);
    struct failure failure = {0};
    nq_status status = nqi_count_attacks(n, columns, board->attacked, &board->pairs, &failure);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, &failure);
}

/* Takes solutions from a list: the first one, those that --limit and --solution name, or all
 * classes. */
static int draw_take_solutions(const struct call *call, int n, nq_list *list,
                               struct drawing *drawing) {
    const bool several = is_given(call, OPTION_fundamental) && !is_given(call, OPTION_solution);
    const uint64_t wanted =
        several || is_given(call, OPTION_limit) ? call->number[OPTION_limit] : 1;
    int columns[NQ_MAX_N], code = EXIT_DONE;
    uint64_t found = 0;
    while (code == EXIT_DONE && (uint64_t)drawing->count < wanted &&
           nq_list_next(list, columns))
        if (++found >= call->number[OPTION_solution])
            code = draw_add(drawing, n, columns);
    if (code != EXIT_DONE || drawing->count > 0)
        return code;
    if (found > 0)
        return usage_error("--solution: '%" PRIu64 "': n = %d: expected 1 to %" PRIu64,
                           call->number[OPTION_solution], n, found);
    if (call->options.board != NULL)
        return usage_error("draw: the board has 0 completions");
    return usage_error("draw: n = %d has no solution: expected 1, or 4 to %d", n, NQ_MAX_N);
}

static int draw_find_solutions(const struct call *call, struct drawing *drawing) {
    nq_list *list;
    int n, code = read_n(call, 1, NQ_MAX_N, &n);
    if (code == EXIT_DONE)
        code = solutions_open(call, n, &list);
    if (code != EXIT_DONE)
        return code;
    code = draw_take_solutions(call, n, list, drawing);
    nq_list_close(list);
    return code;
}

static int draw_read_placements(struct drawing *drawing) {
    struct placement_file file;
    int code = placement_open("-", MAX_ROWS, &file);
    while (code == EXIT_DONE && (code = placement_next(&file)) == EXIT_DONE && file.n > 0)
        code = file.in_row.row[0] == 0
                   ? draw_add(drawing, file.n, file.columns)
                   : usage_error("stdin, line %" PRIu64 ": 2 queens in row %d of the board: "
                                 "expected one in each row",
                                 file.text.line, file.in_row.row[0]);
    placement_close(&file);
    return code;
}

static void draw_write_text(const struct drawing *drawing, bool coloured, FILE *stream) {
    for (int i = 0; i < drawing->count; i++) {
        const struct board *board = &drawing->board[i];
        if (drawing->count > 1)
            fprintf(stream, "%s# %d\n", i > 0 ? "\n" : "", i + 1);
        text_board_print(board->n, board->columns, board->attacked, coloured, stream);
    }
}

/* Whether stdout shows chess pieces and colours: a terminal, with UTF-8 by the locale. */
static bool draw_has_colours(void) {
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */
    setlocale(LC_CTYPE, "");                   /* the user's; C if the system lacks it */
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && isatty(STDOUT_FILENO) != 0 &&
           !terminal_is_dumb() && (no_color == NULL || *no_color == '\0');
}

static int draw_write_file(const struct drawing *drawing, const char *name) {
    const bool is_new = faccessat(AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    FILE *stream = fopen(name, "w");
    if (stream != NULL) {
        if (draw_ends_in(name, ".txt"))
            draw_write_text(drawing, false, stream);
        else
            picture_write(drawing->board, drawing->count, stream);
        const bool failed = ferror(stream) != 0;
        if (fclose(stream) == 0 && !failed)
            return EXIT_DONE;
    }
    const int error = errno;
    if (is_new)
        unlink(name);
    message("'%.100s': cannot be written: %s", name, strerror(error));
    return EXIT_SYSTEM;
}

/* Says what is wrong with the placements. */
static int draw_say_attacks(const struct drawing *drawing) {
    int code = EXIT_DONE;
    for (int i = 0; i < drawing->count; i++) {
        const struct board *board = &drawing->board[i];
        nq_attack first;
        if (board->pairs == 0)
            continue;
        const nq_status status = nq_check_placement(board->n, board->columns, &first);
        if (status != NQ_ATTACK)
            return say_failure(status, NULL);
        char number[16] = "", text[160];
        if (drawing->count > 1)
            snprintf(number, sizeof number, "%d: ", i + 1);
        attack_text(board->n, board->columns, &first, text, sizeof text);
        message("%s%s", number, text);
        code = EXIT_WRONG;
    }
    return code;
}

int run_draw(const struct call *call) {
    static struct drawing drawing; /* too large for the stack */
    const bool from_stdin = call->argument_count == 0 ? call->options.board == NULL
                                                      : strcmp(call->arguments[0], "-") == 0;
    int code = draw_check_options(call, from_stdin);
    if (code == EXIT_DONE)
        code =
            from_stdin ? draw_read_placements(&drawing) : draw_find_solutions(call, &drawing);
    if (code == EXIT_DONE && call->value[OPTION_output] != NULL)
        code = draw_write_file(&drawing, call->value[OPTION_output]);
    else if (code == EXIT_DONE)
        draw_write_text(&drawing, draw_has_colours(), stdout);
    return code == EXIT_DONE ? draw_say_attacks(&drawing) : code;
}
