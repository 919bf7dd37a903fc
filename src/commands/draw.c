/* SPDX-License-Identifier: MIT */
/* Implements `nqueens draw N | -`, which draws a solution, or the placements on stdin, as
 * text or as a picture. */
#include "boards/placements.h"
#include "boards/print.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/say.h"
#include "commands/input.h"
#include "commands/text_file.h"
#include "solutions/picture.h"
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

enum { MAX_BOARDS = 400 }; /* in one drawing */

static const char *output; /* the file's name; NULL for stdout */

struct drawing {
    struct drawn_board board[MAX_BOARDS];
    int count;
};

static bool draw_ends_in(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcasecmp(name + length - tail, end) == 0;
}

static int draw_check_options(bool from_stdin) {
    if (from_stdin && given.board != NULL)
        return usage_error("'--board' cannot be combined with placements from stdin: expected "
                           "N, a whole number from 1 to %d",
                           NQ_MAX_N);
    if (output != NULL && !draw_ends_in(output, ".svg") && !draw_ends_in(output, ".txt"))
        return usage_error("--output: '%.60s': expected a name that ends in .svg or .txt; "
                           "rsvg-convert turns an .svg into a PNG or PDF",
                           output);
    return EXIT_DONE;
}

/* Adds a board, and finds the queens on it that attack others. The caller checks that there
 * is room for it. */
static int draw_add(struct drawing *drawing, int n, const int *columns) {
    struct drawn_board *board = &drawing->board[drawing->count++];
    board->n = n;
    memcpy(board->columns, columns, (size_t)n * sizeof *columns);
    struct failure failure = {0};
    nq_status status = nqi_count_attacks(n, columns, board->attacked, &board->pairs, &failure);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, &failure);
}

/* Adds the first solution, or the first way to complete the board of --board. */
static int draw_find_solution(int count, char **arguments, struct drawing *drawing) {
    nq_list *list;
    int columns[NQ_MAX_N], n, code = read_n("draw", count, arguments, 1, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    const nq_status status = nq_list_open(n, false, &given.count, &list);
    if (status != NQ_OK)
        return say_failure(status, NULL);
    const bool found = nq_list_next(list, columns) == NQ_OK;
    nq_list_close(list);
    if (found)
        return draw_add(drawing, n, columns);
    if (given.board != NULL)
        return usage_error("draw: the board cannot be completed");
    return usage_error("draw: n = %d has no solution: expected 1, or 4 to %d", n, NQ_MAX_N);
}

static int draw_read_placements(struct drawing *drawing) {
    struct placements file = {.n = 0};
    struct failure failure = {0};
    int code = text_open("-", "placements, one a line", NULL, &file.reader);
    while (code == EXIT_DONE &&
           (code = text_done(&file.reader, nqi_placement_next(&file, &failure), &failure)) ==
               EXIT_DONE &&
           file.n > 0)
        code = drawing->count == MAX_BOARDS
                   ? usage_error("stdin, line %" PRIu64
                                 ": more than %d placements: expected 1 to %d",
                                 file.reader.line, MAX_BOARDS, MAX_BOARDS)
               : file.in_row.row[0] > 0
                   ? usage_error("stdin, line %" PRIu64
                                 ", row %d: more than one queen: expected one in each row",
                                 file.in_row_line, file.in_row.row[0])
               : file.n > DRAWN_ROWS
                   ? usage_error("stdin, line %" PRIu64 ": %d rows: expected 1 to %d",
                                 file.reader.line, file.n, DRAWN_ROWS)
                   : draw_add(drawing, file.n, file.columns);
    free(file.columns);
    return code;
}

static void draw_write_text(const struct drawing *drawing, bool coloured, FILE *stream) {
    for (int i = 0; i < drawing->count; i++) {
        const struct drawn_board *board = &drawing->board[i];
        if (drawing->count > 1)
            fprintf(stream, "%s# %d\n", i > 0 ? "\n" : "", i + 1);
        nqi_board_print(board->n, board->columns, board->attacked, coloured, stream);
    }
}

/* Returns whether to use chess pieces and colours: whether stdout is a terminal, and the
 * locale's characters are UTF-8. */
static bool draw_has_colours(void) {
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */
    setlocale(LC_CTYPE, ""); /* the user's locale, or C if the system lacks it */
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
            nqi_picture_write(drawing->board, drawing->count, stream);
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

/* Writes which queens attack each other. Returns an exit code. */
static int draw_say_attacks(const struct drawing *drawing) {
    int code = EXIT_DONE;
    for (int i = 0; i < drawing->count; i++) {
        const struct drawn_board *board = &drawing->board[i];
        nq_attack first;
        if (board->pairs == 0)
            continue;
        const nq_status status = nq_check_placement(board->n, board->columns, &first);
        if (status != NQ_ATTACK)
            return say_failure(status, NULL);
        char number[16] = "", text[160];
        if (drawing->count > 1)
            snprintf(number, sizeof number, "%d: ", i + 1);
        nqi_attack_text(&first, board->pairs, text, sizeof text);
        message("%s%s", number, text);
        code = EXIT_WRONG;
    }
    return code;
}

static int draw_run(int count, char **arguments) {
    static struct drawing drawing; /* static, because it is too large for the stack */
    const bool from_stdin = count == 0 ? given.board == NULL : strcmp(arguments[0], "-") == 0;
    int code = draw_check_options(from_stdin);
    if (code == EXIT_DONE)
        code = from_stdin ? draw_read_placements(&drawing)
                          : draw_find_solution(count, arguments, &drawing);
    if (code == EXIT_DONE && output != NULL)
        code = draw_write_file(&drawing, output);
    else if (code == EXIT_DONE)
        draw_write_text(&drawing, draw_has_colours(), stdout);
    return code == EXIT_DONE ? draw_say_attacks(&drawing) : code;
}

static const struct option_spec option_output =
    OPTION('o', "output", "FILE", "write to FILE, whose name ends in .svg or .txt",
           .expected = "the name of a file", .text = &output);

const struct command command_draw = {
    .name = "draw",
    .arguments = "N | -",
    .heading = "Solutions",
    .help = "draw solutions or placements, as text or to a file",
    .about =
        "Draws a solution, or the placements on stdin, as text on stdout or as a picture in a "
        "file. It marks queens that attack each other.",
    .argument = {{"N", "size of the board, 1 to 28: draw its first solution"},
                 {"-", "draw up to 400 placements from stdin, in any form that 'nqueens check' "
                       "reads, with up to 1000 rows each"}},
    .example = {{"nqueens draw 8", "the first solution, as text"},
                {"nqueens list 8 | sed -n 64p | nqueens draw - --output queens.svg",
                 "another one, as a picture"},
                {"nqueens list 8 --fundamental | nqueens draw - --output twelve.svg",
                 "one of each class, numbered, in one picture"},
                {"echo 1 3 2 4 | nqueens draw -", "a placement, with its attacks"}},
    .options = {&option_board, &option_output},
    .run = RUN(draw_run)};
